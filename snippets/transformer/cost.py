import math
import time
from collections import namedtuple
from itertools import pairwise

import numpy as np
import torch
import torch.nn.functional as F

Row = namedtuple("Row", "n cells mebibytes seconds")


def attention(Q, K, V):
    """Attend the plain way, building the whole n × n matrix of weights."""
    scores = Q @ K.T / math.sqrt(K.shape[-1])  # (n, n)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ V, weights


def mean_time(function, *arguments, runs=5):
    """Average the seconds of several runs, after one that is not counted."""
    function(*arguments)
    start = time.perf_counter()
    for _ in range(runs):
        function(*arguments)
    return (time.perf_counter() - start) / runs


rng = np.random.default_rng(0)
rows, d = [], 64
for n in (512, 1024, 2048, 4096):
    Q, K, V = rng.standard_normal((3, n, d), dtype=np.float32)  # (n, d)
    output, weights = attention(Q, K, V)
    size = weights.nbytes / 2**20
    rows.append(Row(n, weights.size, size, mean_time(attention, Q, K, V)))

# PyTorch may work block by block, and gives the same output.
theirs = F.scaled_dot_product_attention(*map(torch.from_numpy, (Q, K, V)))
difference = float(np.abs(output - theirs.numpy()).max())
assert difference < 1e-5
assert weights.dtype == np.float32

growth = [after.seconds / before.seconds for before, after in pairwise(rows)]
heads, layers = 8, 6
gibibytes = rows[-1].mebibytes * heads * layers / 1024
# Attention's two products, 4n²d, reach the layer's other products, 24nd².
crossing = next(n for n in range(1, 10**6) if 4 * n**2 * 512 >= 24 * n * 512**2)

print("   n       cells   MiB    seconds")
for r in rows:
    print(f"{r.n:4d}  {r.cells:10d}  {r.mebibytes:4.0f}  {r.seconds:9.4f}")
print("time per doubling:", "  ".join(f"× {ratio:.1f}" for ratio in growth))
print(f"{heads} heads × {layers} layers at n = {n}: {gibibytes:.0f} GiB of weights")
print(f"at d = 512 the two costs are equal at n = {crossing}")

# %% figure: Each doubling of n doubles Q, K and V but quadruples the weights.
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5.2, 3.0))
lengths = [r.n for r in rows]
linear = [3 * n * d * 4 / 2**20 for n in lengths]
ax.plot(lengths, [r.mebibytes for r in rows], "o-", color="C1")
ax.plot(lengths, linear, "o-", color="C0")
ax.text(1900, 24, "weights, n²", color="C1", ha="right")
ax.text(2200, 0.9, "Q, K and V, n", color="C0")
ax.set_xscale("log", base=2)
ax.set_yscale("log", base=2)
ax.set_xticks(lengths, labels=lengths)
ax.set_yticks([1, 4, 16, 64], labels=[1, 4, 16, 64])
ax.set_xlabel("positions, n")
ax.set_ylabel("MiB")
ax.spines[["top", "right"]].set_visible(False)
fig.tight_layout()
plt.show()

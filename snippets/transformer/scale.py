import math
from collections import namedtuple

import numpy as np
import torch

Row = namedtuple("Row", "d_k std root max_raw jacobian_raw max_scaled jacobian_scaled")


def softmax(scores):
    """Turn each row of scores into positive weights that sum to 1."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def jacobian(p):
    """Differentiate the softmax at weights p: diag(p) minus p times p."""
    return p[..., None] * (np.eye(p.shape[-1]) - p[..., None, :])


def measure(scores):
    """Average over trials the largest weight and the norm of the Jacobian."""
    p = softmax(scores)
    return p.max(axis=-1).mean(), np.linalg.norm(jacobian(p), axis=(-2, -1)).mean()


rng = np.random.default_rng(1)
rows, trials, keys = [], 4000, 16
for d_k in (4, 16, 64, 256, 1024):
    q = rng.standard_normal((trials, 1, d_k))  # (trials, 1, d_k)
    k = rng.standard_normal((trials, keys, d_k))  # (trials, keys, d_k)
    scores = (k @ q.swapaxes(1, 2))[..., 0]  # (trials, keys)
    root = math.sqrt(d_k)
    rows.append(Row(d_k, scores.std(), root, *measure(scores), *measure(scores / root)))

# PyTorch differentiates its own softmax and must find the same matrix.
last = torch.from_numpy(scores[0] / root)  # (keys,)
theirs = torch.autograd.functional.jacobian(lambda s: s.softmax(dim=0), last)
difference = np.abs(jacobian(softmax(last.numpy())) - theirs.numpy()).max()
assert difference < 1e-12

print("                         no scale       divided by √d_k")
print(" d_k  std(q·k)    √d_k   weight  ‖J‖     weight  ‖J‖")
for r in rows:
    print(f"{r.d_k:4d}  {r.std:8.3f}  {r.root:6.3f}   {r.max_raw:.3f}   ", end="")
    print(f"{r.jacobian_raw:.4f}  {r.max_scaled:.3f}   {r.jacobian_scaled:.4f}")
print(f"largest difference from PyTorch: {difference:.2e}")

# %% figure: Unscaled, the gradient fades as the keys grow; divided by √d_k, it holds.
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5.2, 3.0))
sizes = [r.d_k for r in rows]
ax.plot(sizes, [r.jacobian_scaled for r in rows], "o-", color="C0")
ax.plot(sizes, [r.jacobian_raw for r in rows], "o-", color="C1")
ax.text(1024, 0.28, "divided by √d_k", color="C0", ha="right", va="top")
ax.text(50, 0.15, "no scale", color="C1", ha="right", va="top")
ax.set_xscale("log", base=2)
ax.set_xticks(sizes, labels=sizes)
ax.set_ylim(0, 0.36)
ax.set_xlabel("size of the keys, d_k")
ax.set_ylabel("mean norm of the Jacobian")
ax.spines[["top", "right"]].set_visible(False)
fig.tight_layout()
plt.show()

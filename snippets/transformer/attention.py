import math

import numpy as np
import torch
import torch.nn.functional as F


def softmax(scores):
    """Turn each row of scores into positive weights that sum to 1."""
    # Subtracting the row maximum changes nothing and avoids overflow.
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    """Match each query with every key and mix the values accordingly."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(K.shape[-1])  # (n, n)
    if mask is not None:
        # True keeps a score; False sends its weight to zero.
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


n, d_k, d_v = 5, 8, 4
rng = np.random.default_rng(0)
Q = rng.standard_normal((n, d_k))  # (n, d_k)
K = rng.standard_normal((n, d_k))  # (n, d_k)
V = rng.standard_normal((n, d_v))  # (n, d_v)

output, weights = attention(Q, K, V)
assert np.allclose(weights.sum(axis=-1), 1, rtol=0, atol=1e-12)

# PyTorch computes the same function with code of its own.
expected = F.scaled_dot_product_attention(*map(torch.from_numpy, (Q, K, V)))
difference = np.abs(output - expected.numpy()).max()
assert difference < 1e-12

print("weights: one row per query, one column per key")
for row in weights:
    print("  ".join(f"{weight:.3f}" for weight in row))
print(f"largest difference from PyTorch: {difference:.2e}")

# %% figure: Each row shows how one query divides its attention among the five keys.
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5.2, 3.0))
for i in range(n):
    for j in range(n):
        shade = 0.85 * weights[i, j] / weights.max()
        cell = plt.Rectangle((j, i), 1, 1, color="C0", alpha=shade, linewidth=0)
        cell.set_label(weights[i, j])
        ax.add_patch(cell)
        ax.text(
            j + 0.5,
            i + 0.5,
            f"{weights[i, j]:.2f}",
            color="black",
            ha="center",
            va="center",
        )
ax.set_xlim(0, n)
ax.set_ylim(n, 0)
ax.set_xticks(np.arange(n) + 0.5, labels=range(n))
ax.set_yticks(np.arange(n) + 0.5, labels=range(n))
ax.tick_params(length=0)
ax.spines[:].set_visible(False)
ax.set_xlabel("key position")
ax.set_ylabel("query position")
fig.tight_layout()
plt.show()

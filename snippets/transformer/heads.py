import math

import numpy as np
import torch
from torch import nn


def softmax(scores):
    """Turn each row of scores into positive weights that sum to 1."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def multihead(x, in_weight, in_bias, out_weight, out_bias, h):
    """Run h small attentions side by side, then let W^O mix their results."""
    d_k = x.shape[-1] // h
    # One product makes the queries, keys and values of every head.
    Q, K, V = np.split(x @ in_weight.T + in_bias, 3, axis=-1)  # (batch, n, d)
    outputs, weights = [], []
    for i in range(h):
        head = slice(i * d_k, (i + 1) * d_k)
        scores = Q[..., head] @ K[..., head].swapaxes(-1, -2)  # (batch, n, n)
        weights.append(softmax(scores / math.sqrt(d_k)))
        outputs.append(weights[-1] @ V[..., head])  # (batch, n, d_k)
    joined = np.concatenate(outputs, axis=-1)  # (batch, n, d)
    return joined @ out_weight.T + out_bias, np.stack(weights, axis=1)


torch.manual_seed(0)
d, h, n = 16, 4, 6
mha = nn.MultiheadAttention(d, h, batch_first=True, dtype=torch.float64)
x = torch.randn(1, n, d, dtype=torch.float64)  # (1, n, d)

arrays = [p.detach().numpy() for p in mha.parameters()]
output, weights = multihead(x.numpy(), *arrays, h)
theirs = [t.detach().numpy() for t in mha(x, x, x, average_attn_weights=False)]
difference = np.abs(output - theirs[0]).max()
weights_difference = np.abs(weights - theirs[1]).max()
assert max(difference, weights_difference) < 1e-12
print(f"largest difference from PyTorch, output:  {difference:.2e}")
print(f"largest difference from PyTorch, weights: {weights_difference:.2e}")

parameters = {}
for heads in (1, 4, 16):
    module = nn.MultiheadAttention(d, heads)
    parameters[heads] = sum(p.numel() for p in module.parameters())
    print(f"heads: {heads:2d}   parameters: {parameters[heads]}")
    assert parameters[heads] == 4 * d**2 + 4 * d

# %% figure: What the first position looks at: each head makes its own mixture.
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5.2, 2.6))
first = weights[0, :, 0]  # (h, n)
for i in range(h):
    for j in range(n):
        shade = 0.85 * first[i, j] / first.max()
        cell = plt.Rectangle((j, i), 1, 1, color="C0", alpha=shade, linewidth=0)
        cell.set_label(first[i, j])
        ax.add_patch(cell)
        ax.text(
            j + 0.5,
            i + 0.5,
            f"{first[i, j]:.2f}",
            color="black",
            ha="center",
            va="center",
        )
ax.set_xlim(0, n)
ax.set_ylim(h, 0)
ax.set_xticks(np.arange(n) + 0.5, labels=range(n))
ax.set_yticks(np.arange(h) + 0.5, labels=range(1, h + 1))
ax.tick_params(length=0)
ax.spines[:].set_visible(False)
ax.set_xlabel("key position")
ax.set_ylabel("head")
fig.tight_layout()
plt.show()

import numpy as np
import torch
from torch import nn


def encoding(n, d):
    """Write each position as d/2 pairs: a sine and a cosine of one frequency."""
    frequencies = 10000.0 ** (-np.arange(0, d, 2) / d)  # (d/2,)
    angles = np.arange(n)[:, None] * frequencies  # (n, d/2)
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)  # (n, d/2, 2)
    return pairs.reshape(n, d)  # (n, d)


def attend(x, mask=None):
    """Apply self-attention; True in the mask hides a key from a query."""
    return mha(x, x, x, attn_mask=mask, need_weights=False)[0].detach()


def order_error(x, permutation, positions=0, mask=None):
    """Shuffle the input and measure how far the output is from following."""
    straight = attend(x + positions, mask)
    shuffled = attend(x[:, permutation] + positions, mask)
    return (straight[:, permutation] - shuffled).abs().max().item()


torch.manual_seed(0)
d, h, n = 16, 4, 7
mha = nn.MultiheadAttention(d, h, batch_first=True, dtype=torch.float64)
x = torch.randn(1, n, d, dtype=torch.float64)  # (1, n, d)
permutation = torch.randperm(n, generator=torch.Generator().manual_seed(3))
positions = torch.from_numpy(encoding(n, d))  # (n, d)
causal = torch.ones(n, n, dtype=torch.bool).triu(diagonal=1)  # (n, n)

error_without = order_error(x, permutation)
error_with = order_error(x, permutation, positions)
error_causal = order_error(x, permutation, mask=causal)
assert error_without < 1e-12
assert min(error_with, error_causal) > 0.01

print(f"new order: {permutation.tolist()}")
print(f"no positions, no mask:    {error_without:.2e}")
print(f"positions added, no mask: {error_with:.2f}")
print(f"no positions, causal:     {error_causal:.2f}")

# %% figure: Each pair of features turns more slowly than the pair before it.
import matplotlib.pyplot as plt
from matplotlib.transforms import Affine2D

fig, ax = plt.subplots(figsize=(5.2, 3.0))
steps = np.arange(36)
smooth = np.linspace(0, 35, 351)
for i in range(4):
    level = 2.6 * (3 - i)
    rate = 10000 ** (-2 * i / d)
    ax.axhline(level, color="gray", linewidth=0.5)
    ax.plot(smooth, level + np.sin(rate * smooth), color="C0", linewidth=1)
    # Only the drawing of the dots is shifted: their values stay as they are.
    shifted = Affine2D().translate(0, level) + ax.transData
    dots = encoding(36, d)[:, 2 * i]
    ax.plot(steps, dots, ".", color="C0", transform=shifted, label=f"feature {2 * i}")
    ax.text(36.5, level, f"feature {2 * i}", color="black", va="center")
ax.set_xlim(-0.5, 36)
ax.set_yticks([])
ax.set_xlabel("position")
ax.spines[["top", "right", "left"]].set_visible(False)
fig.tight_layout()
plt.show()

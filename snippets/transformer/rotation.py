import math

import numpy as np


def frequencies(d):
    """List the radians per position of each pair of features, fast to slow."""
    return 10000.0 ** (-np.arange(0, d, 2) / d)  # (d/2,)


def encoding(n, d):
    """Put sine and cosine of one frequency side by side, as the paper does."""
    angles = np.arange(n)[:, None] * frequencies(d)  # (n, d/2)
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)  # (n, d/2, 2)
    return pairs.reshape(n, d)  # (n, d)


def concatenated(n, d):
    """Put all the sines first, then all the cosines, as tensor2tensor does."""
    angles = np.arange(n)[:, None] * frequencies(d)  # (n, d/2)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)  # (n, d)


def rotate(pe, k):
    """Turn each pair of features by the angle it travels in k positions."""
    turn = k * frequencies(pe.shape[1])  # (d/2,)
    sin, cos = pe[:, 0::2], pe[:, 1::2]
    new_sin = sin * np.cos(turn) + cos * np.sin(turn)
    new_cos = cos * np.cos(turn) - sin * np.sin(turn)
    return np.stack([new_sin, new_cos], axis=-1).reshape(pe.shape)  # (n, d)


n, d, k = 30, 16, 5
pe = encoding(n + k, d)  # (n + k, d)
# The rotation depends on the shift k, not on where one starts.
rotation_error = np.abs(rotate(pe[:n], k) - pe[k:]).max()
assert rotation_error < 1e-12

# The two layouts hold the same numbers in a different, fixed order.
order = np.concatenate([np.arange(0, d, 2), np.arange(1, d, 2)])  # (d,)
layout_difference = np.abs(pe[:, order] - concatenated(n + k, d)).max()
assert layout_difference == 0

# A wavelength is 2π over a frequency; here in units of 2π.
longest = 1 / frequencies(512)[-1]
assert math.isclose(longest, 10000 ** (510 / 512))

print(f"shift by {k} against rotation: {rotation_error:.2e}")
print(f"one layout against the other, reordered: {layout_difference:.0f}")
print(f"longest wavelength at d = 512: {longest:.1f} · 2π")

# %% figure: A shift of five positions is the same turn, wherever it starts.
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(3.4, 3.4))
pair = encoding(40, d)[:, 2:4]
rim = np.linspace(0, 2 * np.pi, 181)
ax.plot(np.cos(rim), np.sin(rim), color="gray", linewidth=0.8)
for start, ink in ((0, "C0"), (7, "C1")):
    arc = np.linspace(start, start + k, 61) * frequencies(d)[1]
    ax.plot(np.cos(arc), np.sin(arc), color=ink, linewidth=3, alpha=0.5)
    for position in (start, start + k):
        y, x = pair[position]
        ax.plot([0, x], [0, y], color=ink, linewidth=0.8)
        ax.plot(x, y, "o", color=ink, label=f"position {position}")
        ax.text(1.15 * x, 1.15 * y, position, color=ink, ha="center", va="center")
ax.set_xlim(-1.3, 1.3)
ax.set_ylim(-1.3, 1.3)
ax.set_aspect("equal")
ax.set_xlabel("feature 3 (cosine)")
ax.set_ylabel("feature 2 (sine)")
ax.set_xticks([-1, 0, 1])
ax.set_yticks([-1, 0, 1])
ax.spines[["top", "right"]].set_visible(False)
fig.tight_layout()
plt.show()

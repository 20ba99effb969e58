from collections import namedtuple

import numpy as np

# Mean and median, over trials, of two norms taken without the scale.
Row = namedtuple(
    "Row", "d_k jacobian_mean jacobian_median gradient_mean gradient_median"
)


def softmax(scores):
    """Turn each row of scores into positive weights that sum to 1."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def jacobian(p):
    """Differentiate the softmax at weights p: diag(p) minus p times p."""
    return p[..., None] * (np.eye(p.shape[-1]) - p[..., None, :])


def summary(matrices):
    """Take the mean and the median of the norms of many matrices."""
    norms = np.sqrt(np.einsum("tij,tij->t", matrices, matrices))  # (trials,)
    return norms.mean(), np.median(norms)


rng = np.random.default_rng(1)
rows, trials, keys = [], 1000, 64
for d_k in (4, 16, 64, 256, 1024):
    q = rng.standard_normal((trials, 1, d_k))  # (trials, 1, d_k)
    k = rng.standard_normal((trials, keys, d_k))  # (trials, keys, d_k)
    J = jacobian(softmax((k @ q.swapaxes(1, 2))[..., 0]))  # (trials, keys, keys)
    # The scores are k·q, so the chain rule reaches the query through k.
    rows.append(Row(d_k, *summary(J), *summary(J @ k)))

assert rows[1].jacobian_mean > rows[0].jacobian_mean
assert rows[-1].gradient_mean > rows[0].gradient_mean
print("no scale,      ‖∂p/∂scores‖         ‖∂p/∂q‖")
print("64 keys, d_k   mean     median      mean     median")
for r in rows:
    print(f"{r.d_k:12d}   {r.jacobian_mean:.3f}    {r.jacobian_median:.5f}", end="")
    print(f"     {r.gradient_mean:.3f}    {r.gradient_median:.5f}")

# %% figure: With 64 keys both rise at first; then the median collapses, the mean fades.
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5.2, 3.0))
sizes = [r.d_k for r in rows]
ax.plot(sizes, [r.jacobian_mean for r in rows], "o-", color="C0")
ax.plot(sizes, [r.jacobian_median for r in rows], "o-", color="C1")
ax.text(270, 0.14, "mean", color="C0")
ax.text(110, 0.09, "median", color="C1", ha="right", va="top")
ax.set_xscale("log", base=2)
ax.set_xticks(sizes, labels=sizes)
ax.set_ylim(-0.01, 0.38)
ax.set_xlabel("size of the keys, d_k")
ax.set_ylabel("norm of the unscaled Jacobian")
ax.spines[["top", "right"]].set_visible(False)
fig.tight_layout()
plt.show()

import torch
from torch import nn


def attend(x, mask=None):
    """Apply self-attention; True in the mask hides a key from a query."""
    return mha(x, x, x, attn_mask=mask, need_weights=False)[0].detach()


def moved(before, after):
    """Measure how far each position moves: its largest absolute change."""
    return (before - after).abs().amax(dim=(0, 2)).numpy()  # (n,)


torch.manual_seed(0)
d, h, n, kept = 16, 4, 8, 5
mha = nn.MultiheadAttention(d, h, batch_first=True, dtype=torch.float64)
x = torch.randn(1, n, d, dtype=torch.float64)  # (1, n, d)
changed = x.clone()
# Only the future changes: positions 5, 6 and 7.
changed[:, kept:] = torch.randn(1, n - kept, d, dtype=torch.float64)

# Query i may look at key j only if j is not after i.
causal = torch.ones(n, n, dtype=torch.bool).triu(diagonal=1)  # (n, n)
moved_unmasked = moved(attend(x), attend(changed))
moved_masked = moved(attend(x, causal), attend(changed, causal))
assert (moved_unmasked > 0.1).all()
assert (moved_masked[:kept] == 0).all()

# Generating: each token attends, without a mask, to the tokens written so far.
one_by_one = [attend(x[:, : t + 1])[:, -1:] for t in range(n)]
# Training: one masked pass must give all of those outputs together.
difference = moved(attend(x, causal), torch.cat(one_by_one, dim=1)).max()
assert difference < 1e-12

print("position  unmasked  masked")
for i in range(n):
    print(f"{i:8d}  {moved_unmasked[i]:8.1e}  {moved_masked[i]:.1e}")
print(f"one masked pass against one token at a time: {difference:.2e}")

# %% figure: With the causal mask, changing positions 5 to 7 leaves the past untouched.
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5.2, 3.0))
for i in range(n):
    ax.bar(i - 0.2, moved_unmasked[i], width=0.38, color="C1")
    ax.bar(i + 0.2, moved_masked[i], width=0.38, color="C0")
ax.text(2, 0.37, "no mask", color="C1", ha="center")
ax.text(5.5, 0.385, "causal mask", color="C0")
ax.axvline(kept - 0.5, color="gray", linewidth=0.8, linestyle="--")
ax.set_xticks(range(n), labels=range(n))
ax.set_xlabel("position")
ax.set_ylabel("how far its output moves")
ax.spines[["top", "right"]].set_visible(False)
fig.tight_layout()
plt.show()

import math
from collections import namedtuple

import torch
import torch.nn.functional as F
from torch import nn

Row = namedtuple("Row", "call mask result")

# Unmasked, this query weighs the three keys 0.5, 0.3 and 0.2.
Q = torch.tensor([[[0.5, 0.3, 0.2]]]).log() * math.sqrt(3)  # (1, 1, 3)
K = V = torch.eye(3)[None]  # (1, 3, 3)

# V and every projection are the identity: the output shows the weights.
mha = nn.MultiheadAttention(3, 1, bias=False, batch_first=True)
identity = {"in_proj_weight": torch.eye(3).repeat(3, 1), "out_proj.weight": K[0]}
mha.load_state_dict(identity)


def sdpa(mask):
    """Call PyTorch's function."""
    mask = torch.tensor([mask])  # (1, 3)
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=mask)[0, 0].tolist()


def module(mask, need_weights=True):
    """Call PyTorch's module."""
    mask = torch.tensor([mask])  # (1, 3)
    return mha(Q, K, V, attn_mask=mask, need_weights=need_weights)[0][0, 0].tolist()


def naive(mask, fill):
    """Mask by hand: where the mask is False, fill replaces the score."""
    scores = (Q @ K.mT / math.sqrt(3)).where(torch.tensor([mask]), fill)  # (1, 1, 3)
    return (scores.softmax(dim=-1) @ V)[0, 0].tolist()


two, ones, added = [True, True, False], [1.0, 1.0, 0.0], [0.0, 0.0, -math.inf]
none, every = [False] * 3, [True] * 3
rows = [
    Row("scaled_dot_product_attention", two, sdpa(two)),
    Row("MultiheadAttention", two, module(two)),
    Row("scaled_dot_product_attention", ones, sdpa(ones)),
    Row("MultiheadAttention", ones, module(ones)),
    Row("scaled_dot_product_attention", added, sdpa(added)),
    Row("MultiheadAttention", added, module(added)),
    Row("scaled_dot_product_attention", none, sdpa(none)),
    Row("MultiheadAttention, need_weights=True", every, module(every)),
    Row("MultiheadAttention, need_weights=False", every, module(every, False)),
    Row("scores.where(mask, -inf)", none, naive(none, -math.inf)),
    Row("scores.where(mask, -1e9)", none, naive(none, -1e9)),
]
# Zeros and ones are added to the scores, so no key is hidden.
assert min(rows[2].result + rows[3].result) > 0

for row in rows:
    result = "  ".join(f"{weight:.3f}" for weight in row.result)
    print(f"{row.call:38}  {row.mask!s:21}  {result}")

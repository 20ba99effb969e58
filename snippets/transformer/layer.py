import math

import numpy as np
import torch
from torch import nn


def softmax(scores):
    """Turn each row of scores into positive weights that sum to 1."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def norm(x, gain, bias, eps=1e-5):
    """Bring each position to mean 0 and variance 1, then rescale and shift it."""
    centred = x - x.mean(axis=-1, keepdims=True)
    # The variance divides by d, not d - 1, and eps is inside the root.
    variance = (centred**2).mean(axis=-1, keepdims=True)  # (batch, n, 1)
    return gain * centred / np.sqrt(variance + eps) + bias


def multihead(x, w_in, b_in, w_out, b_out, h):
    """Cut queries, keys and values into h heads, attend, join, project."""
    batch, n, d = x.shape
    QKV = (x @ w_in.T + b_in).reshape(batch, n, 3, h, d // h)  # (batch, n, 3, h, d_k)
    Q, K, V = QKV.transpose(2, 0, 3, 1, 4)  # (batch, h, n, d_k)
    weights = softmax(Q @ K.swapaxes(-1, -2) / math.sqrt(d // h))  # (batch, h, n, n)
    heads = (weights @ V).swapaxes(1, 2)  # (batch, n, h, d_k)
    return heads.reshape(batch, n, d) @ w_out.T + b_out  # (batch, n, d)


def layer(x, p, h):
    """Post-LN: add each sublayer's result to its input, then normalise."""
    attention, (w1, b1, w2, b2) = p[:4], p[4:8]
    x = norm(x + multihead(x, *attention, h), *p[8:10])
    hidden = np.maximum(0, x @ w1.T + b1)  # (batch, n, d_ff)
    return norm(x + hidden @ w2.T + b2, *p[10:])  # (batch, n, d)


torch.manual_seed(0)
batch, n, d, h, d_ff = 2, 6, 16, 4, 64
theirs = nn.TransformerEncoderLayer(
    d, h, d_ff, dropout=0, batch_first=True, norm_first=False, dtype=torch.float64
).eval()
# Fresh biases are 0 and fresh gains are 1: random ones leave no mistake hidden.
for p in theirs.parameters():
    nn.init.normal_(p, std=0.5)
x = torch.randn(batch, n, d, dtype=torch.float64)  # (batch, n, d)

parameters = [p.detach().numpy() for p in theirs.parameters()]
output = layer(x.numpy(), parameters, h)
difference = np.abs(output - theirs(x).detach().numpy()).max()
assert difference < 1e-12
print(f"parameters, all random: {sum(p.size for p in parameters)}")
print(f"largest difference from PyTorch: {difference:.2e}")

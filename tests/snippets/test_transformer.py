"""The listings of the Transformer article compute what it says, and only they do.

Each listing has one check: the published figures, then its own functions on other
inputs, against PyTorch or a second computation. The check must pass on the file as it
is, and must fail on every mutation of it listed at the end.
"""

import math
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

Names = dict[str, Any]

FOLDER = Path(__file__).parents[2] / "snippets" / "transformer"
INKS = {f"C{i}" for i in range(10)} | {"black", "gray", "white"}
TIGHT = {torch.float64: 1e-11, torch.float32: 2e-4}
NAN = math.nan


def close(actual: Any, expected: Any, tolerance: float) -> None:
    """Demand equal shapes and no difference above the tolerance; NaN equals NaN."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape
    np.testing.assert_allclose(actual, expected, rtol=0, atol=tolerance)


def arrays(module: nn.Module) -> list[np.ndarray]:
    """Return a module's parameters, in its own order."""
    return [p.detach().numpy() for p in module.parameters()]


def randomised(module: nn.Module, seed: int = 7) -> nn.Module:
    """Give every parameter a random value: at birth biases are 0 and gains are 1."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.randn(p.shape, generator=generator, dtype=p.dtype) / 2)
    return module.eval()


def random(*shape: int, dtype: torch.dtype = torch.float64, seed: int = 8) -> Any:
    """Draw random numbers from a generator of their own."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=dtype)


def reborn(n: int, d: int = 16, h: int = 4) -> tuple[nn.MultiheadAttention, Any]:
    """Make the module and the input of the facts: seed 0, the module first."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        module = nn.MultiheadAttention(d, h, batch_first=True, dtype=torch.float64)
        return module, torch.randn(1, n, d, dtype=torch.float64)


def by_the_paper(n: int, d: int) -> list[list[float]]:
    """Encode positions one number at a time, as section 3.5 writes it."""
    rows = [[0.0] * d for _ in range(n)]
    for position in range(n):
        for i in range(d // 2):
            angle = position / 10000 ** (2 * i / d)
            rows[position][2 * i] = math.sin(angle)
            rows[position][2 * i + 1] = math.cos(angle)
    return rows


def true_jacobian(scores: torch.Tensor) -> torch.Tensor:
    """Let PyTorch differentiate the softmax of every row."""
    return torch.func.vmap(torch.func.jacrev(lambda s: s.softmax(0)))(scores)


# What each listing has to do


def check_attention(names: Names) -> None:
    weights = names["weights"]
    close(weights.sum(axis=-1), np.ones(5), 1e-12)
    close(weights[0], [0.367, 0.063, 0.113, 0.115, 0.342], 6e-4)
    assert names["V"].shape == (5, 4)
    assert names["difference"] < 1e-12

    mask = random(5, 7, seed=9) > 0
    mask[:, 0] = True
    for dtype, tolerance in TIGHT.items():
        Q, K, V = (random(2, 3, *s, dtype=dtype) for s in ((5, 8), (7, 8), (7, 3)))
        for allowed in (None, mask):
            mine, rows = names["attention"](
                *(t.numpy() for t in (Q, K, V)),
                None if allowed is None else allowed.numpy(),
            )
            theirs = F.scaled_dot_product_attention(Q, K, V, attn_mask=allowed)
            close(mine, theirs.numpy(), tolerance)
            close(rows.sum(axis=-1), np.ones((2, 3, 5)), tolerance)
            assert allowed is None or (rows[..., ~mask.numpy()] == 0).all()

    scores = np.array([[1000.0, 999.0], [-1000.0, -1000.0]])
    with np.errstate(all="ignore"):
        close(names["softmax"](scores), torch.softmax(torch.tensor(scores), -1), 1e-12)

    # A row with nothing to look at has no answer: minus infinity says so.
    mask[2] = False
    with np.errstate(invalid="ignore"):
        Q, K, V = random(5, 8), random(7, 8), random(7, 3)
        lost, _ = names["attention"](Q.numpy(), K.numpy(), V.numpy(), mask.numpy())
    assert np.isnan(lost).all(axis=-1).tolist() == [False, False, True, False, False]


SCALE = {
    4: (1.986, 2.0, 0.426, 0.3221, 0.234, 0.2967),
    16: (3.991, 4.0, 0.681, 0.2805, 0.241, 0.3024),
    64: (7.973, 8.0, 0.846, 0.1732, 0.245, 0.3042),
    256: (15.978, 16.0, 0.923, 0.0987, 0.246, 0.3049),
    1024: (31.927, 32.0, 0.963, 0.0504, 0.248, 0.3053),
}


def check_scale(names: Names) -> None:
    for row in names["rows"]:
        std, root, max_raw, raw, max_scaled, scaled = SCALE[row.d_k]
        close([row.std, row.root], [std, root], 6e-4)
        close([row.max_raw, row.max_scaled], [max_raw, max_scaled], 6e-4)
        close([row.jacobian_raw, row.jacobian_scaled], [raw, scaled], 6e-5)
        assert abs(row.std / row.root - 1) < 0.01
    assert names["difference"] < 1e-12

    scores = 3 * random(20, 5)
    expected = true_jacobian(scores)
    close(names["jacobian"](names["softmax"](scores.numpy())), expected, 1e-12)
    norm = expected.flatten(1).norm(dim=1).mean()
    largest = scores.softmax(-1).amax(-1).mean()
    close(names["measure"](scores.numpy()), [largest, norm], 1e-12)


LIMITS = {4: 0.26, 16: 0.30, 64: 0.22, 256: 0.12, 1024: 0.08}


def check_scale_limits(names: Names) -> None:
    rows = names["rows"]
    for row in rows:
        close(row.jacobian_mean, LIMITS[row.d_k], 0.016)
    assert rows[0].jacobian_mean < rows[1].jacobian_mean

    rng = np.random.default_rng(1)
    q = torch.from_numpy(rng.standard_normal((1000, 1, 4)))[:, 0]
    k = torch.from_numpy(rng.standard_normal((1000, 64, 4)))
    weights = torch.func.vmap(torch.func.jacrev(lambda q, k: (k @ q).softmax(0)))
    gradient = weights(q, k).flatten(1).norm(dim=1).numpy()
    jacobian = true_jacobian((k @ q[..., None])[..., 0]).flatten(1).norm(dim=1).numpy()
    expected = [f(x) for x in (jacobian, gradient) for f in (np.mean, np.median)]
    close(rows[0], [4, *expected], 1e-12)


def check_heads(names: Names) -> None:
    assert names["difference"] < 1e-12
    assert names["weights_difference"] < 1e-12
    assert names["parameters"] == {1: 1088, 4: 1088, 16: 1088}
    module, x = reborn(6)
    theirs = module(x, x, x, average_attn_weights=False)
    close(names["output"], theirs[0].detach(), 1e-12)
    close(names["weights"], theirs[1].detach(), 1e-12)

    for d, h, batch, n in ((16, 4, 2, 6), (12, 3, 3, 5), (8, 1, 2, 4), (6, 6, 2, 3)):
        for dtype, tolerance in TIGHT.items():
            module = randomised(nn.MultiheadAttention(d, h, batch_first=True)).to(dtype)
            x = random(batch, n, d, dtype=dtype)
            mine = names["multihead"](x.numpy(), *arrays(module), h)
            theirs = module(x, x, x, average_attn_weights=False)
            close(mine[0], theirs[0].detach(), tolerance)
            close(mine[1], theirs[1].detach(), tolerance)


def check_positions(names: Names) -> None:
    shuffle = torch.randperm(7, generator=torch.Generator().manual_seed(3))
    assert names["permutation"].tolist() == shuffle.tolist()
    assert names["error_without"] < 1e-12
    close(names["error_with"], 0.21, 6e-3)
    close(names["error_causal"], 0.75, 6e-3)
    for n, d in ((7, 16), (9, 4), (30, 64)):
        close(names["encoding"](n, d), by_the_paper(n, d), 1e-12)

    other = randomised(nn.MultiheadAttention(12, 3, batch_first=True).double())
    x, positions = random(2, 5, 12), torch.tensor(by_the_paper(5, 12))
    causal = ~torch.ones(5, 5).tril().bool()
    turned, still = torch.tensor([3, 0, 4, 1, 2]), torch.arange(5)
    error = names["order_error"]
    with patch.dict(names, mha=other):
        assert error(x, turned) < 1e-12
        assert error(x, turned, positions) > 0.01
        assert error(x, turned, mask=causal) > 0.01
        assert error(x, still, positions, causal) == 0


def check_rotation(names: Names) -> None:
    assert names["rotation_error"] < 1e-12
    assert names["layout_difference"] == 0
    close(names["longest"], 9646.6, 0.06)
    close(names["longest"], 10000 ** (510 / 512), 1e-8)
    assert sorted(names["order"]) == list(range(16))

    for n, d in ((12, 16), (9, 4), (20, 512)):
        paper = np.array(by_the_paper(n, d))
        close(names["encoding"](n, d), paper, 1e-12)
        halves = np.hstack([paper[:, ::2], paper[:, 1::2]])
        close(names["concatenated"](n, d), halves, 1e-12)
        for k in (1, 5):
            close(names["rotate"](paper[:-k], k), paper[k:], 1e-12)
            close(names["rotate"](paper[k:], -k), paper[:-k], 1e-12)


def check_mask(names: Names) -> None:
    unmasked = [2.3e-01, 3.4e-01, 3.3e-01, 2.9e-01, 2.5e-01, 3.4e-01, 2.8e-01, 2.8e-01]
    close(names["moved_unmasked"], unmasked, 6e-3)
    close(names["moved_masked"], [0, 0, 0, 0, 0, 4.1e-01, 2.0e-01, 2.8e-01], 6e-3)
    assert (names["moved_masked"][:5] == 0).all()
    assert names["difference"] < 1e-12
    assert names["causal"].tolist() == [[j > i for j in range(8)] for i in range(8)]
    module, x = reborn(8)
    close(names["x"], x, 0)
    close(names["changed"][:, :5], x[:, :5], 0)
    for i in range(8):
        past = x[:, : i + 1]
        alone = module(past[:, -1:], past, past)[0][:, 0].detach()
        close(names["attend"](x, names["causal"])[:, i], alone, 1e-12)

    before, after = random(3, 4, 5), random(3, 4, 5, seed=9)
    largest = [(before - after)[:, i].abs().max() for i in range(4)]
    close(names["moved"](before, after), largest, 0)
    other = randomised(nn.MultiheadAttention(12, 3, batch_first=True).double())
    x, causal = random(2, 6, 12), ~torch.ones(6, 6).tril().bool()
    with patch.dict(names, mha=other):
        for kept in range(1, 6):
            future = x.clone()
            future[:, kept:] += 1
            outputs = [names["attend"](z, causal) for z in (x, future)]
            moved = names["moved"](*outputs)
            assert (moved[:kept] == 0).all()
            assert (moved[kept:] > 0).all()


def check_conventions(names: Names) -> None:
    kept, shifted = [0.625, 0.375, 0], [0.5 * math.e, 0.3 * math.e, 0.2]
    shifted = [weight / sum(shifted) for weight in shifted]
    sdpa, module, naive = (names[name] for name in ("sdpa", "module", "naive"))
    two, none, every = [True, True, False], [False] * 3, [True] * 3
    ones, added = [1.0, 1.0, 0.0], [0.0, 0.0, -math.inf]
    expected = [
        ("scaled_dot_product_attention", two, kept),
        ("MultiheadAttention", two, [0, 0, 1]),
        ("scaled_dot_product_attention", ones, shifted),
        ("MultiheadAttention", ones, shifted),
        ("scaled_dot_product_attention", added, kept),
        ("MultiheadAttention", added, kept),
        ("scaled_dot_product_attention", none, [0, 0, 0]),
        ("MultiheadAttention, need_weights=True", every, [NAN] * 3),
        ("MultiheadAttention, need_weights=False", every, [0, 0, 0]),
        ("scores.where(mask, -inf)", none, [NAN] * 3),
        ("scores.where(mask, -1e9)", none, [1 / 3] * 3),
    ]
    assert [row[:2] for row in names["rows"]] == [row[:2] for row in expected]
    for row, (_, _, result) in zip(names["rows"], expected, strict=True):
        close(row.result, result, 1e-6)

    # Used well, the five ways agree; with nothing hidden they give 0.5, 0.3, 0.2.
    hidden = [False, False, True]
    agree = [sdpa(two), module(hidden), module(hidden, False), naive(two, -math.inf)]
    for result in (*agree, naive(two, -1e9)):
        close(result, kept, 1e-6)
    for result in (sdpa(every), module(none), module(none, False), naive(every, -1e9)):
        close(result, [0.5, 0.3, 0.2], 1e-6)


def check_layer(names: Names) -> None:
    assert names["difference"] < 1e-12
    assert names["output"].shape == (2, 6, 16)
    assert all(np.unique(p).size == p.size > 1 for p in names["parameters"])

    for d, h, d_ff, batch, n in ((16, 4, 64, 2, 6), (12, 3, 20, 3, 5), (4, 2, 8, 2, 7)):
        for dtype, tolerance in TIGHT.items():
            theirs = randomised(
                nn.TransformerEncoderLayer(d, h, d_ff, dropout=0, batch_first=True)
            ).to(dtype)
            # Small inputs let the eps of the norms be seen.
            for size in (1, 1e-2):
                x = size * random(batch, n, d, dtype=dtype)
                mine = names["layer"](x.numpy(), arrays(theirs), h)
                close(mine, theirs(x).detach(), tolerance)

    gain, bias = random(4, seed=1), random(4, seed=2)
    for size in (1, 1e-2):
        x = size * random(2, 3, 4)
        theirs = F.layer_norm(x, (4,), gain, bias)
        close(names["norm"](x.numpy(), gain.numpy(), bias.numpy()), theirs, 1e-12)


COST = {512: 1, 1024: 4, 2048: 16, 4096: 64}


def check_cost(names: Names) -> None:
    rows = names["rows"]
    for row in rows:
        assert (row.cells, row.mebibytes) == (row.n**2, COST[row.n])
        assert row.seconds > 0
    ratios = [b.seconds / a.seconds for a, b in pairwise(rows)]
    close(names["growth"], ratios, 1e-12)
    # 64 MiB for one head of one layer at 4096; as much again at every other one.
    close(names["gibibytes"] * 1024, 48 * rows[-1].mebibytes, 1e-9)
    assert names["crossing"] == 6 * 512
    assert names["weights"].dtype == names["output"].dtype == np.float32
    assert names["difference"] < 1e-5

    for dtype, tolerance in TIGHT.items():
        Q, K, V = (random(*s, dtype=dtype) for s in ((5, 8), (7, 8), (7, 3)))
        mine, weights = names["attention"](*(t.numpy() for t in (Q, K, V)))
        close(mine, F.scaled_dot_product_attention(Q, K, V), tolerance)
        assert mine.dtype == weights.dtype == Q.numpy().dtype

    calls: list[str] = []
    assert names["mean_time"](calls.append, "run", runs=3) >= 0
    assert len(calls) == 1 + 3


def check_promotion(names: Names) -> None:
    assert names["scores"].dtype == names["with_math"].dtype == np.float32
    assert names["with_numpy"].dtype == np.float64
    assert names["with_numpy"].nbytes == 2 * names["with_math"].nbytes == 2 * 4 * 2**20
    close(names["with_numpy"], names["scores"] / 8, 0)
    close(names["with_math"], names["scores"] / 8, 0)


CHECKS: dict[str, Callable[[Names], None]] = {
    name.removeprefix("check_"): check
    for name, check in list(globals().items())
    if name.startswith("check_")
}

# The same program with less work: the sizes come first, so their rows are the same.
SHORTER = {
    "scale": ("(4, 16, 64, 256, 1024)", "(4, 16, 64)"),
    "scale_limits": ("(4, 16, 64, 256, 1024)", "(4, 16)"),
    "cost": ("(512, 1024, 2048, 4096)", "(512, 1024)"),
}

PRE_LN = """    x = x + multihead(norm(x, *p[8:10]), *attention, h)
    hidden = np.maximum(0, norm(x, *p[10:]) @ w1.T + b1)
    return x + hidden @ w2.T + b2
"""
POST_LN = """    x = norm(x + multihead(x, *attention, h), *p[8:10])
    hidden = np.maximum(0, x @ w1.T + b1)  # (batch, n, d_ff)
    return norm(x + hidden @ w2.T + b2, *p[10:])  # (batch, n, d)
"""
Q_FIRST = """    q = rng.standard_normal((trials, 1, d_k))  # (trials, 1, d_k)
    k = rng.standard_normal((trials, keys, d_k))  # (trials, keys, d_k)
"""
K_FIRST = """    k = rng.standard_normal((trials, keys, d_k))
    q = rng.standard_normal((trials, 1, d_k))
"""

MUTATIONS = {
    "attention": [
        (" / math.sqrt(K.shape[-1])", "", "drop the scale"),
        ("math.sqrt(K.shape[-1])", "K.shape[-1]", "divide by d_k"),
        ("math.sqrt(K.shape[-1])", "math.sqrt(V.shape[-1])", "divide by √d_v"),
        ("(mask, scores, -np.inf)", "(mask, -np.inf, scores)", "invert the mask"),
        ("-np.inf", "-1e9", "mask with a large finite number"),
        ("np.exp(scores - scores.max(axis=-1, keepdims=True))", "np.exp(scores)",
         "let the exponential overflow"),
        ("powers.sum(axis=-1", "powers.sum(axis=-2", "normalise the columns"),
        ("default_rng(0)", "default_rng(1)", "another seed"),
    ],
    "scale": [
        ("*measure(scores / root)", "*measure(scores)", "drop the scale"),
        ("root = math.sqrt(d_k)", "root = d_k", "divide by d_k"),
        ("np.eye(p.shape[-1]) - p[..., None, :]", "np.eye(p.shape[-1])",
         "keep only the diagonal of the Jacobian"),
        ("p.max(axis=-1).mean()", "p.max(axis=-1).max()", "largest instead of mean"),
        ("axis=(-2, -1)).mean()", "ord=2, axis=(-2, -1)).mean()", "another norm"),
        (Q_FIRST, K_FIRST, "draw the keys first"),
        ("default_rng(1)", "default_rng(0)", "another seed"),
    ],
    "scale_limits": [
        ("summary(J @ k)", "summary(J)", "stop the gradient at the scores"),
        ("norms.mean(), np.median(norms)", "np.median(norms), norms.mean()",
         "swap mean and median"),
        ("[..., 0]))", "[..., 0] / d_k**0.5))", "scale the scores"),
        ("np.eye(p.shape[-1]) - p[..., None, :]", "np.eye(p.shape[-1])",
         "keep only the diagonal of the Jacobian"),
        ("default_rng(1)", "default_rng(0)", "another seed"),
    ],
    "heads": [
        ("x @ in_weight.T + in_bias", "x @ in_weight.T", "drop the input bias"),
        ("joined @ out_weight.T + out_bias", "joined @ out_weight.T",
         "drop the output bias"),
        ("out_weight.T", "out_weight", "transpose W^O"),
        ("scores / math.sqrt(d_k)", "scores", "drop the scale"),
        ("math.sqrt(d_k)", "d_k", "divide by d_k"),
        ("math.sqrt(d_k)", "math.sqrt(x.shape[-1])", "divide by the root of d_model"),
        ("slice(i * d_k, (i + 1) * d_k)", "slice(i, None, h)",
         "give each head every h-th column"),
        ("Q, K, V = np.split", "K, Q, V = np.split", "swap queries and keys"),
        ("weights[-1] @ V", "weights[0] @ V", "use the first head's weights for all"),
        ("np.stack(weights, axis=1)", "np.stack(weights[::-1], axis=1)",
         "return the heads' weights in reverse"),
        ("manual_seed(0)", "manual_seed(1)", "another seed"),
        ("Attention(d, heads)", "Attention(d, heads, bias=False)",
         "count without biases"),
    ],
    "positions": [
        ("straight[:, permutation]", "straight", "forget the permutation"),
        ("x[:, permutation] + positions", "(x + positions)[:, permutation]",
         "let the positions move with the inputs"),
        ("[np.sin(angles), np.cos(angles)]", "[np.cos(angles), np.sin(angles)]",
         "swap sine and cosine"),
        ("(0, d, 2) / d", "(0, d, 2) / (d - 2)", "another range of frequencies"),
        ("axis=-1)  # (n, d/2, 2)", "axis=1)", "concatenate instead of interleaving"),
        ("mask=causal", "mask=None", "forget the causal mask"),
        ("attn_mask=mask", "attn_mask=None", "ignore the mask"),
        ("manual_seed(3)", "manual_seed(4)", "another permutation"),
        ("torch.manual_seed(0)", "torch.manual_seed(1)", "another seed"),
    ],
    "rotation": [
        ("cos * np.cos(turn) - sin", "cos * np.cos(turn) + sin", "wrong sign, cosine"),
        ("sin * np.cos(turn) + cos", "sin * np.cos(turn) - cos", "wrong sign, sine"),
        ("pe[:, order] - ", "pe - ", "forget the permutation of the features"),
        ("axis=-1)  # (n, d/2, 2)", "axis=1)", "concatenate instead of interleaving"),
        ("turn = k *", "turn =", "turn by one position only"),
        ("10000.0 **", "1000.0 **", "another base"),
        ("frequencies(512)[-1]", "frequencies(16)[-1]", "wavelength at another size"),
    ],
    "mask": [
        (".triu(diagonal=1)", ".tril(diagonal=-1)", "invert the mask"),
        (".triu(diagonal=1)", ".triu(diagonal=2)", "peek one position ahead"),
        ("attn_mask=mask", "attn_mask=None", "ignore the mask"),
        ("attend(changed, causal)", "attend(changed)", "mask only one of the two"),
        ("[:, -1:] for t", "[:, :1] for t", "collect the first output, not the last"),
        (".abs().amax", ".amax", "forget the sign of the change"),
        ("manual_seed(0)", "manual_seed(1)", "another seed"),
    ],
    "conventions": [
        (".where(torch.tensor([mask]), fill)", ".where(~torch.tensor([mask]), fill)",
         "invert the mask"),
        ("none, naive(none, -math.inf)", "none, naive(none, -1e9)",
         "mask with a large finite number"),
        ("module(every, False)", "module(every)", "ask for the weights"),
        (" / math.sqrt(3)).where", ").where", "drop the scale"),
        ("[1.0, 1.0, 0.0]", "[True, True, False]", "make the float mask a Boolean one"),
        ("attn_mask=mask)[0, 0]", "attn_mask=mask == 0)[0, 0]",
         "give the function the module's mask"),
    ],
    "layer": [
        (POST_LN, PRE_LN, "swap Post-LN and Pre-LN"),
        ("(centred**2).mean(axis=-1, keepdims=True)",
         "(centred**2).sum(axis=-1, keepdims=True) / (x.shape[-1] - 1)",
         "unbiased variance"),
        ("np.sqrt(variance + eps)", "(np.sqrt(variance) + eps)",
         "eps outside the root"),
        ("eps=1e-5", "eps=1e-6", "another eps"),
        ("x @ w_in.T + b_in", "x @ w_in.T", "drop the bias of the projections"),
        ("@ w_out.T + b_out", "@ w_out.T", "drop the bias of W^O"),
        ("x @ w1.T + b1", "x @ w1.T", "drop the first bias of the feed-forward"),
        ("hidden @ w2.T + b2", "hidden @ w2.T", "drop its second bias"),
        ("np.sqrt(variance + eps) + bias", "np.sqrt(variance + eps)",
         "drop the bias of the norms"),
        ("gain * centred", "centred", "drop the gain of the norms"),
        ("w_out.T", "w_out", "transpose W^O"),
        ("norm(x + multihead(", "norm(multihead(", "drop the first residual"),
        ("norm(x + hidden @", "norm(hidden @", "drop the second residual"),
        ("np.maximum(0, x @ w1.T + b1)", "(x @ w1.T + b1)", "drop the ReLU"),
        (" / math.sqrt(d // h)", "", "drop the scale"),
        ("math.sqrt(d // h)", "(d // h)", "divide by d_k"),
        ("3, h, d // h)  # (batch, n, 3, h, d_k)\n", "3, d // h, h).swapaxes(-1, -2)\n",
         "give each head every h-th column"),
        ("(weights @ V).swapaxes(1, 2)", "(weights @ V)", "join the heads wrongly"),
        ("Q, K, V = QKV", "V, K, Q = QKV", "swap queries and values"),
        ("    nn.init.normal_(p, std=0.5)", "    pass", "leave biases 0 and gains 1"),
    ],
    "cost": [
        (" / math.sqrt(K.shape[-1])", "", "drop the scale"),
        ("math.sqrt(K.shape[-1])", "np.sqrt(K.shape[-1])", "let NumPy promote"),
        (", dtype=np.float32)", ")", "draw float64"),
        ("* heads * layers", "* heads", "count one layer only"),
        ("weights.nbytes / 2**20", "weights.nbytes / 10**6", "megabytes"),
        ("24 * n", "12 * n", "forget the feed-forward"),
        ("after.seconds / before", "before.seconds / after", "invert the growth"),
        ("    function(*arguments)\n    start", "    start", "count the first run too"),
    ],
    "promotion": [
        ("with_numpy = scores / np.sqrt(64)", "with_numpy = scores / math.sqrt(64)",
         "no NumPy scalar"),
        ("with_math = scores / math.sqrt(64)", "with_math = scores / np.sqrt(64)",
         "no Python number"),
        ("dtype=np.float32", "dtype=np.float64", "nothing left to promote"),
    ],
}  # fmt: skip


def mutations() -> Iterator[Any]:
    """Make one test case per mutation, named after its mistake."""
    for listing, changes in MUTATIONS.items():
        for old, new, why in changes:
            yield pytest.param(listing, old, new, id=f"{listing}: {why}")


# What is proved


def test_every_listing_is_checked_and_mutated() -> None:
    files = {path.stem for path in FOLDER.glob("*.py")}
    assert files == set(CHECKS) == set(MUTATIONS)
    assert all(len(changes) >= 2 for changes in MUTATIONS.values())


@pytest.mark.parametrize("listing", CHECKS)
def test_listing_gives_the_published_figures(listing: str, run_once: Any) -> None:
    CHECKS[listing](run_once(f"transformer/{listing}.py").names)


@pytest.mark.parametrize("listing", CHECKS)
def test_listing_prints_complains_of_nothing_and_draws(
    listing: str, run_once: Any
) -> None:
    run = run_once(f"transformer/{listing}.py")
    source = (FOLDER / f"{listing}.py").read_text(encoding="utf-8")
    assert run.printed.strip()
    assert run.complaints == ""
    assert run.figures == len(
        re.findall(r"^# %% figure: \S.*\.$", source, re.MULTILINE)
    )
    assert source.count("# %%") == run.figures
    assert set(re.findall(r'color="(.*?)"', source)) <= INKS
    shapes = re.findall(r"\S  # (.*)", source)
    assert all(re.fullmatch(r"\([\w, +/]+\)", shape) for shape in shapes)


@pytest.mark.parametrize("listing", sorted(set(CHECKS) - set(SHORTER)))
def test_second_run_prints_the_same(listing: str, run_once: Any) -> None:
    run = run_once(f"transformer/{listing}.py")
    assert run.printed == run_once(f"transformer/{listing}.py", again=True).printed


def test_scale_claims_hold(run_once: Any) -> None:
    rows = run_once("transformer/scale.py").names["rows"]
    assert [row.d_k for row in rows] == list(SCALE)
    assert abs(rows[-1].jacobian_raw / rows[-1].jacobian_scaled - 1 / 6) < 0.01
    assert max(r.jacobian_scaled for r in rows) - rows[0].jacobian_scaled < 0.01
    assert max(r.max_scaled for r in rows) - rows[0].max_scaled < 0.02


def test_mean_of_the_gradient_grows_while_its_median_collapses(run_once: Any) -> None:
    rows = run_once("transformer/scale_limits.py").names["rows"]
    assert [row.d_k for row in rows] == list(LIMITS)
    means = [row.gradient_mean for row in rows]
    assert means == sorted(means)
    assert rows[-1].gradient_median < rows[0].gradient_median / 20
    assert rows[-1].jacobian_median < rows[0].jacobian_median / 100


def test_cost_grows_and_fills_three_gibibytes(run_once: Any) -> None:
    names = run_once("transformer/cost.py").names
    assert [row.n for row in names["rows"]] == list(COST)
    assert names["gibibytes"] == 3
    # 64 times the cells: a busy machine may blur the times, but not that much.
    assert names["rows"][-1].seconds > 6 * names["rows"][0].seconds


@pytest.mark.parametrize("listing", SHORTER)
def test_shorter_program_passes_the_same_check(listing: str, run_mutated: Any) -> None:
    run = run_mutated(f"transformer/{listing}.py", [SHORTER[listing]])
    CHECKS[listing](run.names)


@pytest.mark.parametrize(("listing", "old", "new"), list(mutations()))
def test_mutation_is_found(listing: str, old: str, new: str, run_mutated: Any) -> None:
    shorter = [SHORTER[listing]] if listing in SHORTER else []
    run = run_mutated(f"transformer/{listing}.py", [*shorter, (old, new)])
    with pytest.raises(AssertionError), np.errstate(all="ignore"):
        CHECKS[listing](run.names)

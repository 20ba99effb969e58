"""Prints, as JSON, what the numbers of a build may depend on; it runs where the listings run."""

import json
import os
import platform
from pathlib import Path

import numpy as np  # noqa: F401  the kernel of its BLAS is chosen when it is loaded
import threadpoolctl
import torch

VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor())


def _blas() -> str | None:
    pools = [pool for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]
    return (
        " ".join(str(pools[0].get(key, "")) for key in ("internal_api", "version", "architecture")) if pools else None
    )


found = {
    "python": platform.python_version(),
    "platform": platform.platform(),
    "cpu": _cpu(),
    "blas": _blas(),
    "threads": {**{name: os.environ.get(name, "") for name in VARIABLES}, "torch": str(torch.get_num_threads())},
}
print(json.dumps(found))

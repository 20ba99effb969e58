"""What building and previewing cost, as ratios: `make bench`. A benchmark, not a test.

A synthetic bilingual site of 3 articles with 6 short listings each (a third use torch, a third draw) is built three
times; the medians are compared with (a) the same listings run once in one Python process that imports once, and with
(b) the same site rendered with execution switched off.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil
from support import CATALOGUE, CONFIGURATION, SECOND, Project
from test_plugin import Preview

ARTICLES, LISTINGS, ROUNDS = 3, 6, 3
NUMPY = """import numpy as np

rng = np.random.default_rng({n})
x = rng.standard_normal((200, 64))
value = float((x @ x.T).std())
print(value)
"""
TORCH = """import torch

generator = torch.Generator().manual_seed({n})
x = torch.randn(200, 64, generator=generator)
value = float(torch.softmax(x @ x.T, -1).max())
print(value)
"""
DRAW = """import numpy as np

value = float(np.sin({n}))
print(value)

# %% figure: A sine.
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5, 3))
ax.plot(np.linspace(0, 6), np.sin(np.linspace(0, 6)))
"""
SECTION = """
## Section {{#s{k}}}

```python exec="on" source="above" result="text"
--8<-- "a{article}/l{k}.py"
```

{prose}
It is `{{l{k}}} value:.3f`, a number `{{l{k}}} assert value < 1e6`.
"""
PROSE = "Some prose about attention, with maths $\\sqrt{d_k}$ and a value. " * 8


def site(folder: Path) -> Project:
    """Write the synthetic site."""
    project = Project(folder)
    project.write("mkdocs.yml", CONFIGURATION)
    project.write("mkdocs.en.yml", SECOND)
    project.write("snippets/it.po", CATALOGUE + '\nmsgid "A sine."\nmsgstr "Un seno."\n')
    project.both("# Home\n")
    for article in range(ARTICLES):
        page = f"# Article {article}\n"
        for k in range(LISTINGS):
            kind = (NUMPY, TORCH, DRAW)[k % 3]
            project.write(f"snippets/a{article}/l{k}.py", kind.format(n=article * LISTINGS + k))
            page += SECTION.format(k=k, article=article, prose=PROSE)
        for language in ("it", "en"):
            project.write(f"docs/{language}/article{article}.md", page)
    return project


class Peak(threading.Thread):
    """The largest memory that a process and its descendants hold together (proportional set size, bytes)."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.process, self.most = psutil.Process(pid), 0

    def run(self) -> None:
        """Look again and again until the process is gone."""
        while self.process.is_running() and self.process.status() != psutil.STATUS_ZOMBIE:
            total = 0
            for one in [self.process, *self.process.children(recursive=True)]:
                try:
                    total += one.memory_full_info().pss
                except (psutil.Error, AttributeError):
                    continue
            self.most = max(self.most, total)
            time.sleep(0.1)


def measured(command: list[str], folder: Path, *, memory: bool = False, **environment: str) -> tuple[float, float, int]:
    """Run a command; return wall seconds, CPU seconds of it and its descendants, and the peak memory if asked."""
    before, began = os.times(), time.perf_counter()
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, env={**os.environ, **environment})
        peak = Peak(process.pid)
        if memory:
            peak.start()
        code = process.wait()
    wall, after = time.perf_counter() - began, os.times()
    if code:
        sys.exit((folder / "log").read_text())
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return wall, cpu, peak.most


def builds(project: Project) -> None:
    """Compare a bilingual build with one plain process, and with the same site without execution."""
    listings = sorted(project.folder.glob("snippets/*/*.py"))
    once = "import runpy, matplotlib; matplotlib.use('svg')\nimport io, matplotlib.pyplot as plt\n"
    once += "".join(
        f"runpy.run_path({str(path)!r}, run_name='__main__')\n"
        "for n in plt.get_fignums(): plt.figure(n).savefig(io.BytesIO(), format='svg'); plt.close(n)\n"
        for path in listings
    )
    build = [sys.executable, "-m", "mkdocs", "build"]
    plain = {"OMP_NUM_THREADS": "1", "NO_MKDOCS_2_WARNING": "1"}
    results: dict[str, list[tuple[float, float, int]]] = {"build": [], "process": [], "static": []}
    off = Project(Path(tempfile.mkdtemp(dir=project.folder.parent)))
    site(off.folder)
    for page in off.folder.glob("docs/*/*.md"):
        page.write_text(page.read_text().replace('exec="on"', 'exec="off"').replace("{l", "{ l"))
    for _ in range(ROUNDS):
        results["build"].append(measured(build, project.folder, **plain))
        results["process"].append(measured([sys.executable, "-c", once], project.folder, **plain))
        results["static"].append(measured(build, off.folder, **plain))
    wall, cpu = ({name: statistics.median(one[k] for one in rows) for name, rows in results.items()} for k in (0, 1))
    count = len(listings)
    print(f"build of {count} listings in two languages ({2 * count} fresh processes): {wall['build']:.2f} s wall")
    print(f"  wall ÷ the {count} listings once in one process:  {wall['build'] / wall['process']:.2f}  (target ≤ 1.5)")
    print(f"  CPU  ÷ the {count} listings once in one process:  {cpu['build'] / cpu['process']:.2f}")
    print(f"  wall ÷ the same site without execution:      {wall['build'] / wall['static']:.2f}")
    print(f"  CPU  ÷ the same site without execution:      {cpu['build'] / cpu['static']:.2f}")
    *_, most = measured(build, project.folder, memory=True, **plain)
    print(f"  peak memory of all processes together: {most / 2**20:.0f} MiB")


def previews(project: Project) -> None:
    """Time from saving a file to the end of the rebuild."""
    preview = Preview(project)
    try:
        seen = preview.wait("Serving on")
        for what, name, runs in (("prose", "docs/it/article1.md", 0), ("listing", "snippets/a1/l0.py", 2)):
            spans, path = [], project.folder / name
            for number in range(ROUNDS):
                time.sleep(1)
                text = path.read_text()
                began = time.perf_counter()
                path.write_text(text + "\nMore prose.\n" if what == "prose" else f"x{number} = {number}\n{text}")
                done = preview.wait("Reloading browsers", seen)
                spans.append(time.perf_counter() - began)
                ran = sum("listing" in line for line in preview.log[seen:done])
                assert ran == runs, preview.log[seen:done]
                seen = done
            target = {"prose": 0.5, "listing": 1.5}[what]
            print(f"preview, {what} edit to finished rebuild: {statistics.median(spans):.2f} s (target ≤ {target} s)")
    finally:
        preview.process.terminate()
        preview.process.wait()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        trial = site(Path(folder) / "site")
        builds(trial)
        previews(trial)

"""Which packages a listing imports, and in which versions."""

import importlib.metadata

from livedoc.packages import imported


def test_a_listing_is_made_of_what_it_imports_in_its_order():
    source = (
        "import math\nimport torch.nn.functional as F\nfrom numpy import linalg\nimport torch, beside\nfrom . import x"
    )
    assert imported(source) == {name: importlib.metadata.version(name) for name in ("torch", "numpy")}
    assert list(imported(source)) == ["torch", "numpy"]


def test_a_module_is_not_always_called_like_its_package():
    assert list(imported("def f():\n    import bs4, yaml\n")) == ["beautifulsoup4", "PyYAML"]


def test_a_program_of_the_standard_library_has_no_packages():
    assert imported("import os, json\nprint(1)\n") == {}

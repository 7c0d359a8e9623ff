"""rnacos 0.8.8, a server of Nacos' interface, under our source and registration, as `registries` does it with the others."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "registries"))

import under_load
from parts import Nacos

from harness import our_programs, tool

NEEDS = [tool("rnacos", "interop/install rnacos, which takes minutes"), our_programs]
# Where it is not there it is left out, in CI too.
OPTIONAL = True


def run(suite):
    under_load.run(suite, Nacos(), read_anew_s=60)

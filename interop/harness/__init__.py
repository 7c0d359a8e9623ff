"""What every peer needs: named checks, the program under test, and a look at which tools are there.

A peer is a folder with a `peer.py`, which has a docstring, `NEEDS` (what must be installed) and `run(suite)`.
"""

from . import grpc_cases, java
from .certificates import Certificates
from .needs import GO_PROGRAMS, TONIC_PROGRAMS, go_tool, our_programs, ours, package, tonic_tool, tool
from .raw import Raw, responses
from .suite import Failed, Suite, eventually, expect, same

__all__ = [
    "Certificates",
    "Failed",
    "GO_PROGRAMS",
    "Raw",
    "Suite",
    "TONIC_PROGRAMS",
    "eventually",
    "expect",
    "go_tool",
    "grpc_cases",
    "java",
    "our_programs",
    "ours",
    "package",
    "responses",
    "same",
    "tonic_tool",
    "tool",
]

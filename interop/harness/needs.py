"""What a peer needs: each need answers None when it is met, else what is missing."""

import importlib.metadata
import os
import shutil
from pathlib import Path

from .suite import find_program

GO_PROGRAMS = Path(__file__).resolve().parent.parent / ".go/bin"
TONIC_PROGRAMS = Path(__file__).resolve().parent.parent / "tonic/target/debug"


def tool(name, hint="interop/install"):
    """A program on the search path."""
    return lambda: None if shutil.which(name) else f"{name} is not installed ({hint})"


def go_tool(name, hint="interop/install"):
    """A Go program that interop/install built; `GO_PROGRAMS / name` is its file."""
    return lambda: None if os.access(GO_PROGRAMS / name, os.X_OK) else f"{name} is not built ({hint})"


def tonic_tool(name, hint="interop/install"):
    """A program with tonic that interop/install built; `TONIC_PROGRAMS / name` is its file."""
    return lambda: None if os.access(TONIC_PROGRAMS / name, os.X_OK) else f"{name} is not built ({hint})"


def package(name, version):
    """A Python package, in exactly the version that the checks were written against."""

    def missing():
        try:
            found = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            return f"the Python package {name} {version} is not installed (interop/install)"
        return None if found == version else f"the Python package {name} is {found}, not {version} (interop/install)"

    return missing


def ours(suite, name):
    """A program of interop/rust. They are one file, beside the program under test, which runs what it is called by the name of: a link."""
    folder = Path(suite.program).parent / "interop-programs"
    folder.mkdir(exist_ok=True)
    if not (folder / name).exists():
        made = folder / f"{name}.{os.getpid()}"
        made.symlink_to("../polywire-interop")
        made.replace(folder / name)
    return folder / name


def our_programs():
    """See `ours`."""
    program = find_program()
    found = program and os.access(Path(program).parent / "polywire-interop", os.X_OK)
    return None if found else "polywire-interop is not built (cargo build --release -p polywire-interop)"

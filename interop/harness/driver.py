"""Finds the peers, runs those asked for, counts.

Output, one line per check: `pass PEER: CHECK`, `FAIL PEER: CHECK: reason`, `skip PEER: what is missing`; the last line is
`N passed, N failed, N skipped`. Exit code 0 if nothing failed, 1 if something did, 2 for wrong use.
"""

import importlib.util
import os
from pathlib import Path

from .suite import Suite, Tally, find_program

HERE = Path(__file__).resolve().parent.parent
USAGE = """usage: interop/run [--list] [NAME...]

Runs the peers called NAME, or all of them, against the program: target/release/polywire, or the one that the variable
POLYWIRE names. A peer whose tools are missing is skipped; with INTEROP_REQUIRE=1 that is a failure."""


def peers():
    """Name -> file of every peer; the name is the folder's."""
    found = HERE.rglob("peer.py")
    return {file.parent.name: file for file in sorted(found) if ".venv" not in file.parts}


def load(name, file):
    spec = importlib.util.spec_from_file_location(f"peer_{name.replace('-', '_')}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(arguments):
    known = peers()
    if arguments in (["-h"], ["--help"]):
        print(USAGE)
        return 0
    if arguments == ["--list"]:
        print("\n".join(known))
        return 0
    unknown = [name for name in arguments if name not in known]
    if unknown:
        print(f"interop/run: no peer called {', '.join(unknown)}; there are: {', '.join(known)}\n\n{USAGE}")
        return 2
    program = find_program()
    if program is None:
        print("interop/run: the program is not built: cargo build --release (or set POLYWIRE)")
        return 2
    tally = Tally()
    required = os.environ.get("INTEROP_REQUIRE") == "1"
    for name in arguments or known:
        run_peer(name, known[name], program, tally, required)
    print(f"{tally.passed} passed, {tally.failed} failed, {tally.skipped} skipped")
    return 1 if tally.failed else 0


def run_peer(name, file, program, tally, required):
    suite = Suite(name, program, tally)
    peer = load(name, file)
    missing = [reason for need in peer.NEEDS if (reason := need())]
    if missing and required:
        suite.record("its tools are installed", "; ".join(missing))
    elif missing:
        suite.skip("; ".join(missing))
    else:
        with suite.check_only_failure("runs to its end"):
            peer.run(suite)
        suite.clean_up()

"""Finds the peers, runs those asked for, counts.

Output, one line per check: `pass PEER: CHECK`, `FAIL PEER: CHECK: reason`, `skip PEER: what is missing`; behind those of a peer
`time PEER: N s`; the last line is `N passed, N failed, N skipped`. Exit code 0 if nothing failed, 1 if something did, 2 for wrong use.

How many checks each peer makes stands in `expected-checks`: a peer that silently made fewer has failed.
"""

import importlib.util
import os
import time
from pathlib import Path

from .suite import Suite, Tally, find_program

HERE = Path(__file__).resolve().parent.parent
EXPECTED = HERE / "expected-checks"
# Peers that need more than the programs of a protocol: what fleets are run on, what watches servers, browsers. All others are `wire`.
GROUPS = {
    "fleet": ["envoy", "kubernetes", "registries", "xds"],
    "nacos": ["nacos"],
    "watch": ["opentelemetry", "prometheus"],
    "browser": ["chromium", "console"],
}
USAGE = """usage: interop/run [--list] [--write-expected] [NAME...]

Runs the peers called NAME, or all of them, against the program: target/release/polywire, or the one that the variable
POLYWIRE names. A group (wire, fleet, nacos, watch, browser) stands for its peers. A peer whose tools are missing is skipped; with
INTEROP_REQUIRE=1 that is a failure.

--write-expected    notes in interop/expected-checks how many checks each of these peers made, in place of comparing"""


def peers():
    """Name -> file of every peer; the name is the folder's."""
    found = HERE.rglob("peer.py")
    return {file.parent.name: file for file in sorted(found) if ".venv" not in file.parts}


def groups(known):
    """Group -> its peers."""
    apart = [name for names in GROUPS.values() for name in names]
    return {"wire": [name for name in known if name not in apart], **GROUPS}


def load(name, file):
    spec = importlib.util.spec_from_file_location(f"peer_{name.replace('-', '_')}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def expected():
    """Peer -> how many checks it makes."""
    lines = (line.split() for line in EXPECTED.read_text().splitlines() if line and not line.startswith("#"))
    return {name: int(count) for name, count in lines}


def write_expected(made):
    head = [line for line in EXPECTED.read_text().splitlines() if line.startswith("#")]
    rows = [f"{name} {count}" for name, count in sorted({**expected(), **made}.items())]
    EXPECTED.write_text("\n".join([*head, *rows]) + "\n")


def main(arguments):
    known = peers()
    writing = "--write-expected" in arguments
    arguments = [argument for argument in arguments if argument != "--write-expected"]
    if arguments in (["-h"], ["--help"]):
        print(USAGE)
        return 0
    if arguments == ["--list"]:
        print("\n".join(known))
        return 0
    arguments = [name for word in arguments for name in groups(known).get(word, [word])]
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
    counts, made = expected(), {}
    for name in arguments or known:
        before, began = tally.passed + tally.failed, time.monotonic()
        if not run_peer(name, known[name], program, tally, required):
            continue
        made[name] = tally.passed + tally.failed - before
        print(f"time {name}: {time.monotonic() - began:.0f} s", flush=True)
        if not writing and made[name] != counts.get(name):
            wanted = counts.get(name, "no number")
            Suite(name, program, tally).record(
                "makes all its checks", f"expected-checks says {wanted}, it made {made[name]} (interop/run --write-expected)"
            )
    if writing:
        write_expected(made)
    print(f"{tally.passed} passed, {tally.failed} failed, {tally.skipped} skipped")
    return 1 if tally.failed else 0


def run_peer(name, file, program, tally, required):
    """Whether the peer was there to be run."""
    suite = Suite(name, program, tally)
    peer = load(name, file)
    missing = [reason for need in peer.NEEDS if (reason := need())]
    if missing and required and not getattr(peer, "OPTIONAL", False):
        suite.record("its tools are installed", "; ".join(missing))
    elif missing:
        suite.skip("; ".join(missing))
    else:
        with suite.check_only_failure("runs to its end"):
            peer.run(suite)
        suite.clean_up()
    return not missing

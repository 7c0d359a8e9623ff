"""Apache's cross-test, ThriftTest: its programs in C++ and Python as clients of our server, and as servers of our client."""

import os
import socket
import subprocess
import sys
from pathlib import Path

from harness import eventually, expect, our_programs, ours, package

HERE = Path(__file__).resolve().parent
BUILT = HERE.parent / ".thrift"
CLIENT_S = 60


def built():
    whole = all(os.access(BUILT / name, os.X_OK) for name in ("TestClient", "TestServer")) and (BUILT / "TestClient.py").is_file()
    return None if whole else "Apache's cross-test is not built (interop/install)"


NEEDS = [built, our_programs, package("thrift", "0.25.0")]

# As Apache's programs spell transports and protocols, and as a channel of ours does.
FORMS = [
    ("buffered", "binary", "thrift:unframed"),
    ("framed", "binary", "thrift"),
    ("buffered", "compact", "thrift:unframed+compact"),
    ("framed", "compact", "thrift:compact"),
    ("buffered", "multi", "thrift:unframed"),
    ("framed", "multic", "thrift:compact"),
]


def run(suite):
    server = suite.foreign_server("thrift-test", [str(ours(suite, "thrift-test")), "serve"])
    for transport, protocol, _ in FORMS:
        options = ["--host=127.0.0.1", f"--port={server.port}", f"--transport={transport}", f"--protocol={protocol}"]
        with suite.check(f"its client in C++, {transport}, {protocol}: all cases"):
            client([BUILT / "TestClient", *options])
        with suite.check(f"its client in Python, {transport}, {protocol}: all cases"):
            said = client([sys.executable, BUILT / "TestClient.py", f"--genpydir={BUILT / 'gen-py'}", *options])
            expect("\nOK" in said, said[-300:])
    with suite.check("our server survived all this and stops at SIGTERM"):
        expect(server.alive() and server.stop() == 0, "it ended by itself, or badly")
    for transport, protocol, channel in FORMS:
        with suite.over(f"{transport}, {protocol}"):
            theirs(suite, transport, protocol, channel)


def client(command):
    """Runs a client that ends with 0 when all cases hold; hands back what it said."""
    ran = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                         timeout=CLIENT_S)
    said = ran.stdout + ran.stderr
    failed = "; ".join(line for line in said.splitlines() if "FAIL" in line)
    expect(ran.returncode == 0 and not failed, f"it ended with {ran.returncode}: {failed} {said[-300:]}")
    return said


def theirs(suite, transport, protocol, channel):
    """Our client against its server in C++, which does not say when it listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = suite.background([str(BUILT / "TestServer"), f"--port={port}", f"--transport={transport}", f"--protocol={protocol}",
                               "--server-type=threaded"])
    with suite.check("its server in C++ listens"):
        expect(eventually(lambda: listens(port)), "it does not")
    multiplexed = ["multiplexed"] if protocol.startswith("multi") else []
    suite.relay([str(ours(suite, "thrift-test")), "check", channel, f"127.0.0.1:{port}", *multiplexed], CLIENT_S)
    server.kill()
    server.wait()


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0

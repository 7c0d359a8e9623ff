"""Apache's cross-test, ThriftTest: its programs in C++, Python and Java as clients of our server, and as servers of our client."""

import os
import socket
import subprocess
import sys
from pathlib import Path

from harness import eventually, expect, java, our_programs, ours, package, tool

HERE = Path(__file__).resolve().parent
BUILT = HERE.parent / ".thrift"
LIBRARIES = java.JAVA / "thrift/target/lib"
CLIENT_S = 60
START_S = 30  # a server in Java


def built():
    whole = all(os.access(BUILT / name, os.X_OK) for name in ("TestClient", "TestServer")) and (BUILT / "TestClient.py").is_file()
    whole = whole and (BUILT / "classes/org/polywire").is_dir() and LIBRARIES.is_dir()
    return None if whole else "Apache's cross-test is not built (interop/install)"


NEEDS = [built, tool("java"), our_programs, package("thrift", "0.25.0")]

# As Apache's programs spell transports and protocols, and as a channel of ours does.
FORMS = [
    ("buffered", "binary", "thrift:unframed"),
    ("framed", "binary", "thrift"),
    ("buffered", "compact", "thrift:unframed+compact"),
    ("framed", "compact", "thrift:compact"),
    ("buffered", "multi", "thrift:unframed"),
    ("framed", "multic", "thrift:compact"),
]
# Apache's servers in Java, each with a form that it can have.
JAVA_SERVERS = {"buffered": ["thread-pool"], "framed": ["threaded-selector", "thread-pool"]}
# Of the program that adds to the cross-test in Java, and of a channel of ours.
BEYOND = {
    "framed+old": "thrift:old",
    "unframed+old": "thrift:unframed+old",
    "framed+binary": "thrift",
    "unframed+binary": "thrift:unframed",
    "framed+compact": "thrift:compact",
    "unframed+compact": "thrift:unframed+compact",
}


def run(suite):
    server = suite.foreign_server("thrift-test", [str(ours(suite, "thrift-test")), "serve"])
    clients(suite, server)
    for form in BEYOND:
        suite.relay(in_java("org.polywire.interop.Beyond", "client", form, server.address), CLIENT_S)
    with suite.check("our server survived all this and stops at SIGTERM"):
        expect(server.alive() and server.stop() == 0, "it ended by itself, or badly")
    through_the_gateway(suite)
    for transport, protocol, channel in FORMS:
        with suite.over(f"{transport}, {protocol}"):
            options = [f"--transport={transport}", f"--protocol={protocol}"]
            multiplexed = ["multiplexed"] if protocol.startswith("multi") else []
            theirs(suite, "C++", [str(BUILT / "TestServer"), *options, "--server-type=threaded"], channel, multiplexed)
            for kind in JAVA_SERVERS[transport]:
                command = in_java("org.apache.thrift.test.TestServer", *options, f"--server-type={kind}")
                theirs(suite, f"Java, {kind}", command, channel, [*multiplexed, "uuid"])
    for form in ("framed+old", "unframed+old"):
        with suite.over(f"{form}, multiplexed"):
            server = suite.foreign_server("Beyond", in_java("org.polywire.interop.Beyond", "server", form))
            suite.relay([str(ours(suite, "thrift-test")), "check", BEYOND[form], server.address, "multiplexed", "uuid"], CLIENT_S)
            server.kill()


def clients(suite, server):
    for transport, protocol, _ in FORMS:
        options = ["--host=127.0.0.1", f"--port={server.port}", f"--transport={transport}", f"--protocol={protocol}"]
        with suite.check(f"its client in C++, {transport}, {protocol}: all cases"):
            client([BUILT / "TestClient", *options])
        with suite.check(f"its client in Python, {transport}, {protocol}: all cases"):
            said = client([sys.executable, BUILT / "TestClient.py", f"--genpydir={BUILT / 'gen-py'}", *options])
            expect("\nOK" in said, said[-300:])
        with suite.check(f"its client in Java, {transport}, {protocol}: all cases"):
            client(in_java("org.apache.thrift.test.TestClient", *options))


def through_the_gateway(suite):
    """Its clients in all forms to its server in Java in one: the gateway writes messages of the other protocol anew."""
    for transport, protocol, channel in (("framed", "multic", "thrift:compact"), ("buffered", "multi", "thrift:unframed")):
        kind = JAVA_SERVERS[transport][0]
        options = [f"--transport={transport}", f"--protocol={protocol}", f"--server-type={kind}"]
        port, server = listening(suite, "Java", in_java("org.apache.thrift.test.TestServer", *options))
        # A call without reply takes a second of its server, and the next one waits for that.
        text = (
            f'[listeners.main]\nlisten = "127.0.0.1:0"\nprotocols = ["thrift"]\n'
            f'[clusters.apache]\nprotocol = "{channel}"\nservers = "127.0.0.1:{port}"\ntimeout = "20s"\n'
            f'[[routes]]\nmatch = "*"\nto = "apache"\n'
        )
        with suite.over(f"the gateway to {transport}, {protocol}"), suite.gateway_by(text) as gateway:
            clients(suite, gateway)
        server.kill()
        server.wait()


def in_java(program, *arguments):
    return ["java", "-Xmx256m", "-cp", f"{BUILT / 'classes'}:{LIBRARIES}/*", program, *arguments]


def client(command):
    """Runs a client that ends with 0 when all cases hold; hands back what it said."""
    ran = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                         timeout=CLIENT_S)
    said = ran.stdout + ran.stderr
    failed = "; ".join(line for line in said.splitlines() if "FAIL" in line)
    expect(ran.returncode == 0 and not failed, f"it ended with {ran.returncode}: {failed} {said[-300:]}")
    return said


def listening(suite, language, command):
    """One of its servers, which do not say when they listen."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = suite.background([*command, f"--port={port}"])
    with suite.check(f"its server in {language} listens"):
        expect(eventually(lambda: listens(port), START_S), "it does not")
    return port, server


def theirs(suite, language, command, channel, options):
    """Our client against one of its servers."""
    port, server = listening(suite, language, command)
    suite.relay([str(ours(suite, "thrift-test")), "check", channel, f"127.0.0.1:{port}", *options], CLIENT_S)
    server.kill()
    server.wait()


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0

"""The Java peers: one Maven build for all of them, then plain `java`."""

import subprocess
from pathlib import Path

from .suite import expect, same

JAVA = Path(__file__).resolve().parent.parent / "java"
# Knows a method that the demo services do not have: one that fails.
PROTO = JAVA / "brpc-java/src/main/proto/echo.proto"
# brpc-java makes classes at run time, in a way that newer Java asks permission for.
OPENS = ["--add-opens", "java.base/java.lang=ALL-UNNAMED"]
CLIENT_S = 300


def built():
    """A need: `interop/install` or this build itself must have fetched the libraries."""
    maven = ["mvn", "--quiet", "--batch-mode", "--file", str(JAVA / "pom.xml"), "package"]
    for options in (["--offline"], []):
        try:
            if subprocess.run([*maven, *options], stdin=subprocess.DEVNULL, capture_output=True, timeout=600).returncode == 0:
                return None
        except (OSError, subprocess.TimeoutExpired):
            break
    return "the Java peers could not be built (mvn -f interop/java/pom.xml package)"


def command(module, program, *arguments):
    path = f"{JAVA / module}/target/classes:{JAVA / module}/target/lib/*"
    return ["java", *OPENS, "-Xmx1g", "-cp", path, f"org.polywire.interop.{program}", *arguments]


def run(suite, module):
    """The library as client of our server, then as server of our programs, over baidu_std."""
    as_client(suite, module)
    server = suite.foreign_server(module, command(module, "Server"))
    as_server(suite, server, "baidu_std")
    server.stop()


def as_client(suite, module, *arguments):
    """Its client, which checks by itself, against our server."""
    with suite.serve() as server:
        suite.relay(command(module, "Client", server.address, *arguments), CLIENT_S)


def as_server(suite, server, protocol, failures=True, attachments=True):
    """Our programs against its server."""
    echo = "example.EchoService/Echo"
    with suite.check("polywire call reaches its server"):
        answer = suite.call(server.address, protocol, echo, {"message": "from polywire"})
        expect("from polywire" in answer, f"it answered {answer!r}")
    if failures:
        with suite.check("polywire call reports an error of its handler"):
            ran = suite.polywire("call", "--server", server.address, "--protocol", protocol, "example.EchoService/Fail",
                                 "--proto", PROTO, "-d", '{"message":"x"}')
            expect(ran.returncode == 1, f"polywire call ended with {ran.returncode}")
            expect("failed as asked" in ran.stdout + ran.stderr, f"it said: {ran.stdout} {ran.stderr}")
    with suite.check("polywire press runs against its server without an error"):
        result = suite.press(server.address, protocol, echo, {"message": "x" * 100}, "--concurrency", 20)
        same(0, result["errors"], "errors")
        expect(result["calls"] > 1000, f"only {result['calls']} calls in two seconds")
    if attachments:
        with suite.check("polywire press carries attachments there and back"):
            result = suite.press(server.address, protocol, echo, {"message": "x"}, "--concurrency", 5, "--attachment-size", 65536)
            same(0, result["errors"], "errors")

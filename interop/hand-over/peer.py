"""Restarts by hand-over under foreign clients: curl, grpcio, redis-py and pyzmq, each as it is by itself."""

import contextlib
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from harness import expect, package, same, tool

try:
    import grpc
    import redis
    import zmq
except ImportError:  # then NEEDS says so
    grpc = redis = zmq = None

NEEDS = [package("grpcio", "1.85.1"), package("redis", "8.1.0"), package("pyzmq", "27.3.0"), tool("curl")]

RESTARTS = 5
# How long each server has before the next one takes over.
SERVES_S = 0.7
ECHO = b'{"message":"x"}'
UNAVAILABLE = b"14"


def run(suite):
    loads = {
        "curl, a connection for two calls": by_curl,
        "grpcio, one channel, 4 threads": by_grpc,
        "redis-py, its defaults, 4 threads": by_redis,
        "redis-py, without retries, 4 threads": lambda *a: by_redis(*a, retry=False),
        "redis-py, pipelines of 100": by_pipelines,
        "pyzmq, REQ, asks again after 2 s": by_zmq,
    }
    for name, load in loads.items():
        may_lose = name.startswith(MAY_LOSE)
        what = "every server ends in time" if may_lose else "no call is lost"
        with suite.check(f"{name}: {what} in {RESTARTS} restarts"):
            calls, lost, longest = restarted(suite, load)
            print(f"     {name} | {calls} | {len(lost)} | {longest * 1000:.0f} ms", flush=True)
            if not may_lose:
                same([], lost[:3], f"lost of {calls} calls")
            expect(calls > 50, f"only {calls} calls")
            expect(longest < 3, f"a server took {longest:.1f} s to end; its drain limit is 10 s")


# Redis has no word for the end of a connection: a command that was on its way when it closed has no reply.
MAY_LOSE = ("redis-py, without retries", "redis-py, pipelines")


def restarted(suite, load):
    """The calls, what was lost of them, and the longest time from the start of the next server to the end of the one before."""
    stop, results = threading.Event(), []
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "handover")
        server = suite.start("127.0.0.1:0", "--hand-over", path)
        longest = 0.0
        try:
            threads = load(server, stop, results)
            for _ in range(RESTARTS):
                time.sleep(SERVES_S)
                following = suite.start("127.0.0.1:0", "--hand-over", path)
                began = time.monotonic()
                same(server.address, following.address, "address")
                same(0, server.process.wait(15), "exit code")
                longest = max(longest, time.monotonic() - began)
                server = following
            time.sleep(SERVES_S)
            stop.set()
            for thread in threads:
                thread.join(30)
        finally:
            stop.set()
            with contextlib.suppress(Exception):
                server.stop()
    return len(results), [why for why in results if why is not None], longest


def repeat(many, call, stop, results):
    """Threads that call without pause; None or what went wrong goes to the results."""

    def body():
        one = call()
        while not stop.is_set():
            try:
                one()
                results.append(None)
            except Exception as error:  # whatever a client raises is a lost call
                results.append(f"{type(error).__name__}: {error}")

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
        expect(ran.stdout == "200 200 ", f"{ran.stdout} {ran.stderr}")

    return repeat(2, lambda: call, stop, results)


def by_grpc(server, stop, results):
    channel = grpc.insecure_channel(server.address)
    echo = channel.unary_unary("/example.EchoService/Echo")
    return repeat(4, lambda: lambda: echo(b"\x0a\x01x", timeout=20), stop, results)


def by_redis(server, stop, results, retry=True):
    options = {} if retry else {"retry": None}
    client = redis.Redis(server.host, server.port, socket_timeout=20, **options)
    client.set("key", "value")
    return repeat(4, lambda: lambda: client.ping(), stop, results)


def by_pipelines(server, stop, results):
    def client():
        one = redis.Redis(server.host, server.port, socket_timeout=20)

        def call():
            pipeline = one.pipeline(transaction=False)
            for _ in range(100):
                pipeline.ping()
            same(100, len(pipeline.execute()))

        return call

    return repeat(4, client, stop, results)


def by_zmq(server, stop, results):
    def client():
        context = zmq.Context.instance()
        req = context.socket(zmq.REQ)
        # What libzmq has for peers that go away: the request is sent again by who asks.
        req.setsockopt(zmq.REQ_RELAXED, 1)
        req.setsockopt(zmq.REQ_CORRELATE, 1)
        req.rcvtimeo, req.linger = 2_000, 0
        req.connect(f"tcp://{server.address}")

        def call():
            for _ in range(5):
                req.send_multipart([b"example.EchoService/Echo", b"\x0a\x01x"])
                with contextlib.suppress(zmq.Again):
                    answer = req.recv_multipart()
                    # A request that was on its way to a server that stops is refused unread: it is sent again, too.
                    if answer[0] != UNAVAILABLE:
                        same([b"0", b"\x0a\x01x"], answer)
                        return
                    time.sleep(0.05)
            raise TimeoutError("no answer to five requests")

        return call

    return repeat(2, client, stop, results)

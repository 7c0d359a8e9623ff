"""rest_rpc, both formats, from its description: a client against our server, our client against a server."""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from harness import expect, package, same  # noqa: E402
from wire import A, B, Connection, function_id, struct_pack  # noqa: E402

NEEDS = [package("msgpack", "1.2.4")]


def run(suite):
    with suite.serve() as server:
        address = (server.host, server.port)
        for format in (A(), B(), B(cross=True), B(debug=True)):
            calls(suite, format, address)
            topics(suite, format, address)
        ids(suite, address)
        quirks(suite, address)
        across(suite, address)
    for format in ("a", "b", "cross"):
        ours(suite, format)
        through_the_gateway(suite, format)


def calls(suite, format, address):
    with suite.check(f"{format.name}: calls and their results"), Connection(format, address) as peer:
        same((0, 3), peer.call("add", 1, 2))
        same((0, -5), peer.call("add", -7, 2))
        for text in ("test", "ü" * 20, "x" * 300, "y" * 200_000):
            same((0, text), peer.call("echo", text))
    with suite.check(f"{format.name}: failures, and the connection goes on"), Connection(format, address) as peer:
        same((0, 3), peer.call("add", 1, 2))
        same((1, f"unknown function: {function_id('nobody')}"), peer.call("nobody", 1, 2))
        code, text = peer.call("add", "one", "two")
        expect(code and "unpack failed: " in text, f"{code}: {text}")
        same((0, 3), peer.call("add", 1, 2))
    with suite.check(f"{format.name}: byte by byte"), Connection(format, address) as peer:
        for byte in format.call("add", 20, 22):
            peer.send(bytes([byte]))
        same((0, 42), format.result(peer.receive()[3]))


def topics(suite, format, address):
    with suite.check(f"{format.name}: what one publishes another is delivered"):
        with Connection(format, address) as subscriber, Connection(format, address) as publisher:
            same((0, 3), subscriber.call("add", 1, 2))  # tells the order of bytes, where that is to be guessed
            subscriber.send(format.subscribe("news"))
            same((0, 3), subscriber.call("add", 1, 2))  # it is known now
            publisher.call("publish", "news", "", "hello")
            publisher.call("publish", "other", "", "not this")
            publisher.call("publish", "news", "", "again")
            for text in ("hello", "again"):
                _, function, topic, body = subscriber.receive()
                expect(topic, "a delivery is of a topic")
                name, data = format.delivered(body)
                same(text, data)
                expect(name == "news" or function == function_id("news"), f"{name}, {function}")


def ids(suite, address):
    format = A()
    with suite.check("A: ids come back, those of callbacks too, and heartbeats say nothing"):
        with Connection(format, address) as peer:
            wanted = {n + 1: n for n in range(100)} | {1 << 63 | n + 1: -n for n in range(100)}
            peer.send(format.heartbeat)
            for id, n in wanted.items():
                peer.send(format.call("add", n, n, id=id) + format.heartbeat)
            found = {}
            while len(found) < len(wanted):
                id, _, _, body = peer.receive()
                found[id] = format.result(body)
            same({id: (0, 2 * n) for id, n in wanted.items()}, found)


def quirks(suite, address):
    format = B()
    with suite.check("B: replies in the order of the requests"), Connection(format, address) as peer:
        peer.send(b"".join(format.call("add", n, n) for n in range(100)))
        same([(0, 2 * n) for n in range(100)], [format.result(peer.receive()[3]) for _ in range(100)])
    with suite.check("B: an attachment, a body without an end and another magic close"):
        for bad in (
            format.call("echo", "x")[:31] + b"\1x",
            format.call("echo", "x")[:16] + b"\xff" * 8 + bytes(8),
            b"(" + format.call("echo", "x")[1:],
        ):
            with Connection(format, address) as peer:
                same((0, 3), peer.call("add", 1, 2))
                peer.send(bad)
                same(b"", peer.socket.recv(1))


def across(suite, address):
    with suite.check("what is published in one format is delivered in the other"):
        with Connection(A(), address) as a, Connection(B(), address) as b:
            for peer in (a, b):
                peer.send(peer.format.subscribe("both"))
                same((0, 3), peer.call("add", 1, 2))
            a.call("publish", "both", "", "from A")
            same(("both", "from A"), a.format.delivered(a.receive()[3]))
            same((None, "from A"), b.format.delivered(b.receive()[3]))


def through_the_gateway(suite, format):
    """The client and the server that were written from the description, with our gateway between them."""
    server = theirs(suite, format)
    client = {"a": A, "b": B, "cross": lambda: B(cross=True)}[format]()
    text = (
        f'[listeners.main]\nlisten = "127.0.0.1:0"\nprotocols = ["rest_rpc"]\n'
        f'[clusters.a]\nprotocol = "rest_rpc:{format}"\nservers = "{server.address}"\n'
        f'methods = {{ rest_rpc = ["add", "nobody"] }}\n[[routes]]\nmatch = "*"\nto = "a"\n'
    )
    with suite.over(f"the gateway, {client.name}"):
        with suite.gateway_by(text) as gateway, suite.check("listed functions are called, others are unknown"):
            with Connection(client, (gateway.host, gateway.port)) as peer:
                for n in range(50):
                    same((0, n + 2), peer.call("add", n, 2))
                for name in ("echo", "nobody"):
                    same((1, f"unknown function: {function_id(name)}"), peer.call(name, "test"))
                same((0, 3), peer.call("add", 1, 2))
                peer.send(client.subscribe("news"))
                same(b"", peer.socket.recv(1), "what a subscriber gets")
        with suite.gateway(f"rest_rpc:{format}://{server.address}") as gateway, suite.check("all functions by their numbers"):
            with Connection(client, (gateway.host, gateway.port)) as peer:
                for text in ("test", "x" * 300, "y" * 200_000):
                    same((0, text), peer.call("echo", text))
                same((0, 42), peer.call("add", 40, 2))
                same((1, f"unknown function: {function_id('nobody')}"), peer.call("nobody", "test"))
        with suite.gateway(f"rest_rpc:{format}://{server.address}") as gateway:
            with suite.check("twenty callers on one connection get their own replies"):
                told = suite.press(gateway.address, f"rest_rpc:{format}", "add", [20, 22], "--count", 2000, "--concurrency", 20)
                same((2000, 0), (told["calls"], told["errors"]))
    server.stop()


def theirs(suite, format):
    return suite.foreign_server(f"server.py {format}", [sys.executable, str(HERE / "server.py"), format])


def ours(suite, format):
    server = theirs(suite, format)
    protocol = f"rest_rpc:{format}"
    with suite.check(f"our client, {protocol}: calls, a failure"):
        same("42\n", suite.call(server.address, protocol, "add", [40, 2]))
        same(json.dumps("hi") + "\n", suite.call(server.address, protocol, "echo", ["hi"]))
        ran = suite.polywire("call", "-s", server.address, "-p", protocol, "nobody", "-d", "[1, 2]")
        same(1, ran.returncode, "exit code")
        expect(f"unknown function: {function_id('nobody')}" in ran.stderr, ran.stderr)
    with suite.check(f"our client, {protocol}: twenty callers on one connection get their own replies"):
        told = suite.press(server.address, protocol, "add", [20, 22], "--count", 2000, "--concurrency", 20)
        same((2000, 0), (told["calls"], told["errors"]))
    server.stop()

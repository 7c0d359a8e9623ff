"""WebSocket: Python's `websockets` and Node's `ws` as clients and as servers, raw frames for what they refuse to send, and
`h2` with `wsproto` for WebSocket over HTTP/2 (RFC 8441)."""

import base64
import contextlib
import os
import socket
import struct
import sys
from pathlib import Path

from harness import eventually, expect, our_programs, ours, package, same, tool

HERE = Path(__file__).resolve().parent
# Of a process that is given a minute's worth of messages to keep.
MOST_KIB = 64 << 10


def packages():
    return None if (HERE / "node_modules/ws").is_dir() else "ws is not installed (interop/install)"


NEEDS = [
    tool("node"),
    packages,
    our_programs,
    package("websockets", "17.4"),
    package("wsproto", "1.3.2"),
    package("h2", "4.4.1"),
]


def run(suite):
    program = ours(suite, "websocket-peer")
    server = suite.foreign_server("websocket-peer serve", [program, "serve"])
    suite.relay([sys.executable, str(HERE / "clients.py"), server.address], timeout_s=90)
    suite.relay(["node", str(HERE / "client.js"), server.address], timeout_s=60)
    frames(suite, server)
    unread(suite, server)
    with suite.check("our server stops at SIGTERM"):
        same(0, server.stop(), "exit code")
    for name, command in {"websockets": [sys.executable, str(HERE / "server.py")], "ws": ["node", str(HERE / "server.js")]}.items():
        echo = suite.foreign_server(name, command)
        with suite.over(name):
            suite.relay([program, "check", "http", echo.address], timeout_s=120)
        echo.kill()


# Frames by hand

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def frame(kind, payload=b"", fin=True, reserved=0, masked=True):
    payload = payload.encode() if isinstance(payload, str) else payload
    head = bytes([fin << 7 | reserved << 4 | kind])
    if len(payload) < 126:
        head += bytes([masked << 7 | len(payload)])
    elif len(payload) < 65536:
        head += bytes([masked << 7 | 126]) + struct.pack(">H", len(payload))
    else:
        head += bytes([masked << 7 | 127]) + struct.pack(">Q", len(payload))
    if not masked:
        return head + payload
    mask = os.urandom(4)
    return head + mask + bytes(byte ^ mask[k % 4] for k, byte in enumerate(payload))


class Raw:
    """A connection whose handshake was made by hand."""

    def __init__(self, server, path="/echo", *fields):
        self.socket = socket.create_connection((server.host, server.port), timeout=10)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {server.address}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            *fields,
        ]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self._some(1)
        self.status = int(head.split()[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def _some(self, n):
        data = b""
        while len(data) < n:
            piece = self.socket.recv(n - len(data))
            expect(piece, "the connection ended")
            data += piece
        return data

    def send(self, *frames):
        with contextlib.suppress(OSError):
            self.socket.sendall(b"".join(frames))

    def read(self):
        """The next frame: its kind and its payload."""
        first, second = self._some(2)
        expect(second < 128, "the server masks")
        length = second
        if second == 126:
            (length,) = struct.unpack(">H", self._some(2))
        elif second == 127:
            (length,) = struct.unpack(">Q", self._some(8))
        return first & 15, self._some(length)

    def closes(self, code):
        """That a Close frame with this code comes, then the end."""
        kind, payload = self.read()
        same((CLOSE, code), (kind, struct.unpack(">H", payload[:2])[0]), "Close frame")
        with contextlib.suppress(ConnectionResetError):
            same(b"", self.socket.recv(1), "what follows")


KOSME = "κόσμε".encode()
# What Autobahn's suite sends, by its numbers of cases; and the code that has to close the connection.
WRONG = {
    "2.5: a Ping of 126 bytes": (1002, [frame(PING, b"x" * 126)]),
    "3.1: a reserved bit": (1002, [frame(TEXT, "x", reserved=4)]),
    "3.3: a reserved bit after a message": (1002, [frame(TEXT, "x"), frame(TEXT, "x", reserved=2), frame(PING)]),
    "3.7: all reserved bits in a Close": (1002, [frame(CLOSE, b"\x03\xe8", reserved=7)]),
    "4.1.1: kind 3": (1002, [frame(3)]),
    "4.1.5: kind 7 between fragments": (1002, [frame(TEXT, "x", fin=False), frame(7), frame(CONTINUATION, "y")]),
    "4.2.1: kind 11": (1002, [frame(11)]),
    "5.1: a fragmented Ping": (1002, [frame(PING, b"a", fin=False), frame(CONTINUATION, b"b")]),
    "5.9: a continuation of nothing": (1002, [frame(CONTINUATION, b"a"), frame(TEXT, "x")]),
    "5.18: a text inside a text": (1002, [frame(TEXT, "a", fin=False), frame(TEXT, "b")]),
    "6.3.1: text that is not UTF-8": (1007, [frame(TEXT, KOSME + b"\xed\xa0\x80edited")]),
    "6.4.1: the same, noticed in a fragment": (1007, [frame(TEXT, KOSME, fin=False), frame(CONTINUATION, b"\xf4\x90\x80\x80", fin=False)]),
    "6.6.1: text that ends inside a character": (1007, [frame(TEXT, b"\xce")]),
    "6.14: a character above U+10FFFF": (1007, [frame(TEXT, b"\xf4\x90\x80\x80")]),
    "7.3.2: a Close of one byte": (1002, [frame(CLOSE, b"a")]),
    "7.3.6: a reason that is too long": (1002, [frame(CLOSE, b"\x03\xe8" + b"x" * 124)]),
    "7.5.1: a reason that is not UTF-8": (1007, [frame(CLOSE, b"\x03\xe8" + KOSME + b"\xed\xa0\x80")]),
    "no mask": (1002, [frame(TEXT, "x", masked=False)]),
}
CODES_SENT = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999]
CODES_NEVER_SENT = [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999, 5000, 65535]


def frames(suite, server):
    with suite.check("1.1: payloads of all lengths of lengths come back"):
        for size in (0, 125, 126, 127, 128, 65535, 65536):
            with Raw(server) as raw:
                raw.send(frame(BINARY, b"\xfe" * size))
                same((BINARY, b"\xfe" * size), raw.read())
    with suite.check("1.1.8: a frame that comes in pieces"):
        with Raw(server) as raw:
            for byte in frame(TEXT, "κ" * 300):
                raw.send(bytes([byte]))
            same((TEXT, ("κ" * 300).encode()), raw.read())
    with suite.check("2.10: ten Pings have their Pongs, or the last of them"):
        with Raw(server) as raw:
            raw.send(*(frame(PING, f"{n}") for n in range(10)))
            while raw.read() != (PONG, b"9"):
                pass
    with suite.check("2.7: a Pong that was not asked for is nothing"):
        with Raw(server) as raw:
            raw.send(frame(PONG, "x"), frame(TEXT, "y"))
            same((TEXT, b"y"), raw.read())
    with suite.check("5.6: a Ping between fragments"):
        with Raw(server) as raw:
            raw.send(frame(TEXT, "a", fin=False), frame(PING, "p"), frame(CONTINUATION, "b"))
            same([(PONG, b"p"), (TEXT, b"ab")], [raw.read(), raw.read()])
    for name, (code, sent) in WRONG.items():
        with suite.check(name), Raw(server) as raw:
            raw.send(*sent)
            while True:
                kind, payload = raw.read()
                if kind == CLOSE:
                    break
            same(code, struct.unpack(">H", payload[:2])[0], "code")
            with contextlib.suppress(ConnectionResetError):
                same(b"", raw.socket.recv(1), "what follows")
    with suite.check("7.7: codes that may be sent come back"):
        for code in CODES_SENT:
            with Raw(server) as raw:
                raw.send(frame(CLOSE, struct.pack(">H", code)))
                raw.closes(code)
    with suite.check("7.9: codes that are never sent are an error"):
        for code in CODES_NEVER_SENT:
            with Raw(server) as raw:
                raw.send(frame(CLOSE, struct.pack(">H", code)))
                raw.closes(1002)
    with suite.check("7.3.1: a Close without a code"):
        with Raw(server) as raw:
            raw.send(frame(CLOSE))
            same((CLOSE, b""), raw.read())
    with suite.check("9: a message beyond the limit is refused by its header"):
        with Raw(server, "/short") as raw:
            raw.send(frame(BINARY, b"x" * 1000), b"\x82\xff" + struct.pack(">Q", 1 << 40) + b"mask")
            same((BINARY, b"x" * 1000), raw.read())
            raw.closes(1009)
    with suite.check("a silent peer is asked, then given up"):
        with Raw(server, "/silence") as raw:
            same((PING, b""), raw.read())
            raw.closes(1001)
    with suite.check("a handler that fails"):
        with Raw(server, "/fail") as raw:
            same((CLOSE, b"\x03\xf3it went wrong"), raw.read())
    with suite.check("a page of another origin is refused, its own is not"):
        for origin, status in {"https://evil.example": 403, f"http://{server.address}": 101, "null": 403}.items():
            with Raw(server, "/echo", f"Origin: {origin}") as raw:
                same(status, raw.status, origin)


def unread(suite, server):
    """A peer that does not read, and one that floods with Pings and does not read: neither makes the server grow."""
    with suite.check("a peer that does not read stops the handler"), Raw(server, "/push") as raw:
        grows(server, raw, lambda: None)
    with suite.check("Pings of a peer that does not read do not pile up"), Raw(server) as raw:
        raw.socket.settimeout(0.2)
        flood = frame(PING, b"p" * 125) * 1000

        def send():
            with contextlib.suppress(TimeoutError, OSError):
                raw.socket.sendall(flood)

        grows(server, raw, send)


def grows(server, raw, meanwhile):
    before = server.resident_kib()

    def settled():
        meanwhile()
        return False

    eventually(settled, 3)
    grown = server.resident_kib() - before
    expect(grown < MOST_KIB, f"it has grown by {grown} KiB")


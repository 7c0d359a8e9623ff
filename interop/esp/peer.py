"""A server of esp, written from docs/wire/esp.md, under the program's client."""

import contextlib
import socket
import struct
import threading
import time

from harness import eventually, expect, same

NEEDS = []
PROLOGUE = bytes.fromhex("00 45 53 50 01 02 00 00")
HEAD = struct.Struct("<QQIQI")  # from, to, msg, msg_id, body_len
# What the server does, by the `msg` of a request; everything else is answered with the body in capitals.
REFUSES, DRIPS, SAYS_MORE, LIES, HANGS_UP, IS_SILENT, IS_LONG = range(101, 108)


def run(suite):
    with Server() as server:
        frames(suite, server)
        failures(suite, server)
        load(suite, server)
        with suite.check("each connection that said anything began with the prologue, once"):
            said = [shown for shown in server.prologues if shown]  # the load may end while one is made
            expect(said and all(shown == PROLOGUE for shown in said), f"{set(said)}")


class Server:
    """Answers one frame at a time on each connection, and keeps the requests that came."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.prologues, self.requests, self.open = [], [], set()
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        for connection in list(self.open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        self.open.add(connection)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with contextlib.suppress(OSError), connection, connection.makefile("rb") as reader:
            self.prologues.append(reader.read(len(PROLOGUE)))
            while len(head := reader.read(HEAD.size)) == HEAD.size:
                sender, to, msg, msg_id, length = HEAD.unpack(head)
                body = reader.read(length)
                self.requests.append((sender, to, msg, msg_id, body))
                if msg == HANGS_UP:
                    connection.shutdown(socket.SHUT_RDWR)
                elif msg != IS_SILENT:
                    self._answer(connection, to, sender, msg, msg_id, body)
        self.open.discard(connection)

    @staticmethod
    def _answer(connection, sender, to, msg, msg_id, body):
        reply = body.upper() if msg != IS_LONG else b"x" * (8 << 20)
        frame = HEAD.pack(sender, to, 5 if msg == REFUSES else 0, msg_id, len(reply)) + reply
        if msg == LIES:
            frame = frame[: HEAD.size - 4] + b"\xff\xff\xff\xff" + reply
        if msg == SAYS_MORE:
            frame += frame
        if msg == DRIPS:
            for at in range(len(frame)):
                connection.sendall(frame[at : at + 1])
        else:
            connection.sendall(frame)


def call(suite, server, head, body=b"", *options):
    """`polywire call`; hands back what ended it."""
    return suite.polywire("call", "--server", server.address, "-p", "esp", str(head), "-d", body.decode(), *options)


def answered(suite, server, head, body=b""):
    ran = call(suite, server, head, body)
    expect(ran.returncode == 0, f"polywire call ended with {ran.returncode}: {ran.stderr.strip()}")
    return ran.stdout.rstrip("\n")


def frames(suite, server):
    with suite.check("a frame comes as it was sent, and its reply back"):
        same("HELLO", answered(suite, server, "9 10 0x0100007f22110001 0x7", b"hello"))
        same((7, 0x0100007F22110001, 9, 10, b"hello"), server.requests[-1])
    with suite.check("a reply without a body"):
        same("", answered(suite, server, 1, b""))
    with suite.check("a reply that comes byte by byte"):
        same("DRIPPING", answered(suite, server, DRIPS, b"dripping"))
    with suite.check("a reply of 8 MiB"):
        same(8 << 20, len(answered(suite, server, IS_LONG)))


def failures(suite, server):
    def fails(head, *options):
        before, begun = len(server.requests), time.monotonic()
        ran = call(suite, server, head, b"x", *options)
        expect(ran.returncode not in (0, 101), f"polywire call ended with {ran.returncode}: {ran.stdout}")
        return ran.stderr, len(server.requests) - before, time.monotonic() - begun

    with suite.check("a reply that is no success fails the call, which is made once"):
        said, times, _ = fails(REFUSES)
        expect("the reply says 5" in said, said)
        same(1, times, "requests")
    with suite.check("a length below zero ends the call"):
        _, _, took = fails(LIES)
        expect(took < 10, f"after {took} s")
    with suite.check("a server that hangs up ends the call"):
        _, _, took = fails(HANGS_UP)
        expect(took < 10, f"after {took} s")
    with suite.check("a server that is silent ends the call at its time limit"):
        _, _, took = fails(IS_SILENT, "--timeout-ms", 500)
        expect(0.4 < took < 10, f"after {took} s")
    with suite.check("a second reply is for nobody, and closes the connection"):
        same("X", answered(suite, server, SAYS_MORE, b"x"))
        expect(eventually(lambda: not server.open), f"{len(server.open)} are open")


def load(suite, server):
    with suite.check("polywire press: 8 callers without an error, over connections that are kept"):
        before = len(server.prologues)
        ran = suite.press(server.address, "esp", "9", None, "--concurrency", 8)
        same(0, ran["errors"], "errors")
        expect(ran["calls"] > 200, f"only {ran['calls']} calls in two seconds")
        expect(len(server.prologues) - before <= 16, f"{len(server.prologues) - before} connections")
    with suite.check("polywire press: a server that says two replies to each request harms no other call"):
        ran = suite.press(server.address, "esp", SAYS_MORE, None, "--concurrency", 4)
        expect(ran["calls"] > 50, f"only {ran['calls']} calls in two seconds")

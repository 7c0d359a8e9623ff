"""Python's `websockets`, and `h2` with `wsproto`, as clients of ours: `clients.py ADDRESS`. Prints `pass NAME` or `FAIL NAME: REASON`."""

import socket
import os
import sys

import h2.connection
import h2.events
import h2.settings
from websockets.exceptions import ConnectionClosedError, ConnectionClosedOK, InvalidStatus
from websockets.sync.client import connect
from wsproto.connection import Connection, ConnectionType
from wsproto.events import BytesMessage, CloseConnection, Ping, Pong, TextMessage

ADDRESS = sys.argv[1]
checks = {}


def check(name):
    def keep(function):
        checks[name] = function
        return function

    return keep


def same(expected, found):
    if expected != found:
        raise AssertionError(f"expected {str(expected)[:200]}, found {str(found)[:200]}")


def opened(path="/echo", **options):
    return connect(f"ws://{ADDRESS}{path}", compression=None, max_size=None, **options)


@check("websockets: text and bytes of many lengths there and back")
def lengths():
    with opened() as ws:
        for size in (0, 1, 125, 126, 127, 65535, 65536, 1 << 20, 10 << 20):
            ws.send(b"\xfe" * size)
            same(b"\xfe" * size, ws.recv(timeout=20))
            ws.send("κ" * (size // 2))
            same("κ" * (size // 2), ws.recv(timeout=20))


@check("websockets: fragments of text and of bytes")
def fragments():
    with opened() as ws:
        ws.send(["one ", "two ", "", "three"])
        same("one two three", ws.recv(timeout=10))
        ws.send([b"\x00" * 70000, b"\xff" * 70000])
        same(b"\x00" * 70000 + b"\xff" * 70000, ws.recv(timeout=10))


@check("websockets: compression is offered and not taken")
def extensions():
    with connect(f"ws://{ADDRESS}/echo") as ws:
        same([], list(ws.protocol.extensions))
        ws.send("x" * 1000)
        same("x" * 1000, ws.recv(timeout=10))


@check("websockets: compression where the server agrees to it, each message by itself and together")
def compression():
    for path in ("/deflate", "/together"):
        with connect(f"ws://{ADDRESS}{path}", max_size=None) as ws:
            same(["permessage-deflate"], [extension.name for extension in ws.protocol.extensions])
            for size in (0, 1, 10, 1000, 100_000, 5 << 20):
                ws.send("κόσμε" * (size // 5))
                same("κόσμε" * (size // 5), ws.recv(timeout=20))
                ws.send(os.urandom(size))
                same(size, len(ws.recv(timeout=20)))


@check("websockets: Pings have their Pongs")
def pings():
    with opened() as ws:
        if not ws.ping().wait(10):
            raise AssertionError("no Pong")
        ws.send("after")
        same("after", ws.recv(timeout=10))


@check("websockets: the server's first subprotocol that is offered")
def subprotocols():
    for offered, chosen in ((["mystery", "chat", "superchat"], "superchat"), (["chat"], "chat"), (["mystery"], None)):
        with opened(subprotocols=offered) as ws:
            same(chosen, ws.subprotocol)


@check("websockets: closing handshakes from both sides")
def closings():
    with opened() as ws:
        ws.close(3001, "over")
        same(3001, ws.close_code)
    with opened("/close") as ws:
        try:
            ws.recv(timeout=10)
        except ConnectionClosedError as closed:
            same((4001, "bye"), (closed.rcvd.code, closed.rcvd.reason))
            same(False, closed.sent is None)
        else:
            raise AssertionError("a message")
    with opened() as ws:
        ws.close()
        try:
            ws.recv(timeout=10)
        except ConnectionClosedOK as closed:
            same(1000, closed.rcvd.code)


@check("websockets: messages that are sent while others come")
def both():
    with opened() as ws:
        for n in range(2000):
            ws.send(f"message {n}")
        for n in range(2000):
            same(f"message {n}", ws.recv(timeout=10))


@check("websockets: paths without a socket, and without a question")
def refused():
    try:
        opened("/nowhere")
    except InvalidStatus as refused:
        same(404, refused.response.status_code)
    with socket.create_connection(ADDRESS.rsplit(":", 1)) as plain:
        plain.sendall(b"GET /echo HTTP/1.1\r\nHost: x\r\n\r\n")
        answer = plain.recv(4096).lower()
        same((True, True), (b" 426 " in answer, b"upgrade: websocket" in answer))


class OverHttp2:
    """A stream that was taken over, by `h2`; its frames by `wsproto`."""

    def __init__(self, path="/echo", **fields):
        host, port = ADDRESS.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=10)
        self.h2 = h2.connection.H2Connection()
        self.h2.initiate_connection()
        self.flush()
        self.announced = None
        while self.announced is None:
            for event in self.receive():
                if isinstance(event, h2.events.RemoteSettingsChanged):
                    self.announced = self.h2.remote_settings.enable_connect_protocol
        self.stream = self.h2.get_next_available_stream_id()
        head = {":method": "CONNECT", ":protocol": "websocket", ":scheme": "http", ":path": path, ":authority": ADDRESS}
        head |= {"sec-websocket-version": "13"} | fields
        self.h2.send_headers(self.stream, list(head.items()))
        self.flush()
        self.ws = Connection(ConnectionType.CLIENT)
        self.head, self.over = None, False
        while self.head is None:
            for event in self.receive():
                if isinstance(event, h2.events.ResponseReceived):
                    self.head = {name.decode(): value.decode() for name, value in map(tuple, event.headers)}
        self.status = int(self.head[":status"])

    def flush(self):
        self.socket.sendall(self.h2.data_to_send())

    def receive(self):
        data = self.socket.recv(65536)
        if not data:
            raise AssertionError("the connection ended")
        events = self.h2.receive_data(data)
        for event in events:
            if isinstance(event, h2.events.DataReceived):
                self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                if event.data:  # the end of the stream comes after that of the socket
                    self.ws.receive_data(event.data)
            if isinstance(event, (h2.events.StreamEnded, h2.events.StreamReset)):
                self.over = True
        self.flush()
        return events

    def send(self, event):
        data = self.ws.send(event)
        while data:
            room = min(self.h2.local_flow_control_window(self.stream), self.h2.max_outbound_frame_size)
            if room:
                self.h2.send_data(self.stream, data[:room])
                self.flush()
                data = data[room:]
            else:
                self.receive()

    def next(self):
        """The next message or other event, whole."""
        whole = None
        while True:
            for event in self.ws.events():
                if not isinstance(event, (TextMessage, BytesMessage)):
                    return event
                whole = event.data if whole is None else whole + event.data
                if event.message_finished:
                    return whole
            self.receive()


@check("h2: it is announced")
def announced():
    same(1, OverHttp2().announced)


@check("h2: messages there and back in a stream")
def streamed():
    over = OverHttp2()
    same(200, over.status)
    for size in (0, 125, 126, 65536, 300_000):
        over.send(BytesMessage(data=b"\xfe" * size))
        same(size, len(over.next()))
    over.send(TextMessage(data="κόσμε"))
    same("κόσμε", over.next())
    over.send(Ping(payload=b"?"))
    same(Pong(payload=b"?"), over.next())


@check("h2: the closing handshake ends the stream")
def closed():
    over = OverHttp2()
    over.send(CloseConnection(code=1000, reason="over"))
    same((1000, "over"), (lambda event: (event.code, event.reason))(over.next()))
    while not over.over:
        over.receive()


@check("h2: subprotocols, and what is refused")
def answers():
    same("chat", OverHttp2(**{"sec-websocket-protocol": "chat"}).head["sec-websocket-protocol"])
    same(404, OverHttp2("/nowhere").status)
    same(403, OverHttp2(**{"origin": "https://evil.example"}).status)


for name, function in checks.items():
    try:
        function()
    except Exception as reason:
        print(f"FAIL {name}: {type(reason).__name__}: {' '.join(str(reason).split())}", flush=True)
    else:
        print(f"pass {name}", flush=True)

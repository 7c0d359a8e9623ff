"""h2 4.4.1 and hpack 4.2.0: httpx over HTTP/2 against our server, and a server of h2's under our client."""

import asyncio
import json
import socket
import threading

try:
    import h2.config
    import h2.connection
    import h2.events
    import httpx
except ImportError:  # then NEEDS says so
    h2 = httpx = None

from harness import expect, package, same

NEEDS = [package("h2", "4.4.1"), package("hpack", "4.2.0"), package("httpx", "0.28.1")]
ECHO = "/example.EchoService/Echo"
CALLERS = 50
CALLS = 40


def run(suite):
    with suite.serve() as server:
        base = f"http://{server.address}"
        with httpx.Client(base_url=base, http1=False, http2=True, timeout=20) as client:
            one_by_one(suite, client)
        with suite.check(f"{CALLERS} callers on one connection, each gets its own replies"):
            asyncio.run(many(base))
    our_client(suite)


def one_by_one(suite, client):
    with suite.check("JSON is echoed, a hundred times over one connection"):
        for number in range(100):
            reply = client.post(ECHO, json={"message": f"call {number}"}, headers={"x-number": str(number)})
            same(("HTTP/2", 200), (reply.http_version, reply.status_code))
            same({"message": f"call {number}"}, reply.json())
    with suite.check("a body that is made while it is sent arrives whole"):
        text = "piece " * 50_000
        body = json.dumps({"message": text}).encode()
        pieces = (body[at : at + 7777] for at in range(0, len(body), 7777))
        reply = client.post(ECHO, content=pieces, headers={"content-type": "application/json"})
        same((200, len(text)), (reply.status_code, len(reply.json()["message"])))
    with suite.check("a head above our limit is refused alone"):
        large = {f"x-{n}": "y" * 6000 for n in range(3)}
        same(431, client.get("/health", headers=large).status_code)
        same(200, client.get("/health").status_code)
    with suite.check("error replies parse and the next call works"):
        reply = client.post("/example.EchoService/Nope", json={})
        same((404, "1002"), (reply.status_code, reply.headers.get("x-bd-error-code")))
        same(200, client.get("/health").status_code)


async def many(base):
    limits = httpx.Limits(max_connections=1)
    async with httpx.AsyncClient(base_url=base, http1=False, http2=True, limits=limits, timeout=60) as client:

        async def caller(name):
            for number in range(CALLS):
                message = f"{name} {number} " + "x" * (number * 37)
                reply = await client.post(ECHO, json={"message": message})
                expect(reply.json() == {"message": message}, f"caller {name} got {reply.text[:100]}")

        await asyncio.gather(*(caller(name) for name in range(CALLERS)))


def our_client(suite):
    with Echo() as echo:
        with suite.check("our client calls a server of h2's"):
            same({"message": "hi"}, json.loads(suite.call(echo.address, "h2", "example.EchoService/Echo", {"message": "hi"})))
        with suite.check("a hundred kilobytes there and back, through windows of 65535"):
            message = {"message": "x" * 100_000}
            same(message, json.loads(suite.call(echo.address, "h2", "example.EchoService/Echo", message)))
        with suite.check("twenty callers on one connection"):
            pressed = suite.press(echo.address, "h2", "example.EchoService/Echo", {"message": "x"}, "--concurrency", 20)
            same(0, pressed.get("errors", pressed.get("failed", 0)), "failed calls")
            expect(not echo.faults, f"h2 found: {echo.faults}")


class Echo:
    """A server on h2's state machine: echoes each body with its content type."""

    def __enter__(self):
        self.faults = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()

    def accept(self):
        while True:
            try:
                stream, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(stream,), daemon=True).start()

    def serve(self, stream):
        try:
            Talk(stream).run()
        except (ConnectionError, OSError):
            pass
        except Exception as fault:  # whatever h2 finds wrong
            self.faults.append(f"{type(fault).__name__}: {fault}")


class Talk:
    """One connection."""

    def __init__(self, stream):
        self.stream = stream
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        self.requests = {}
        self.replies = {}

    def run(self):
        self.h2.initiate_connection()
        while True:
            self.stream.sendall(self.h2.data_to_send())
            data = self.stream.recv(65536)
            if not data:
                return
            for event in self.h2.receive_data(data):
                self.event(event)
            for number in list(self.replies):
                self.send(number)

    def event(self, event):
        if isinstance(event, h2.events.RequestReceived):
            fields = {name.decode(): value for name, value in event.headers} if isinstance(event.headers[0][0], bytes) else dict(event.headers)
            self.requests[event.stream_id] = [fields.get("content-type", "application/json"), b""]
        elif isinstance(event, h2.events.DataReceived):
            self.requests[event.stream_id][1] += event.data
            self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.StreamEnded):
            kind, body = self.requests.pop(event.stream_id)
            self.h2.send_headers(event.stream_id, [(":status", "200"), ("content-type", kind)])
            self.replies[event.stream_id] = body

    def send(self, number):
        """As much of a reply as the windows let through."""
        body = self.replies[number]
        while body:
            room = min(self.h2.local_flow_control_window(number), self.h2.max_outbound_frame_size)
            if room <= 0:
                self.replies[number] = body
                return
            self.h2.send_data(number, body[:room])
            body = body[room:]
        self.h2.end_stream(number)
        del self.replies[number]

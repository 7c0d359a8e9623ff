"""Python's clients for loads that last: `clients.py ADDRESS BUSY SCALE`. Prints `pass NAME` or `FAIL NAME: reason` for each.

grpcio (the C core), redis-py, pyzmq (libzmq), Thrift's library and `websockets`. BUSY is the address of a server that refuses calls.
"""

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "thrift"))

import grpc
import redis
import zmq
from thrift.protocol import TBinaryProtocol
from thrift.Thrift import TMessageType, TType
from thrift.transport import TSocket, TTransport
from values import read, write
from websockets.sync.client import connect

ADDRESS, BUSY, SCALE = sys.argv[1], sys.argv[2], int(sys.argv[3])
HOST, PORT = ADDRESS.rsplit(":", 1)
MESSAGES, CALLS = 10_000 * SCALE, 1000 * SCALE
failed = False


class Done:
    """What a load has done."""

    def __init__(self):
        self.calls = self.messages = 0


def check(name):
    def run(load):
        global failed
        done = Done()
        try:
            load(done)
        except Exception as why:  # whatever a client raises is a failure
            failed = True
            reason = " ".join(f"{type(why).__name__}: {why}".split())[:500]
            print(f"FAIL {name}: after {done.calls} calls, {done.messages} messages: {reason}", flush=True)
        else:
            print(f"pass {name} | {done.calls} calls | {done.messages} messages", flush=True)

    return run


def same(wanted, found):
    if wanted != found:
        raise AssertionError(f"expected {wanted!r:.80}, found {found!r:.80}")


def varint(number):
    found = b""
    while number >= 128:
        found, number = found + bytes([number & 127 | 128]), number >> 7
    return found + bytes([number])


def line(text):
    """EchoRequest, EchoResponse and Line."""
    return b"\x0a" + varint(len(text)) + text


def repeat(text, count, interval_ms=0):
    return line(text) + b"\x10" + varint(count) + b"\x18" + varint(interval_ms)


# grpcio


class Peer:
    """A connection of grpcio, which must be the only one of its load."""

    def __init__(self, address, options, done):
        self.done, self.lost = done, 0
        self.channel = grpc.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1), *options])
        self.channel.subscribe(self.changed, try_to_connect=True)
        grpc.channel_ready_future(self.channel).result(20)
        self.echo = self.channel.unary_unary("/example.EchoService/Echo")
        self.chat = self.channel.stream_stream("/example.StreamService/Chat")
        self.collect = self.channel.stream_unary("/example.StreamService/Collect")
        self.repeat = self.channel.unary_stream("/example.StreamService/Repeat")

    def changed(self, state):
        self.lost += state in (grpc.ChannelConnectivity.TRANSIENT_FAILURE, grpc.ChannelConnectivity.IDLE) and hasattr(self, "chat")

    def talk(self, pause_s, goes_on):
        """Messages are sent and answered one by one while it goes on."""
        answered, sent = threading.Semaphore(1), []

        def messages():
            while answered.acquire() and goes_on(len(sent)):
                sent.append(line(b"message %d" % len(sent)))
                yield sent[-1]
                time.sleep(pause_s)

        found = 0
        for answer in self.chat(messages()):
            same(sent[found], answer)
            found += 1
            self.done.messages += 1
            answered.release()
        same(len(sent), found)
        self.done.calls += 1

    def ping_pong(self, many, pause_s=0):
        self.talk(pause_s, lambda n: n < many)

    def server_stream(self, text, many, interval_ms=0):
        found = 0
        for message in self.repeat(repeat(text, many, interval_ms)):
            same(line(text), message)
            found += 1
            self.done.messages += 1
        same(many, found)
        self.done.calls += 1

    def client_stream(self, many):
        same(b"\x08" + varint(many) + b"\x10" + varint(many), self.collect(line(b"x") for _ in range(many)))
        self.done.messages += many
        self.done.calls += 1

    def unary(self, many, text=b"call"):
        for n in range(many):
            message = line(b"%s %d" % (text, n))
            same(message, self.echo(message))
            self.done.calls += 1

    def beside(self, rough):
        """Something rough, and a ping-pong on the same connection that it must not harm."""
        over = threading.Event()
        with ThreadPoolExecutor(1) as pool:
            witness = pool.submit(self.talk, 0.001, lambda _: not over.is_set())
            try:
                rough(self)
            finally:
                over.set()
            witness.result()

    # What is rough.

    def metadata(self):
        for _ in range(CALLS // 10):
            for kilobytes, code in ((8, "OK"), (17, "RESOURCE_EXHAUSTED"), (40, "RESOURCE_EXHAUSTED")):
                same(code, self.code(self.echo, line(b"x"), metadata=[("x-long", "x" * kilobytes * 1000)]))
                self.done.calls += 1

    def code(self, method, *arguments, **options):
        try:
            method(*arguments, **options)
        except grpc.RpcError as error:
            return error.code().name
        return "OK"

    def cancels(self):
        for n in range(CALLS):
            call = self.repeat(repeat(b"x", 1000, 100))
            if n % 2:
                next(call)
            call.cancel()
            self.done.calls += 1
            time.sleep(0.002)

    def deadlines(self):
        def some(_):
            for _ in range(CALLS // 10):
                same("DEADLINE_EXCEEDED", self.code(lambda: list(self.repeat(repeat(b"x", 1000, 100), timeout=0.005))))
                self.done.calls += 1

        with ThreadPoolExecutor(10) as pool:
            list(pool.map(some, range(10)))

    def refusals(self):
        codes = set()

        def some(_):
            for _ in range(CALLS // 20):
                codes.add(self.code(self.server_stream, b"x", 3, 1))

        with ThreadPoolExecutor(20) as pool:
            list(pool.map(some, range(20)))
        same({"OK", "RESOURCE_EXHAUSTED"}, codes)


def grpcio(name, load, *options, address=ADDRESS):
    @check(f"grpcio: {name}")
    def _(done):
        peer = Peer(address, options, done)
        load(peer)
        same(0, peer.lost)  # connections
        peer.channel.close()


def keepalive(peer):
    for _ in range(3 + CALLS // 1000):
        peer.unary(1)
        time.sleep(1)
    peer.server_stream(b"x", 5, 500)


grpcio("ping-pong", lambda p: p.ping_pong(MESSAGES))
grpcio("ping-pong with pauses of 2 ms", lambda p: p.ping_pong(MESSAGES // 10, 0.002))
grpcio("server stream", lambda p: p.server_stream(b"x", MESSAGES))
grpcio("server stream with pauses of 1 ms", lambda p: p.server_stream(b"x", MESSAGES // 10, 1))
grpcio("client stream", lambda p: p.client_stream(MESSAGES))
grpcio("unary, one caller", lambda p: p.unary(CALLS))
grpcio("metadata of 8, 17 and 40 KB beside a stream", lambda p: p.beside(Peer.metadata))
grpcio("500 cancels a second beside a stream", lambda p: p.beside(Peer.cancels))
grpcio("deadlines that expire beside a stream", lambda p: p.beside(Peer.deadlines))
LONG = b"x" * 100_000
for window in (1 << 16, 16 << 20):
    options = [("grpc.http2.lookahead_bytes", window), ("grpc.http2.bdp_probe", 0)]
    grpcio(f"a window of {window >> 10} KiB", lambda p: p.server_stream(LONG, MESSAGES // 100), *options)
PINGS = [("grpc.keepalive_time_ms", 100), ("grpc.keepalive_permit_without_calls", 1), ("grpc.http2.max_pings_without_data", 0)]
grpcio("a PING each second, its fastest", keepalive, *PINGS)
grpcio("a server that refuses", Peer.refusals, address=BUSY)


# Redis


@check("redis-py: commands one by one")
def _(done):
    client = redis.Redis(HOST, int(PORT), socket_timeout=20, retry=None, single_connection_client=True)
    for n in range(MESSAGES):
        same(True, client.set("long-day", n))
        same(b"%d" % n, client.get("long-day"))
        done.messages += 2


@check("redis-py: pipelines of a hundred")
def _(done):
    client = redis.Redis(HOST, int(PORT), socket_timeout=20, retry=None, single_connection_client=True)
    client.delete("long-day-sum")
    for n in range(MESSAGES // 100):
        pipeline = client.pipeline(transaction=n % 2 == 0)
        for _ in range(100):
            pipeline.incr("long-day-sum")
        same(list(range(n * 100 + 1, n * 100 + 101)), pipeline.execute())
        done.messages += 100


@check("redis-py: with pauses, and PINGs between them")
def _(done):
    client = redis.Redis(HOST, int(PORT), socket_timeout=20, retry=None, single_connection_client=True, health_check_interval=1)
    for _ in range(2 + 2 * SCALE):
        same(True, client.ping())
        done.messages += 1
        time.sleep(1.2)


# ZeroMQ


@check("pyzmq: REQ with heartbeats every 10 ms")
def _(done):
    with zmq.Context() as context, context.socket(zmq.REQ) as req, req.get_monitor_socket(zmq.EVENT_DISCONNECTED) as monitor:
        req.heartbeat_ivl, req.heartbeat_timeout, req.rcvtimeo, req.linger = 10, 5000, 20_000, 0
        req.connect(f"tcp://{ADDRESS}")
        for n in range(MESSAGES):
            req.send_multipart([b"example.EchoService/Echo", line(b"%d" % n)])
            same([b"0", line(b"%d" % n)], req.recv_multipart())
            done.messages += 1
            if n % (MESSAGES // 10) == 0:
                time.sleep(0.5)
        same(0, monitor.poll(0))  # no connection was lost


# Thrift


@check("thrift: calls, framed and binary")
def _(done):
    socket = TSocket.TSocket(HOST, int(PORT))
    socket.setTimeout(20_000)
    protocol = TBinaryProtocol.TBinaryProtocol(TTransport.TFramedTransport(socket))
    socket.open()
    for n in range(MESSAGES):
        protocol.writeMessageBegin("Echo", TMessageType.CALL, n)
        write(protocol, TType.STRUCT, [(1, TType.STRUCT, [(1, TType.STRING, b"%d" % n)])])
        protocol.writeMessageEnd()
        protocol.trans.flush()
        name, kind, seqid = protocol.readMessageBegin()
        same(("Echo", TMessageType.REPLY, n), (name, kind, seqid))
        [(_, _, [(_, _, text)])] = read(protocol, TType.STRUCT)
        same(b"%d" % n, text)
        protocol.readMessageEnd()
        done.messages += 1


# WebSocket


def websocket(name, many, pause_s, **options):
    @check(f"websockets: {name}")
    def _(done):
        with connect(f"ws://{ADDRESS}/example.StreamService/Chat", subprotocols=["polywire.v1.json"], **options) as socket:
            for n in range(many):
                text = '{"message":"%d"}' % n
                socket.send(text)
                same(text, socket.recv(20))
                done.messages += 1
                time.sleep(pause_s)


websocket("ping-pong", MESSAGES, 0)
websocket("ping-pong with pauses of 100 ms and a Ping every 50 ms", 20 * SCALE, 0.1, ping_interval=0.05)

sys.exit(failed)

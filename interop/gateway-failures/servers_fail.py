"""Servers that are not there, die, stand still or say goodbye."""

import json
import socket
import threading
import time

import grpc
from loads import ECHO, ECHO_PROTO, PATIENCE_S, PROTO, RATE, SERVICE, Calls, Load, Stream
from resetting import Resetting

from harness import GO_PROGRAMS, Raw, eventually, expect, same

IDEMPOTENT = f'idempotent = ["{SERVICE}/UnaryCall"]'
# By which the gateway knows that a call has one message each way: gRPC does not say so, and what may stream is not tried again.
KNOWN = f'balancer = "rr"\nschemas = "{PROTO}"'
TRIED = "retries = 3"
# How long a server stands still.
STILL_S = 0.8


def fleet(*servers, route="", cluster="", listener=""):
    addresses = ",".join(server.address for server in servers)
    return (
        f'[listeners.main]\nlisten = "127.0.0.1:0"\n{listener}\n[clusters.fleet]\nprotocol = "grpc"\nservers = "list://{addresses}"\n{cluster}\n'
        f'[[routes]]\nmatch = "*"\nto = "fleet"\n{route}\n'
    )


def unconnected(suite, scene, table):
    """One of two servers was never there; then the other is gone, too, and comes back."""
    one, absent = scene.grpc_go(), scene.grpc_go()
    absent.kill()
    gateway = scene.gateway(fleet(one, absent, route=TRIED, cluster=KNOWN))
    with suite.check("a server that refuses connections: the other one has the calls"), Load(gateway) as load:
        before = gateway.resident_kib()
        calls = load.ended()
        table.row("one of two servers refuses connections", calls, gateway, before)
        calls.none_lost()
    with suite.check("no server accepts connections: UNAVAILABLE and a finding, until one is back"), Load(gateway, 3.0) as load:
        before = gateway.resident_kib()
        expect(not gateway.finding("gateway_no_server"), "a finding before anything has happened")
        gone = time.time()
        one.kill()
        expect(eventually(lambda: gateway.finding("gateway_no_server"), 1.0), "no finding within a second")
        with grpc.insecure_channel(gateway.address) as channel:
            mark = failure_of(channel)
        back = time.time()
        one.start()
        calls = load.ended()
        table.row("no server accepts connections", calls, gateway, before, back, f"gone for {back - gone:.1f} s")
        same({"Unavailable"}, set(calls.lost()))
        expect(mark in ("no_server", "unconnected"), f"the mark is {mark}")
        same(0, len(calls.between(0, gone - 0.1).failed()), "calls that failed before")
        expect(calls.again_after(back) < 1.5, f"calls failed until {calls.again_after(back):.2f} s after its return")
        expect(len(calls.between(back + 1.5)) > 0, "no call was made afterwards")
        expect(eventually(lambda: not gateway.finding("gateway_no_server")), "the finding stays")


def failure_of(channel):
    """The mark of a call that fails."""
    try:
        channel.unary_unary(f"/{SERVICE}/UnaryCall")(b"", timeout=PATIENCE_S)
    except grpc.RpcError as error:
        return dict(error.trailing_metadata()).get("polywire-gateway", f"none: {error.code().name} {error.details()}")
    return "none: it was answered"


def silent(suite, scene, table):
    """A server is gone, and connections to it are not refused, but have no answer: calls that wait for one go to the other server."""
    one, other = scene.grpc_go(), scene.grpc_go()
    gateway = scene.gateway(fleet(one, other, route=TRIED, cluster=KNOWN))
    with suite.check("a server that is silent: the other one has the calls that wait for a connection"):
        unsent(gateway, one, table, "one of two servers is silent")
    one, other = scene.grpc_go(), scene.grpc_go()
    gateway = scene.gateway(fleet(one, other, cluster='balancer = "rr"'))
    with suite.check("a server that is silent: it is the same for calls of which nothing is known"):
        unsent(gateway, one, table, "one of two servers is silent, nothing is known of the calls")


def unsent(gateway, one, table, name):
    """Whatever waits for a connection to this server has been sent to none."""
    with Load(gateway) as load:
        before = gateway.resident_kib()
        at = time.time()
        one.kill()
        gone = time.time()
        with Hole(one.port):
            calls = load.ended()
    table.row(name, calls, gateway, before, at)
    waiting = calls.in_flight(at, gone)
    same([], [call for call in calls.failed() if call not in waiting], "lost without having been in flight")


class Hole:
    """A port that answers no connection: what it would accept, it has."""

    def __init__(self, port):
        self.sockets, self.port = [socket.socket()], port

    def __enter__(self):
        listener = self.sockets[0]
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self.port))
        listener.listen(0)
        for _ in range(4):
            one = socket.socket()
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", self.port))
            self.sockets.append(one)

    def __exit__(self, *_):
        for one in self.sockets:
            one.close()


def killed(suite, scene, table):
    """`kill -9` before the replies: calls that may run twice go to the other server, others fail."""
    for name, route in ("that may run twice", IDEMPOTENT), ("that may not", TRIED):
        one, other = scene.grpc_go(), scene.grpc_go()
        gateway = scene.gateway(fleet(one, other, route=route, cluster=KNOWN))
        with suite.check(f"kill -9 before the reply, calls {name}"):
            with Load(gateway) as load:
                before = gateway.resident_kib()
                one.pause()  # so that it has calls that it has not answered
                time.sleep(0.1)
                at = time.time()
                one.kill()
                gone = time.time()
                calls = load.ended()
            waiting = calls.in_flight(at, gone)
            table.row(f"`kill -9` before the reply, calls {name}", calls, gateway, before, at, f"{len(waiting)} in flight")
            expect(len(waiting) > 5, f"only {len(waiting)} calls were in flight")
            if route == IDEMPOTENT:
                calls.none_lost()
            else:
                lost = calls.failed()
                expect(lost, "none is lost: then the other check shows nothing")
                same({"Unavailable"}, set(calls.lost()), lost[0].text)
                same([], [call for call in lost if call not in waiting], "lost without having been in flight")


def within_streams(suite, scene, table):
    """`kill -9` within streams, over gRPC and in JSON over HTTP/1: what that server had ends with a failure, the rest in order."""
    one, other = scene.grpc_go(), scene.grpc_go()
    gateway = scene.gateway(fleet(one, other, route=IDEMPOTENT, cluster=KNOWN))
    parts, interval_ms = 60, 20
    with suite.check("kill -9 within streams: none of them ends in order before its end"), Load(gateway) as load:
        before = gateway.resident_kib()
        with grpc.insecure_channel(gateway.address) as channel:
            streams = [Stream(channel, parts, interval_ms) for _ in range(20)]
            bodies = [Body(gateway, parts, interval_ms) for _ in range(6)]
            begun = lambda: all(stream.parts > 5 for stream in [*streams, *bodies])
            expect(eventually(begun, PATIENCE_S), "streams do not begin")
            at = time.time()
            one.kill()
            for stream in [*streams, *bodies]:
                stream.join(PATIENCE_S)
        calls = load.ended()
        cut = [stream for stream in streams if stream.status != "OK"]
        cut_bodies = [body for body in bodies if not body.in_order]
        table.row(
            "`kill -9` within streams", calls, gateway, before, at,
            f"{len(cut)} of {len(streams)} streams and {len(cut_bodies)} of {len(bodies)} HTTP/1 bodies cut",
        )
        same({"UNAVAILABLE"}, {stream.status for stream in cut}, "status of streams that were cut")
        expect(0 < len(cut) < len(streams), f"{len(cut)} streams of {len(streams)} were cut")
        same({parts}, {stream.parts for stream in streams if stream.status == "OK"}, "messages of a stream that ended with OK")
        same({True}, {5 < stream.parts < parts for stream in cut}, "streams that were cut in the middle")
        expect(0 < len(cut_bodies) < len(bodies), f"{len(cut_bodies)} bodies of {len(bodies)} were cut")
        same({parts}, {body.parts for body in bodies if body.in_order}, "lines of a body that ended in order")
        calls.none_lost()


class Body(threading.Thread):
    """A stream of replies as the body of plain HTTP; whether it ended in order."""

    def __init__(self, gateway, parts, interval_ms):
        super().__init__(daemon=True)
        one = f'{{"size":1,"intervalUs":{interval_ms * 1000}}}'
        body = f'{{"responseParameters":[{",".join([one] * parts)}]}}'
        self.raw = Raw(gateway, PATIENCE_S)
        self.raw.send(
            f"POST /{SERVICE}/StreamingOutputCall HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\n\r\n{body}".encode()
        )
        self.start()

    def run(self):
        self.raw.read_to_end()
        self.raw.socket.close()

    @property
    def parts(self):
        return self.raw.received.count(b'{"payload"')

    @property
    def in_order(self):
        return self.raw.received.endswith(b"\r\n0\r\n\r\n")


def stopped(suite, scene, table):
    """SIGSTOP: what the server has takes its time, others go on; afterwards it has calls again."""
    for balancer, going_on in ("rr", 0.4), ("p2c", 0.8):
        one, other = scene.grpc_go(), scene.grpc_go()
        gateway = scene.gateway(fleet(one, other, route='timeout = "300ms"', cluster=f'balancer = "{balancer}"'))
        with suite.check(f"SIGSTOP ({balancer}): DEADLINE_EXCEEDED for what the server has, others go on"), Load(gateway) as load:
            before = gateway.resident_kib()
            at = time.time()
            one.pause()
            time.sleep(STILL_S)
            one.resume()
            back = time.time()
            calls = load.ended()
            table.row(f"SIGSTOP of one of two servers, {balancer}", calls, gateway, before, at, f"it stood still for {back - at:.1f} s")
            expect(set(calls.lost()) <= {"DeadlineExceeded"}, f"lost: {dict(calls.lost())}")
            meanwhile = calls.between(at, back)
            answered = len(meanwhile) - len(meanwhile.failed())
            expect(answered > going_on * RATE * STILL_S, f"only {answered} of {len(meanwhile)} calls went on")
            # p2c may give it none at all.
            expect(calls.failed() or balancer == "p2c", "none is lost: the other half shows nothing")
            calls.between(back).none_lost()


# What gRPC makes of them; the two that are left out are a call that was not begun, and a level of HTTP.
OF_RESETS = {
    "NO_ERROR": "Internal", "PROTOCOL_ERROR": "Internal", "INTERNAL_ERROR": "Internal", "CANCEL": "Canceled",
    "ENHANCE_YOUR_CALM": "ResourceExhausted",
}


def resets(suite, scene, table):
    """RST_STREAM with a code, in place of a reply."""
    go, resetting = scene.grpc_go(), scene.stack.enter_context(Resetting())
    gateway = scene.gateway(
        f'[listeners.main]\nlisten = "127.0.0.1:0"\n[clusters.go]\nprotocol = "grpc"\nservers = "{go.address}"\n'
        f'[clusters.resetting]\nprotocol = "grpc"\nservers = "{resetting.address}"\n'
        f'[[routes]]\nmatch = "{SERVICE}/UnaryCall"\nto = "go"\n[[routes]]\nmatch = "*"\nto = "resetting"\n'
    )
    with suite.check("a server resets calls: the status of gRPC for its code, and others go on"), Load(gateway) as load:
        before = gateway.resident_kib()
        found, some = {}, {"method": "EmptyCall", "rate": 100, "seconds": 0.2, "at_once": True}
        for code in OF_RESETS:
            with Load(gateway, options=["-m", json.dumps({"x-code": code})], **some) as reset:
                found[code] = reset.ended()
        calls = load.ended()
        table.row("RST_STREAM of a server, five codes", sum(found.values(), Calls([])), gateway, before)
        table.row("others beside them", calls, gateway, before)
        same({code: {status: 20} for code, status in OF_RESETS.items()}, {code: dict(ones.lost()) for code, ones in found.items()})
        calls.none_lost()


def goodbye(suite, scene, table):
    """Servers that stop in order: grpcio's at SIGTERM, and grpc-go's whose connections have an age."""
    one, other = scene.grpcio(), scene.grpcio()
    gateway = scene.gateway(fleet(one, other, route=TRIED, cluster=KNOWN), logs=True)
    with suite.check("a server that says goodbye (grpcio): the gateway loses no call"), Load(gateway) as load:
        before = gateway.resident_kib()
        at = time.time()
        same(0, one.stop(), "exit code of the server")
        calls = load.ended()
        table.row("a server stops with GOAWAY (grpcio)", calls, gateway, before, at)
        # Of calls that arrive while it says goodbye, grpcio itself answers one now and then with CANCELLED.
        failed = [line for line in gateway.logged() if line["code"] != "OK"]
        same([], [line for line in failed if (line["code"], line["server"], line.get("reason")) != ("CANCELLED", one.address, None)])
        same(len(failed), len(calls.failed()), "calls that failed, and those in the log that did")
    aged = suite.foreign_server("long-day", [GO_PROGRAMS / "long-day", "server", "0", "200"])
    scene.stack.callback(aged.kill)
    gateway = scene.gateway(fleet(aged, route=TRIED, cluster=f'schemas = "{ECHO_PROTO}"'))
    echo = {"method": ECHO, "proto": ECHO_PROTO, "message": '{"message":"x"}'}
    with suite.check("connections with an age (grpc-go) lose no call"), Load(gateway, **echo) as load:
        before = gateway.resident_kib()
        calls = load.ended()
        # Asked behind the gateway: `counted` is answered with the connections that there have been.
        with grpc.insecure_channel(aged.address) as channel:
            connections = int(channel.unary_unary(f"/{ECHO}")(b"\x0a\x07counted", timeout=PATIENCE_S)[2:])
        table.row("GOAWAY on each connection after 200 ms (grpc-go)", calls, gateway, before, None, f"{connections - 1} connections")
        calls.none_lost()
        expect(connections > 4, f"the gateway had only {connections - 1} connections")


ROWS = [unconnected, silent, killed, within_streams, stopped, resets, goodbye]

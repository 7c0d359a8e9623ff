"""Callers that are refused, send or ask for too much, leave, do not read, or are too many; and what cannot be translated."""

import contextlib
import json
import socket
import sys
import threading
import time

import grpc
import h2.config
import h2.connection
from loads import ECHO, ECHO_PROTO, HERE, PATIENCE_S, PROTO, RATE, SERVICE, Calls, Load, Talk, json_call, paced
from servers_fail import fleet
from stubs import messages

from harness import eventually, expect, grpc_cases, same

# What a policy does not allow.
POLICY = {
    "name": "gateway-failures",
    "allow_rules": [{"name": "all"}],
    "deny_rules": [{"name": "no empty calls", "request": {"paths": [f"/{SERVICE}/EmptyCall"]}}],
}
MIB = 1 << 20


def refused(suite, scene, table):
    """Calls without a route, beyond a rate, and against a policy, beside others."""
    go, counting = scene.grpc_go(), scene.grpcio()
    policy = scene.folder / "policy.json"
    policy.write_text(json.dumps(POLICY))
    gateway = scene.gateway(
        f'[listeners.main]\nlisten = "127.0.0.1:0"\npolicy = "{policy}"\n'
        f'[clusters.go]\nprotocol = "grpc"\nservers = "{go.address}"\n'
        f'[clusters.counting]\nprotocol = "grpc"\nservers = "{counting.address}"\n'
        f'[[routes]]\nmatch = "{SERVICE}/UnaryCall"\nto = "go"\n'
        f'[[routes]]\nmatch = "{SERVICE}/EmptyCall"\nto = "counting"\n'
        f'[[routes]]\nmatch = "{SERVICE}/CacheableUnaryCall"\nto = "counting"\n'
        'rate = { limit = "50/s burst 10", by = "all" }\n'
    )
    with suite.check("no route, not allowed, over a rate: refused at once, nothing is sent, and others go on"):
        with Load(gateway) as load:
            before = gateway.resident_kib()
            some = {"seconds": 1.0, "at_once": True}
            with (
                Load(gateway, method=ECHO, proto=ECHO_PROTO, message='{"message":"x"}', **some) as unrouted,
                Load(gateway, method="CacheableUnaryCall", **some) as often,
                Load(gateway, method="EmptyCall", **some) as denied,
            ):
                unrouted, often, denied = unrouted.ended(), often.ended(), denied.ended()
            calls = load.ended()
        let_in = len(often) - len(often.failed())
        for name, ones in ("no route", unrouted), ("over a rate of 50/s burst 10", often), ("not allowed by the policy", denied):
            table.row(name, ones, gateway, before, None, f"99 % within {ones.longest(0.99) * 1000:.0f} ms")
        table.row("others beside them", calls, gateway, before)
        same({"Unimplemented": RATE}, unrouted.lost())
        same({"PermissionDenied": RATE}, denied.lost())
        same({"ResourceExhausted"}, set(often.lost()))
        may = 10 + 50 * (max(call.ended for call in often.calls) - often.calls[0].began)
        expect(10 <= let_in <= may + 1, f"{let_in} calls were let in, and {may:.0f} may be")
        same({"CacheableUnaryCall": let_in}, counts(counting)["begun"], "calls that the server has had")
        same(RATE, gateway.metric("polywire_gateway_refused_total", reason="no_route"))
        same(RATE, gateway.metric("polywire_gateway_refused_total", reason="policy"))
        same(RATE - let_in, gateway.metric("polywire_gateway_refused_total", reason="limit"))
        calls.none_lost()


def counts(server):
    with grpc.insecure_channel(server.address) as channel:
        return json.loads(channel.unary_unary("/counts")(b"", timeout=PATIENCE_S))


def too_long(suite, scene, table):
    """Messages beyond a limit, both ways; what else is on their connection goes on."""
    go = scene.grpc_go()
    gateway = scene.gateway(fleet(go, listener='max_message = "1MiB"'))
    unlimited = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
    with suite.check("a message that is too long, of a caller and of a server: RESOURCE_EXHAUSTED, and its connection goes on"):
        with Load(gateway) as load, grpc.insecure_channel(gateway.address, options=unlimited) as channel:
            talk = Talk(channel)
            expect(eventually(lambda: talk.answers > 2, PATIENCE_S), "no answer")
            before = gateway.resident_kib()
            at = time.time()
            ask = channel.unary_unary(f"/{SERVICE}/UnaryCall")
            long = messages.SimpleRequest(payload=messages.Payload(body=bytes(2 * MIB))).SerializeToString()
            requests = [failure(ask, long) for _ in range(10)]
            longer = messages.SimpleRequest(response_size=65 * MIB).SerializeToString()
            reply = failure(ask, longer)
            answers = talk.answers
            expect(eventually(lambda: talk.answers > answers + 2, PATIENCE_S), f"the stream beside them is over: {talk.status}")
            same("OK", talk.end(), "status of the stream beside them")
            calls = load.ended()
        table.row("messages that are too long", calls, gateway, before, at, "10 requests of 2 MiB, a reply of 65 MiB")
        same({("RESOURCE_EXHAUSTED", None)}, set(requests), "requests")
        same(("RESOURCE_EXHAUSTED", "too_large"), reply, "reply")
        calls.none_lost()


def failure(ask, message):
    """The code of a call that fails, and its mark."""
    try:
        ask(message, timeout=PATIENCE_S)
    except grpc.RpcError as error:
        return error.code().name, dict(error.trailing_metadata()).get("polywire-gateway")
    return "OK", None


def leaves(suite, scene, table):
    """`kill -9` of a client: the server is told of each of its calls."""
    waiting, hanging = 50, scene.grpcio()
    gateway = scene.gateway(fleet(hanging))
    with suite.check("a client that is killed: its calls end at the server, and are counted as the client's"), Load(gateway) as load:
        before = gateway.resident_kib()
        client = suite.background([sys.executable, HERE / "leaver.py", gateway.address, f"/{SERVICE}/EmptyCall", str(waiting)])
        under_way = lambda: counts(hanging)["under_way"].get("EmptyCall", 0)
        expect(eventually(lambda: under_way() == waiting, PATIENCE_S), f"{under_way()} calls are under way, not {waiting}")
        at = time.time()
        client.kill()
        expect(eventually(lambda: under_way() == 0, 2.0), f"{under_way()} calls go on")
        took = time.time() - at
        calls = load.ended()
        table.row("`kill -9` of a client", calls, gateway, before, at, f"its {waiting} calls ended at the server within {took * 1000:.0f} ms")
        same(waiting, gateway.metric("polywire_gateway_errors_total", side="client"), "failures of the client")
        calls.none_lost()


def reads_nothing(suite, scene, table):
    """Clients that ask for much and read nothing of it, with windows that are open and with such that are shut."""
    clients, parts = 10, 100
    go = scene.grpc_go()
    gateway = scene.gateway(fleet(go))
    with suite.check("clients that do not read: memory is bounded, and others go on"), contextlib.ExitStack() as stack:
        with Load(gateway) as load:
            before = gateway.resident_kib()
            at = time.time()
            one = messages.ResponseParameters(size=MIB)
            request = messages.StreamingOutputCallRequest(response_parameters=[one] * parts).SerializeToString()
            for n in range(clients):
                stack.enter_context(unread(gateway, request, wide=n % 2 == 0))
            calls = load.ended()
        # A stream queues two messages of this length, and the server may be a window of 4 MiB and what has begun ahead.
        noted, most_kib = f"each has asked for {parts} MiB", clients * 12 * 1024
        table.row(f"{clients} clients that do not read", calls, gateway, before, at, noted, most_kib)
        calls.none_lost()


@contextlib.contextmanager
def unread(gateway, message, wide):
    """A call whose answer is not read from its socket. `wide`: its windows let all of it come."""
    connection = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding=None))
    connection.initiate_connection()
    path = f"/{SERVICE}/StreamingOutputCall".encode()
    connection.send_headers(1, [
        (b":method", b"POST"), (b":scheme", b"http"), (b":path", path), (b":authority", b"x"),
        (b"te", b"trailers"), (b"content-type", b"application/grpc"),
    ])
    if wide:
        for stream in None, 1:
            connection.increment_flow_control_window(2**31 - 65536, stream)
    connection.send_data(1, b"\0" + len(message).to_bytes(4, "big") + message, end_stream=True)
    with socket.create_connection((gateway.host, gateway.port)) as raw:
        raw.sendall(connection.data_to_send())
        yield raw


def untranslatable(suite, scene, table):
    """Replies that are no message of their schema, to callers of JSON."""
    go, broken = scene.grpc_go(), scene.grpcio()
    gateway = scene.gateway(
        '[listeners.main]\nlisten = "127.0.0.1:0"\n'
        f'[clusters.go]\nprotocol = "grpc"\nservers = "{go.address}"\n'
        f'[clusters.broken]\nprotocol = "grpc"\nservers = "{broken.address}"\nschemas = "{PROTO}"\n'
        f'[[routes]]\nmatch = "{SERVICE}/UnaryCall"\nto = "go"\n[[routes]]\nmatch = "*"\nto = "broken"\n'
    )
    with suite.check("a reply that cannot be translated: INTERNAL with the field, and others go on"), Load(gateway) as load:
        before = gateway.resident_kib()
        wrong = paced(lambda: json_call(gateway, "CacheableUnaryCall"), 50, lambda found: len(found) >= 50)
        calls = load.ended()
        table.row("a reply that cannot be translated", wrong, gateway, before)
        table.row("others beside it", calls, gateway, before)
        same({"Internal"}, {call.status for call in wrong.calls})
        text = wrong.calls[0].text
        expect(text.startswith("translate: ") and "username" in text, text)
        same(len(wrong), gateway.metric("polywire_gateway_errors_total", side="upstream"), "failures of the server")
        calls.none_lost()


def unknown(suite, scene, table):
    """A schema that the servers are to tell, which are not there yet."""
    go, port = scene.grpc_go(), grpc_cases.free_port()
    gateway = scene.gateway(
        '[listeners.main]\nlisten = "127.0.0.1:0"\n'
        f'[clusters.go]\nprotocol = "grpc"\nservers = "{go.address}"\n'
        f'[clusters.late]\nprotocol = "grpc"\nservers = "127.0.0.1:{port}"\nschemas = "reflection"\n'
        f'[[routes]]\nmatch = "{SERVICE}/EmptyCall"\nto = "go"\n[[routes]]\nmatch = "*"\nto = "late"\n'
    )
    with suite.check("a schema that is not known yet: UNIMPLEMENTED with the reason, until its server is there"):
        with Load(gateway, method="EmptyCall") as load:
            before = gateway.resident_kib()
            early = paced(lambda: json_call(gateway, "UnaryCall"), 20, lambda found: len(found) >= 10)
            scene.grpcio(str(port))
            at = time.time()
            late = paced(lambda: json_call(gateway, "UnaryCall"), 20, lambda found: len([call for call in found if call.status == "OK"]) >= 20)
            calls = load.ended()
        asked = early + late
        table.row("a schema is not known yet", asked, gateway, before, at, "from when its server was there")
        table.row("others beside it", calls, gateway, before)
        same({"Unimplemented"}, {call.status for call in early.calls})
        expect("schema of grpc.testing.TestService is not known: reflection failed" in early.calls[0].text, early.calls[0].text)
        same({"Unimplemented"}, set(asked.lost()))
        same("OK", asked.calls[-1].status)
        calls.none_lost()


def too_many(suite, scene, table):
    """More calls than a listener lets in."""
    go = scene.grpc_go()
    let_in, call_s, load_s = 40, 0.05, 2.0
    capacity = let_in / call_s
    gateway = scene.gateway(fleet(go, listener=f"max_concurrency = {let_in}"))
    slow = {"method": "StreamingOutputCall", "message": f'{{"response_parameters":[{{"size":1,"interval_us":{call_s * 1e6:.0f}}}]}}'}
    with suite.check("more calls than are let in: as many as are let in are served, refusals and pages are quick"):
        with Load(gateway, 1.5, **slow) as load:
            below = load.ended()
        before = gateway.resident_kib()
        with looking(gateway) as pages, Load(gateway, load_s, rate=5 * RATE, **slow) as load:
            above = load.ended()
        refusals = Calls(above.failed())
        served = (len(above) - len(refusals)) / load_s
        table.row(f"{let_in} calls at a time of {call_s * 1000:.0f} ms each let in: {RATE} a second", below, gateway, before)
        noted = f"{served:.0f} of {capacity:.0f} a second served; refused within {refusals.longest(0.99) * 1000:.0f} ms (99 %)"
        table.row(f"the same: {5 * RATE} a second", above, gateway, before, None, f"{noted}; `/gateway` within {max(pages) * 1000:.0f} ms")
        below.none_lost()
        same({"ResourceExhausted"}, set(above.lost()))
        expect(served > 0.5 * capacity, f"only {served:.0f} of {capacity:.0f} calls a second were served")
        expect(refusals.longest(0.5) < 0.02, f"half of the refusals take longer than {refusals.longest(0.5) * 1000:.0f} ms")
        expect(len(pages) > 10 and max(pages) < 1, f"the page took {max(pages):.2f} s")


@contextlib.contextmanager
def looking(gateway):
    """Reads the page of the gateway again and again; how long it took each time."""
    pages, over = [], threading.Event()

    def look():
        while not over.wait(0.05):
            began = time.time()
            gateway.page()
            pages.append(time.time() - began)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield pages
    finally:
        over.set()
        thread.join()


ROWS = [refused, too_long, leaves, reads_nothing, untranslatable, unknown, too_many]

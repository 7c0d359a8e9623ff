"""OpenTelemetry's Python SDK calls our server within spans, and its messages read the spans that we send by OTLP."""

import concurrent.futures
import threading
import urllib.request

import grpc
from harness import eventually, expect, our_program, ours, package, same

NEEDS = [our_program("traced"), package("opentelemetry-sdk", "1.45.2"), package("opentelemetry-proto", "1.45.2")]
# What a batch may take on a busy machine; ours waits a tenth of a second for others.
SENT_S = 20
EMPTY = "/grpc.testing.TestService/EmptyCall"
UNKNOWN = "/grpc.testing.TestService/UnaryCall"


def run(suite):
    collector = Collector()
    server = suite.foreign_server("traced", [str(ours(suite, "traced")), collector.address])
    try:
        tracer, inject = client()
        with suite.check("a call within a span of the SDK belongs to its trace"):
            trace, span = within(tracer, inject, lambda fields: post(server, EMPTY, b"{}", fields))
            page = get(server, f"/rpcz?trace={trace:x}")
            expect(f" trace={trace:x} span=" in page and f" parent_span={span:x}\n" in page, page)
        with suite.check("and so does one by grpcio"):
            trace, span = within(tracer, inject, lambda fields: unary(server, EMPTY, b"", list(fields.items())))
            page = get(server, f"/rpcz?trace={trace:x}")
            expect(f" parent_span={span:x}\n" in page, page)
        with suite.check("OTLP: the span has the ids, the name, the kind, the times and the attributes"):
            expect(eventually(lambda: collector.of(trace), SENT_S), f"no span of {trace:x} in {len(collector.spans)}")
            resource, found = collector.of(trace)[0]
            same((trace.to_bytes(16), span.to_bytes(8)), (found.trace_id, found.parent_span_id))
            same("grpc.testing.TestService/EmptyCall", found.name)
            same((found.SPAN_KIND_SERVER, 0), (found.kind, found.status.code))
            expect(0 <= found.end_time_unix_nano - found.start_time_unix_nano < 10**10, "times")
            same({"service.name": "traced", "service.version": "7"}, attributes(resource.attributes))
            had = attributes(found.attributes)
            same(("h2", "grpc.testing.TestService", "EmptyCall", 0), tuple(had[f"rpc.{k}"] for k in ("system", "service", "method", "grpc.status_code")))
            same(["handler entered", "handler left"], [event.name for event in found.events])
            same(1, found.flags)
        with suite.check("OTLP: a failed call says so"):
            # code 7 and a text, by field numbers of SimpleRequest.response_status
            body = bytes([0x3A, 0x06, 0x08, 0x07, 0x12, 0x02]) + b"no"
            trace, _ = within(tracer, inject, lambda fields: unary(server, UNKNOWN, body, list(fields.items())))
            expect(eventually(lambda: collector.of(trace), SENT_S), "no span")
            found = collector.of(trace)[0][1]
            same((found.status.STATUS_CODE_ERROR, "no"), (found.status.code, found.status.message))
            same("PERMISSION_DENIED", attributes(found.attributes)["error.type"])
        with suite.check("OTLP: calls while the collector is away are sent when it is back"):
            collector.fail(2)
            before = len(collector.spans)
            for _ in range(5):
                post(server, EMPTY, b"{}", {})
            expect(eventually(lambda: len(collector.spans) >= before + 5, SENT_S), f"{len(collector.spans) - before} of 5")
            same(0, collector.failures)
    finally:
        server.stop()
        collector.server.stop(None)


def client():
    """The SDK's tracer, and what writes its context into fields."""
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TracerProvider().get_tracer("interop"), TraceContextTextMapPropagator().inject


def within(tracer, inject, call):
    """Makes a call within a new span; its ids."""
    with tracer.start_as_current_span("call") as span:
        fields = {}
        inject(fields)
        call(fields)
        context = span.get_span_context()
        return context.trace_id, context.span_id


def post(server, path, body, fields):
    request = urllib.request.Request(f"http://{server.address}{path}", body, {"content-type": "application/json", **fields})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.read()


def get(server, path):
    with urllib.request.urlopen(f"http://{server.address}{path}", timeout=10) as answer:
        return answer.read().decode()


def unary(server, method, body, metadata):
    with grpc.insecure_channel(server.address) as channel:
        try:
            return channel.unary_unary(method)(body, metadata=metadata, timeout=10)
        except grpc.RpcError as error:
            return error


def attributes(pairs):
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in pairs}


class Collector:
    """A receiver of OTLP, made of OpenTelemetry's messages and gRPC's server for Python."""

    def __init__(self):
        from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as messages
        from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc as services

        self.spans = []
        self.failures = 0
        self.lock = threading.Lock()
        own = self

        class Receiver(services.TraceServiceServicer):
            def Export(self, request, context):
                with own.lock:
                    if own.failures:
                        own.failures -= 1
                        context.abort(grpc.StatusCode.UNAVAILABLE, "away")
                    for part in request.resource_spans:
                        own.spans += [(part.resource, span) for scope in part.scope_spans for span in scope.spans]
                return messages.ExportTraceServiceResponse()

        self.server = grpc.server(concurrent.futures.ThreadPoolExecutor(2))
        services.add_TraceServiceServicer_to_server(Receiver(), self.server)
        self.address = f"127.0.0.1:{self.server.add_insecure_port('127.0.0.1:0')}"
        self.server.start()

    def fail(self, count):
        with self.lock:
            self.failures = count

    def of(self, trace):
        with self.lock:
            return [(resource, span) for resource, span in self.spans if span.trace_id == trace.to_bytes(16)]

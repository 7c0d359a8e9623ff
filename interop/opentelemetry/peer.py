"""OpenTelemetry's Python SDK calls our server within spans, and its messages read the spans that we send by OTLP."""

import collections
import concurrent.futures
import json
import pathlib
import subprocess
import tempfile
import threading
import urllib.request

import grpc
from harness import GO_PROGRAMS, call_metrics, eventually, expect, go_tool, our_programs, ours, package, same

NEEDS = [our_programs, package("opentelemetry-sdk", "1.45.2"), package("opentelemetry-proto", "1.45.2"), package("opentelemetry-semantic-conventions", "0.66b2"), go_tool("collector")]
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
            same(("grpc", "grpc.testing.TestService/EmptyCall", "OK"), tuple(had[f"rpc.{k}"] for k in ("system.name", "method", "status_code")))
            known = call_metrics.SPANS
            expect({key for key in had if not key.startswith("polywire.")} <= known, f"{had}")
            same("127.0.0.1", had["network.peer.address"])
            expect(had["network.peer.port"] > 0 and "error.type" not in had, f"{had}")
            same(["handler entered", "handler left"], [event.name for event in found.events])
            same(1, found.flags)
        with suite.check("OTLP: a failed call says so"):
            # code 7 and a text, by field numbers of SimpleRequest.response_status
            body = bytes([0x3A, 0x06, 0x08, 0x07, 0x12, 0x02]) + b"no"
            trace, _ = within(tracer, inject, lambda fields: unary(server, UNKNOWN, body, list(fields.items())))
            expect(eventually(lambda: collector.of(trace), SENT_S), "no span")
            found = collector.of(trace)[0][1]
            had = attributes(found.attributes)
            same(("grpc", "PERMISSION_DENIED"), (had["rpc.system.name"], had["rpc.status_code"]))
            expect(found.status.code == 0 and "error.type" not in had, "its caller's fault is no error of the server")
        with suite.check("OTLP: a call that fails by the server's fault is an error"):
            # code 13
            body = bytes([0x3A, 0x06, 0x08, 0x0D, 0x12, 0x02]) + b"no"
            trace, _ = within(tracer, inject, lambda fields: unary(server, UNKNOWN, body, list(fields.items())))
            expect(eventually(lambda: collector.of(trace), SENT_S), "no span")
            found = collector.of(trace)[0][1]
            same((found.status.STATUS_CODE_ERROR, "no"), (found.status.code, found.status.message))
            same("INTERNAL", attributes(found.attributes)["error.type"])
        with suite.check("OTLP: calls while the collector is away are sent when it is back"):
            collector.fail(2)
            before = len(collector.spans)
            for _ in range(5):
                post(server, EMPTY, b"{}", {})
            expect(eventually(lambda: len(collector.spans) >= before + 5, SENT_S), f"{len(collector.spans) - before} of 5")
            same(0, collector.failures)
        check_metrics(suite, server, collector, tracer, inject)
    finally:
        server.stop()
        collector.server.stop(None)
    with tempfile.TemporaryDirectory() as folder:
        check_real(suite, pathlib.Path(folder) / "collected")
        check_files(suite, pathlib.Path(folder) / "spans")


def check_real(suite, path):
    """OpenTelemetry's Collector: its receiver, and a file of what has come."""
    collector = suite.foreign_server("collector", [str(GO_PROGRAMS / "collector"), "serve", str(path)])
    server = suite.foreign_server("traced", [str(ours(suite, "traced")), collector.address])
    try:
        for _ in range(20):
            post(server, EMPTY, b"{}", {})
        same(0, server.stop(), "exit code")  # it sends what it has before it ends
    finally:
        collector.stop()
    requests = [json.loads(line) for line in path.read_text().splitlines()]
    with suite.check("the Collector has all spans"):
        found = [span for of in parts(requests, "resourceSpans", "scopeSpans", "spans") for span in of]
        calls = [span for span in found if span["name"] == "grpc.testing.TestService/EmptyCall"]
        same((20, 20), (len(calls), len({(span["traceId"], span["spanId"]) for span in calls})))
        had = {pair["key"] for pair in calls[0]["attributes"]}
        expect(had >= {"rpc.system.name", "rpc.method", "rpc.status_code", "network.peer.address", "network.peer.port"}, f"{had}")
        same({2}, {span["kind"] for span in calls})
    with suite.check("and the metrics, of which a histogram counts them"):
        found = [metric for of in parts(requests, "resourceMetrics", "scopeMetrics", "metrics") for metric in of]
        names = collections.Counter(metric["name"] for metric in found)
        expect(names["polywire_server_faults"] and names["process_resident_memory_bytes"], f"{names}")
        points = [point for metric in found if metric["name"] == "rpc.server.call.duration" for point in metric["histogram"]["dataPoints"]]
        counts = [int(point["count"]) for point in points if {"key": "rpc.method", "value": {"stringValue": EMPTY[1:]}} in point["attributes"]]
        same(20, max(counts, default=0), "calls")


def parts(requests, of_resources, of_scopes, of):
    """What requests have of a kind."""
    return [scope[of] for request in requests for one in request.get(of_resources, []) for scope in one[of_scopes]]


def check_files(suite, folder):
    """Files of spans, read as the Collector reads such files."""
    server = suite.start("127.0.0.1:0", "--span-files", str(folder))
    try:
        for number in range(10):
            post(server, "/example.EchoService/Echo", json.dumps({"message": f"\n\"{number}"}).encode(), {})
    finally:
        same(0, server.stop(), "exit code")
    with suite.check("the Collector reads our files of spans"):
        (file,) = folder.iterdir()
        command = [GO_PROGRAMS / "collector", "read", file]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=30)
        same((0, ""), (ran.returncode, ran.stderr))
        same({"polywire Server example.EchoService/Echo 2 Unset": 10}, json.loads(ran.stdout))


def check_metrics(suite, server, collector, tracer, inject):
    durations = "rpc.server.call.duration"
    method = {"rpc.system.name": "http", "rpc.method": EMPTY[1:], "rpc.status_code": "OK"}
    with suite.check("OTLP metrics: those of calls have the names, units and attributes of the conventions"):
        check_names(suite, server, collector)
    with suite.check("OTLP metrics: a histogram counts each call in its bucket, with the trace of one as exemplar"):
        before = collector.point(durations, method)
        trace, _ = within(tracer, inject, lambda fields: post(server, EMPTY, b"{}", fields))
        expect(eventually(lambda: (collector.point(durations, method) or before).count == before.count + 1, SENT_S), "not counted")
        metric, point = collector.metrics[durations], collector.point(durations, method)
        same(("s", "histogram", 2), (metric.unit, metric.WhichOneof("data"), metric.histogram.aggregation_temporality))
        same(len(point.explicit_bounds) + 1, len(point.bucket_counts))
        same([1e-06, 2e-06, 5e-06], [*point.explicit_bounds[:3]])
        same(call_metrics.CONVENTION, [bound for bound in point.explicit_bounds if bound >= call_metrics.CONVENTION[0]])
        same(point.count, sum(point.bucket_counts))
        expect(0 < point.sum < 60, f"{point.sum}")
        expect(trace.to_bytes(16) in [exemplar.trace_id for exemplar in point.exemplars], "no exemplar of the call")
        expect(all(exemplar.as_double > 0 for exemplar in point.exemplars), "a value")
    with suite.check("OTLP metrics: counters grow from the start of the process, gauges have units"):
        faults = collector.metrics["polywire_server_faults"]
        same(("sum", 2, True), (faults.WhichOneof("data"), faults.sum.aggregation_temporality, faults.sum.is_monotonic))
        same("as_int", faults.sum.data_points[0].WhichOneof("value"))
        memory = collector.metrics["process_resident_memory_bytes"]
        same(("gauge", "By"), (memory.WhichOneof("data"), memory.unit))
        expect(memory.gauge.data_points[0].as_double > 1e6, "no memory")
        started = collector.metrics["process_start_time_seconds"].gauge.data_points[0].as_double
        expect(abs(faults.sum.data_points[0].start_time_unix_nano / 1e9 - started) < 1, "counted since another time")
        same("traced", attributes(collector.resource.attributes)["service.name"])


def check_names(suite, server, collector):
    """The metrics of calls by gRPC, that succeed, fail and are for no method."""
    from opentelemetry.semconv._incubating.attributes import rpc_attributes
    from opentelemetry.semconv._incubating.metrics import rpc_metrics

    for path in (EMPTY, "/grpc.testing.TestService/None", "/no.Such/Method"):
        unary(server, path, b"", [])
    by_grpc = {"grpc.method": EMPTY[1:], "grpc.status": "OK"}
    point = collector.point("grpc.server.call.duration", by_grpc)
    same(call_metrics.GRPC_LATENCY, [*point.explicit_bounds])
    same(call_metrics.GRPC_SIZE, [*collector.point("grpc.server.call.rcvd_total_compressed_message_size", by_grpc).explicit_bounds])
    other = {"rpc.system.name": "grpc", "rpc.method": "_OTHER", "rpc.status_code": "UNIMPLEMENTED", "error.type": "UNIMPLEMENTED"}
    expect(eventually(lambda: collector.point("rpc.server.call.duration", other).count >= 2, SENT_S), "not both")
    with collector.lock:
        metrics = {name: metric for name, metric in collector.metrics.items() if call_metrics.is_of_calls(name)}
    for name, metric in metrics.items():
        kind = metric.WhichOneof("data")
        call_metrics.check(name, kind, metric.unit, [attributes(point.attributes) for point in getattr(metric, kind).data_points])
    # what sends the spans and metrics is a channel of the program
    expect({"rpc.client.call.duration", "grpc.client.attempt.duration", "grpc.server.call.started"} <= metrics.keys(), f"{metrics.keys()}")
    # the names in OpenTelemetry's own lists
    names = {name for name in metrics if name.startswith("rpc.")}
    keys = {key for span in collector.spans for key in attributes(span[1].attributes) if key.startswith("rpc.")}
    listed = {value for of in (rpc_metrics, rpc_attributes) for key, value in vars(of).items() if key.isupper() and isinstance(value, str)}
    expect(names and keys, "none to compare")
    # which are those of 1.44, before rpc.response.status_code was renamed
    same({"rpc.status_code"}, (names | keys) - listed)


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

        from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2 as metrics_messages
        from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2_grpc as metrics_services

        self.spans = []
        self.metrics = {}
        self.resource = None
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

        class MetricsReceiver(metrics_services.MetricsServiceServicer):
            def Export(self, request, context):
                for part in request.resource_metrics:
                    with own.lock:
                        own.resource = part.resource
                        own.metrics.update({metric.name: metric for scope in part.scope_metrics for metric in scope.metrics})
                return metrics_messages.ExportMetricsServiceResponse()

        self.server = grpc.server(concurrent.futures.ThreadPoolExecutor(2))
        services.add_TraceServiceServicer_to_server(Receiver(), self.server)
        metrics_services.add_MetricsServiceServicer_to_server(MetricsReceiver(), self.server)
        self.address = f"127.0.0.1:{self.server.add_insecure_port('127.0.0.1:0')}"
        self.server.start()

    def fail(self, count):
        with self.lock:
            self.failures = count

    def point(self, name, labels):
        """The histogram with these labels, as it was last sent; waits for the first one."""

        def found():
            with self.lock:
                metric = self.metrics.get(name)
                points = metric.histogram.data_points if metric else []
                return [point for point in points if attributes(point.attributes) == labels]

        expect(eventually(found, SENT_S), f"no {name} of {labels}")
        return found()[0]

    def of(self, trace):
        with self.lock:
            return [(resource, span) for resource, span in self.spans if span.trace_id == trace.to_bytes(16)]

"""What conventions call the metrics and spans of calls, as a table.

OpenTelemetry's semantic conventions for RPC after 1.44 (docs/rpc/rpc-metrics.md, rpc-spans.md), and gRPC's proposals A66, A91, A94 and A96. Each suite that
sees metrics of ours compares them with it.
"""

import re

from harness import expect

# The kind and unit; the attributes that every series has, and those that it may have.
STATUS = {"rpc.status_code", "error.type"}
METHOD_OF_OUTLIERS = "grpc.lb.outlier_detection.detection_method"
REASON = "grpc.lb.outlier_detection.unenforced_reason"
METRICS = {
    "rpc.server.call.duration": ("histogram", "s", {"rpc.system.name", "rpc.method"}, STATUS),
    "rpc.client.call.duration": ("histogram", "s", {"rpc.system.name", "rpc.method"}, STATUS | {"server.address", "server.port"}),
    "grpc.server.call.started": ("sum", "{call}", {"grpc.method"}, set()),
    "grpc.server.call.duration": ("histogram", "s", {"grpc.method", "grpc.status"}, set()),
    "grpc.server.call.sent_total_compressed_message_size": ("histogram", "By", {"grpc.method", "grpc.status"}, set()),
    "grpc.server.call.rcvd_total_compressed_message_size": ("histogram", "By", {"grpc.method", "grpc.status"}, set()),
    "grpc.client.call.duration": ("histogram", "s", {"grpc.method", "grpc.target", "grpc.status"}, set()),
    "grpc.client.attempt.started": ("sum", "{attempt}", {"grpc.method", "grpc.target"}, set()),
    "grpc.client.attempt.duration": ("histogram", "s", {"grpc.method", "grpc.target", "grpc.status"}, set()),
    "grpc.client.attempt.sent_total_compressed_message_size": ("histogram", "By", {"grpc.method", "grpc.target", "grpc.status"}, set()),
    "grpc.client.attempt.rcvd_total_compressed_message_size": ("histogram", "By", {"grpc.method", "grpc.target", "grpc.status"}, set()),
    "grpc.client.call.retries": ("histogram", "{retry}", {"grpc.method", "grpc.target"}, set()),
    "grpc.client.call.transparent_retries": ("histogram", "{transparent_retry}", {"grpc.method", "grpc.target"}, set()),
    "grpc.client.call.hedges": ("histogram", "{hedge}", {"grpc.method", "grpc.target"}, set()),
    "grpc.client.call.retry_delay": ("histogram", "s", {"grpc.method", "grpc.target"}, set()),
    "grpc.subchannel.connection_attempts_succeeded": ("sum", "{attempt}", {"grpc.target"}, set()),
    "grpc.subchannel.connection_attempts_failed": ("sum", "{attempt}", {"grpc.target"}, set()),
    "grpc.subchannel.disconnections": ("sum", "{disconnection}", {"grpc.target"}, set()),
    "grpc.subchannel.open_connections": ("gauge", "{connection}", {"grpc.target"}, set()),
    "grpc.lb.outlier_detection.ejections_enforced": ("sum", "{ejection}", {"grpc.target", METHOD_OF_OUTLIERS}, set()),
    "grpc.lb.outlier_detection.ejections_unenforced": ("sum", "{ejection}", {"grpc.target", METHOD_OF_OUTLIERS, REASON}, set()),
}

# Bounds that queries name.
CONVENTION = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
GRPC_LATENCY = [
    *(0, 0.00001, 0.00005, 0.0001, 0.0003, 0.0006, 0.0008, 0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.008, 0.01, 0.013, 0.016, 0.02),
    *(0.025, 0.03, 0.04, 0.05, 0.065, 0.08, 0.1, 0.13, 0.16, 0.2, 0.25, 0.3, 0.4, 0.5, 0.65, 0.8, 1, 2, 5, 10, 20, 50, 100),
]
GRPC_SIZE = [0, 1024, 2048, *(4**k * 1024 for k in range(1, 12))]

SPANS = {"rpc.system.name", "rpc.method", "rpc.status_code", "error.type", "server.address", "server.port", "network.peer.address", "network.peer.port"}


def check(name, kind, unit, series):
    """A metric as it came by OTLP, with the attributes of each of its series."""
    expect(name in METRICS, f"no convention has {name}")
    known_kind, known_unit, always, sometimes = METRICS[name]
    expect((kind, unit) == (known_kind, known_unit), f"{name} is a {kind} of {unit}")
    for attributes in series:
        keys = set(attributes)
        expect(always <= keys <= always | sometimes, f"{name} has {keys}")
        if name.startswith("rpc.") and attributes.get("rpc.status_code") == "OK":
            expect("error.type" not in keys, f"{name}: a call that succeeded has a type of error")


def is_of_calls(name):
    """Whether a name is one that a convention owns."""
    return name.startswith(("rpc.", "grpc."))


def in_prometheus(name):
    """What Prometheus calls it."""
    kind, unit, _, _ = METRICS[name]
    suffix = {"s": "_seconds", "By": "_bytes"}.get(unit, "")
    return re.sub(r"\W", "_", name) + suffix + ("_total" if kind == "sum" else "")


def check_text(families):
    """Metrics as Prometheus' text has them: `{name: [labels, ...]}` of all series, without their suffixes."""
    known = {in_prometheus(name): (always, sometimes) for name, (_, _, always, sometimes) in METRICS.items()}
    for name, series in families.items():
        if not name.startswith(("rpc_server_call", "rpc_client", "grpc_")):
            continue
        expect(name in known, f"no convention has {name}")
        always, sometimes = ({key.replace(".", "_") for key in keys} for keys in known[name])
        for labels in series:
            keys = set(labels) - {"le"}
            expect(always <= keys <= always | sometimes, f"{name} has {keys}")

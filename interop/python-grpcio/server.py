"""A server of grpcio's for gRPC's interop cases: `python server.py`."""

import signal
import threading
import time
from concurrent import futures

import grpc
from grpc_reflection.v1alpha import reflection
from stubs import messages, services

ECHO_INITIAL = "x-grpc-test-echo-initial"
ECHO_TRAILING = "x-grpc-test-echo-trailing-bin"
GZIP = grpc.Compression.Gzip


class Testing(services.TestServiceServicer):
    def EmptyCall(self, request, context):
        echo_fields(context)
        return messages.Empty()

    def UnaryCall(self, request, context):
        echo_fields(context)
        fail_if_told(request, context)
        if request.response_compressed.value:
            context.set_compression(GZIP)
        return messages.SimpleResponse(payload=zeros(request.response_size))

    def StreamingOutputCall(self, request, context):
        echo_fields(context)
        if any(wanted.compressed.value for wanted in request.response_parameters):
            context.set_compression(GZIP)
        yield from answers(request, context)

    def StreamingInputCall(self, requests, context):
        size = sum(len(request.payload.body) for request in requests)
        return messages.StreamingInputCallResponse(aggregated_payload_size=size)

    def FullDuplexCall(self, requests, context):
        echo_fields(context)
        for request in requests:
            yield from answers(request, context)

    def HalfDuplexCall(self, requests, context):
        for request in list(requests):
            yield from answers(request, context)


def answers(request, context):
    fail_if_told(request, context)
    for wanted in request.response_parameters:
        time.sleep(wanted.interval_us / 1e6)
        if not wanted.compressed.value:
            context.disable_next_message_compression()
        yield messages.StreamingOutputCallResponse(payload=zeros(wanted.size))


def zeros(size):
    return messages.Payload(body=bytes(size))


def fail_if_told(request, context):
    if request.response_status.code:
        code = next(code for code in grpc.StatusCode if code.value[0] == request.response_status.code)
        context.abort(code, request.response_status.message)


def echo_fields(context):
    fields = dict(context.invocation_metadata())
    if ECHO_INITIAL in fields:
        context.send_initial_metadata([(ECHO_INITIAL, fields[ECHO_INITIAL])])
    if ECHO_TRAILING in fields:
        context.set_trailing_metadata([(ECHO_TRAILING, fields[ECHO_TRAILING])])


if __name__ == "__main__":
    server = grpc.server(futures.ThreadPoolExecutor(32))
    services.add_TestServiceServicer_to_server(Testing(), server)
    reflection.enable_server_reflection(["grpc.testing.TestService", reflection.SERVICE_NAME], server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(f"listening on 127.0.0.1:{port}", flush=True)
    told = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: told.set())
    told.wait()
    server.stop(None).wait()

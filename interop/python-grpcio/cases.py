"""gRPC's interop cases with grpcio as client: `python cases.py HOST:PORT`, a line for each.

Source: grpc/grpc doc/interop-test-descriptions.md; docs/wire/grpc.md section 8.
"""

import sys
import time

import grpc
from checks import report, same
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from stubs import messages, services

SPECIAL = "\t\ntest with whitespace\r\nand Unicode BMP \u263a and non-BMP \U0001f608\t\n"
UPLOADS = (27182, 8, 1828, 45904)
RESPONSES = (31415, 9, 2653, 58979)
GZIP = grpc.Compression.Gzip
TRUE, FALSE = messages.BoolValue(value=True), messages.BoolValue(value=False)
# Of calls that should end by themselves.
LIMIT_S = 20


def fails(code, call):
    """The message of a call that fails as it should."""
    try:
        call()
    except grpc.RpcError as error:
        same(code, error.code())
        return error.details()
    raise AssertionError(f"expected {code}, but it went well")


def zeros(size):
    return messages.Payload(body=bytes(size))


def simple(**more):
    return messages.SimpleRequest(response_size=314159, payload=zeros(271828), **more)


def wanting(*sizes, payload=None):
    parameters = [messages.ResponseParameters(size=size) for size in sizes]
    return messages.StreamingOutputCallRequest(response_parameters=parameters, payload=payload)


class PingPong:
    """Requests of a stream that are sent one at a time."""

    def __init__(self, stub, **options):
        self.requests, self.sent, self.ended = [], 0, False
        self.call = stub.FullDuplexCall(self._feed(), timeout=LIMIT_S, **options)

    def _feed(self):
        while not self.ended or self.requests:
            if self.requests:
                yield self.requests.pop(0)
            else:
                time.sleep(0.001)

    def ask(self, request):
        self.requests.append(request)
        return next(self.call)


def empty_unary(stub):
    same(messages.Empty(), stub.EmptyCall(messages.Empty(), timeout=LIMIT_S))


def large_unary(stub):
    same(bytes(314159), stub.UnaryCall(simple(), timeout=LIMIT_S).payload.body)


def client_streaming(stub):
    requests = (messages.StreamingInputCallRequest(payload=zeros(size)) for size in UPLOADS)
    same(sum(UPLOADS), stub.StreamingInputCall(requests, timeout=LIMIT_S).aggregated_payload_size)


def server_streaming(stub):
    replies = stub.StreamingOutputCall(wanting(*RESPONSES), timeout=LIMIT_S)
    same(list(RESPONSES), [len(reply.payload.body) for reply in replies])


def ping_pong(stub):
    pipe = PingPong(stub)
    for upload, response in zip(UPLOADS, RESPONSES):
        same(response, len(pipe.ask(wanting(response, payload=zeros(upload))).payload.body))
    pipe.ended = True
    same([], list(pipe.call))


def empty_stream(stub):
    same([], list(stub.FullDuplexCall(iter(()), timeout=LIMIT_S)))


def timeout_on_sleeping_server(stub):
    def sleeping():
        yield wanting(payload=zeros(27182))
        time.sleep(1)

    fails(grpc.StatusCode.DEADLINE_EXCEEDED, lambda: list(stub.FullDuplexCall(sleeping(), timeout=0.001)))


def cancel_after_begin(stub):
    def never():
        time.sleep(1)
        yield from ()

    call = stub.StreamingInputCall.future(never())
    call.cancel()
    same(grpc.StatusCode.CANCELLED, call.code())
    empty_unary(stub)  # the connection goes on


def cancel_after_first_response(stub):
    pipe = PingPong(stub)
    same(31415, len(pipe.ask(wanting(31415, payload=zeros(27182))).payload.body))
    pipe.call.cancel()
    fails(grpc.StatusCode.CANCELLED, lambda: next(pipe.call))
    pipe.ended = True
    empty_unary(stub)


def custom_metadata(stub):
    initial, trailing = ("x-grpc-test-echo-initial", "test_initial_metadata_value"), ("x-grpc-test-echo-trailing-bin", b"\xab\xab\xab")
    _, unary = stub.UnaryCall.with_call(simple(), metadata=[initial, trailing], timeout=LIMIT_S)
    pipe = PingPong(stub, metadata=[initial, trailing])
    pipe.ask(wanting(314159, payload=zeros(271828)))
    pipe.ended = True
    same([], list(pipe.call))
    for call in (unary, pipe.call):
        same(initial[1], dict(call.initial_metadata()).get(initial[0]))
        same(trailing[1], dict(call.trailing_metadata()).get(trailing[0]))


def status_code_and_message(stub):
    status = messages.EchoStatus(code=2, message="test status message")
    unary = messages.SimpleRequest(response_status=status)
    stream = messages.StreamingOutputCallRequest(response_status=status)
    unknown = grpc.StatusCode.UNKNOWN
    same(status.message, fails(unknown, lambda: stub.UnaryCall(unary, timeout=LIMIT_S)))
    same(status.message, fails(unknown, lambda: list(stub.FullDuplexCall(iter([stream]), timeout=LIMIT_S))))


def special_status_message(stub):
    request = messages.SimpleRequest(response_status=messages.EchoStatus(code=2, message=SPECIAL))
    same(SPECIAL, fails(grpc.StatusCode.UNKNOWN, lambda: stub.UnaryCall(request, timeout=LIMIT_S)))


def details_of_a_failure(stub):
    """Not of gRPC's list: `from_call` refuses details whose code or text is not that of the call."""
    request = messages.SimpleRequest(response_status=messages.EchoStatus(code=9, message=SPECIAL))
    try:
        stub.UnaryCall(request, timeout=LIMIT_S)
    except grpc.RpcError as error:
        status = rpc_status.from_call(error)
    [detail] = status.details
    info = error_details_pb2.ErrorInfo()
    same(True, detail.Unpack(info))
    same(("ASKED_FOR", "grpc.testing"), (info.reason, info.domain))


def unimplemented(channel, service):
    call = channel.unary_unary(f"/grpc.testing.{service}/UnimplementedCall")
    fails(grpc.StatusCode.UNIMPLEMENTED, lambda: call(b"", timeout=LIMIT_S))


def client_compressed_unary(stub):
    fails(grpc.StatusCode.INVALID_ARGUMENT, lambda: stub.UnaryCall(simple(expect_compressed=TRUE), timeout=LIMIT_S))
    for expected, compression in ((TRUE, GZIP), (FALSE, None)):
        reply = stub.UnaryCall(simple(expect_compressed=expected), compression=compression, timeout=LIMIT_S)
        same(314159, len(reply.payload.body))


def client_compressed_streaming(stub):
    def requests():
        for size in (27182, 45904):
            yield messages.StreamingInputCallRequest(payload=zeros(size), expect_compressed=TRUE)

    fails(grpc.StatusCode.INVALID_ARGUMENT, lambda: stub.StreamingInputCall(requests(), timeout=LIMIT_S))
    reply = stub.StreamingInputCall(requests(), compression=GZIP, timeout=LIMIT_S)
    same(73086, reply.aggregated_payload_size)


def server_compressed_unary(stub):
    for compressed in (TRUE, FALSE):
        same(314159, len(stub.UnaryCall(simple(response_compressed=compressed), timeout=LIMIT_S).payload.body))


def server_compressed_streaming(stub):
    request = wanting(31415, 92653)
    request.response_parameters[0].compressed.value = True
    replies = stub.StreamingOutputCall(request, timeout=LIMIT_S)
    same([31415, 92653], [len(reply.payload.body) for reply in replies])


CASES = [
    empty_unary,
    large_unary,
    client_streaming,
    server_streaming,
    ping_pong,
    empty_stream,
    timeout_on_sleeping_server,
    cancel_after_begin,
    cancel_after_first_response,
    custom_metadata,
    status_code_and_message,
    special_status_message,
    details_of_a_failure,
    client_compressed_unary,
    client_compressed_streaming,
    server_compressed_unary,
    server_compressed_streaming,
]


def main(address):
    with grpc.insecure_channel(address) as channel:
        stub = services.TestServiceStub(channel)
        checks = {f"client: {case.__name__}": lambda case=case: case(stub) for case in CASES}
        checks["client: unimplemented_method"] = lambda: unimplemented(channel, "TestService")
        checks["client: unimplemented_service"] = lambda: unimplemented(channel, "UnimplementedService")
        return report(checks)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

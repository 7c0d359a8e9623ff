"""grpcio as server, `python echo.py`, or as client of `example.EchoService`, `python echo.py GATEWAY [numbers]`: a line for each
check. With `numbers` the servers behind are told which method by its number.

Messages are bytes: field 1 of both is the text.
"""

import sys
from concurrent import futures

import grpc

LIMIT_S = 20
SERVICE = "example.EchoService"
UNLIMITED = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]


def same(expected, found):
    if expected != found:
        raise AssertionError(f"expected {expected!r:.300}, found {found!r:.300}")


def message(text):
    size, length = len(text), b""
    while size >= 0x80:
        size, length = size >> 7, length + bytes([size & 0x7F | 0x80])
    return b"\n" + length + bytes([size]) + text


def serve():
    server = grpc.server(futures.ThreadPoolExecutor(16), options=UNLIMITED)
    echo = grpc.unary_unary_rpc_method_handler(lambda request, _: request)
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(SERVICE, {"Echo": echo})])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(f"listening on 127.0.0.1:{port}", flush=True)
    server.wait_for_termination()


class Client:
    def __init__(self, channel):
        self.channel = channel

    def call(self, method, request):
        return self.channel.unary_unary(f"/{SERVICE}/{method}")(request, timeout=LIMIT_S)

    def echo(self, *texts):
        for text in texts:
            same(message(text), self.call("Echo", message(text)))

    def failure(self, method, said):
        try:
            self.call(method, message(b"x"))
        except grpc.RpcError as error:
            if said not in error.details():
                raise AssertionError(f"{error.code()}: {error.details()}") from None
            return error.code()
        raise AssertionError(f"{method} was answered")

    def many(self):
        calls = [self.channel.unary_unary(f"/{SERVICE}/Echo").future(message(b"%d" % n), timeout=LIMIT_S) for n in range(500)]
        for n, call in enumerate(calls):
            same(message(b"%d" % n), call.result())

    def unknown(self):
        same(grpc.StatusCode.UNIMPLEMENTED, self.failure("Nothing", "say a method's number, which is not known"))
        self.echo(b"still there")


def main(gateway, numbers):
    failed = False
    with grpc.insecure_channel(gateway, options=UNLIMITED) as channel:
        client = Client(channel)
        checks = {
            "grpcio: messages of 0 to 10 MiB": lambda: client.echo(b"", b"hello", b"x" * 65536, b"x" * (10 << 20)),
            "grpcio: a failure of the server": lambda: client.failure("Fail", "failed as asked: x"),
            "grpcio: 500 calls at once, each with its own reply": client.many,
        }
        if numbers:
            checks["grpcio: a method that the gateway does not know"] = client.unknown
        for name, check in checks.items():
            try:
                check()
            except Exception as reason:
                failed = True
                print(f"FAIL {name}: {type(reason).__name__}: {' '.join(str(reason).split())[:400]}", flush=True)
            else:
                print(f"pass {name}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "numbers" in sys.argv) if len(sys.argv) > 1 else serve())

"""A server of grpcio's, `server.py [PORT]`: it answers, counts its calls, hangs, and answers with what is no text; at SIGTERM it says goodbye."""

import collections
import json
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
from grpc_reflection.v1alpha import reflection

sys.path.append(str(Path(__file__).resolve().parent.parent / "python-grpcio"))
from stubs import messages  # noqa: E402, F401: its services are those that reflection tells

SERVICE = "grpc.testing.TestService"
# `username` of a SimpleResponse, which is no UTF-8.
NO_TEXT = b"\x12\x02\xff\xfe"
# How long calls have when it stops.
GRACE_S = 5

lock = threading.Lock()
begun, under_way = collections.Counter(), collections.Counter()


def counted(name, answer):
    def call(message, context):
        def ended():
            with lock:
                under_way[name] -= 1

        with lock:
            begun[name] += 1
            under_way[name] += 1
        if not context.add_callback(ended):
            ended()
        return answer(message, context)

    return grpc.unary_unary_rpc_method_handler(call)


def hang(_, context):
    """Until its caller gives up."""
    left = threading.Event()
    if context.add_callback(left.set):
        left.wait()
    return b""


def counts(*_):
    with lock:
        return json.dumps({"begun": begun, "under_way": under_way}).encode()


METHODS = {
    f"/{SERVICE}/UnaryCall": counted("UnaryCall", lambda *_: b""),
    f"/{SERVICE}/EmptyCall": counted("EmptyCall", hang),
    f"/{SERVICE}/CacheableUnaryCall": counted("CacheableUnaryCall", lambda *_: NO_TEXT),
    "/counts": grpc.unary_unary_rpc_method_handler(counts),
}


class Methods(grpc.GenericRpcHandler):
    def service(self, details):
        return METHODS.get(details.method)


if __name__ == "__main__":
    server = grpc.server(ThreadPoolExecutor(128), handlers=[Methods()])
    reflection.enable_server_reflection([SERVICE, reflection.SERVICE_NAME], server)
    port = server.add_insecure_port(f"127.0.0.1:{sys.argv[1] if len(sys.argv) > 1 else 0}")
    server.start()
    print(f"listening on 127.0.0.1:{port}", flush=True)
    told = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: told.set())
    told.wait()
    server.stop(GRACE_S).wait()

"""grpcio's server of the demo services: `server.py STREAMS AGE_MS`, zero for none; says where it listens."""

import sys
import time
from concurrent.futures import ThreadPoolExecutor

import grpc

STREAMS, AGE_MS = (int(argument) for argument in sys.argv[1:])


def varint(number):
    found = b""
    while number >= 128:
        found, number = found + bytes([number & 127 | 128]), number >> 7
    return found + bytes([number])


def line(text):
    return b"\x0a" + varint(len(text)) + text


def read(message):
    """The text of a message, and its numbers."""
    at, text, numbers = 0, b"", {}

    def number():
        nonlocal at
        found, shift = 0, 0
        while True:
            at, byte = at + 1, message[at]
            found |= (byte & 127) << shift
            if byte < 128:
                return found
            shift += 7

    while at < len(message):
        tag, value = number(), number()
        if tag & 7 == 2:
            text, at = message[at : at + value], at + value
        else:
            numbers[tag >> 3] = value
    return text, numbers


def echo(message, context):
    text, _ = read(message)
    if text.startswith(b"metadata "):
        context.send_initial_metadata([("x-long", "x" * int(text[9:]))])
    return message


def chat(messages, _):
    yield from messages


def collect(messages, _):
    return b"\x08" + varint(sum(1 for _ in messages))


def repeat(message, _):
    text, numbers = read(message)
    for n in range(numbers.get(2, 0)):
        if n > 0 and numbers.get(3):
            time.sleep(numbers[3] / 1000)
        yield line(text)


class Demo(grpc.GenericRpcHandler):
    METHODS = {
        "/example.EchoService/Echo": grpc.unary_unary_rpc_method_handler(echo),
        "/example.StreamService/Chat": grpc.stream_stream_rpc_method_handler(chat),
        "/example.StreamService/Collect": grpc.stream_unary_rpc_method_handler(collect),
        "/example.StreamService/Repeat": grpc.unary_stream_rpc_method_handler(repeat),
    }

    def service(self, details):
        return self.METHODS.get(details.method)


options = [("grpc.max_concurrent_streams", STREAMS)] if STREAMS else []
options += [("grpc.max_connection_age_ms", AGE_MS)] if AGE_MS else []
server = grpc.server(ThreadPoolExecutor(16), handlers=[Demo()], options=options)
print(f"listening on 127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}", flush=True)
server.start()
server.wait_for_termination()

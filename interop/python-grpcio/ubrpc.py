"""grpcio's server behind `polywire gateway`, called over ubrpc: `python ubrpc.py GATEWAY SERVER`, a line for each check.

The frames are written here as docs/wire/ubrpc.md and mcpack.md have them. What is right says grpcio itself.
"""

import socket
import struct
import sys

import grpc
from checks import report, same
from stubs import messages, services

LIMIT_S = 20
OBJECT, ARRAY, STRING, BINARY, BOOL, INT32, INT64 = 0x10, 0x20, 0x50, 0x60, 0x31, 0x14, 0x18


def field(code, name, value):
    """A field with a long head, or a fixed one."""
    name = name.encode() + b"\0" if name else b""
    size = b"" if code & 0x0F else struct.pack("<I", len(value))
    return struct.pack("<BB", code, len(name)) + size + name + value


def group(code, name, *members):
    return field(code, name, struct.pack("<I", len(members)) + b"".join(members))


def text(name, value):
    return field(STRING, name, value.encode() + b"\0")


def read(value):
    """The fields of an object or array: a dict of those with names, else a list."""
    named, plain, at = {}, [], 4
    while at < len(value):
        code, name_size = value[at], value[at + 1]
        at += 2
        if code & 0x0F:
            size = code & 0x0F
        elif code & 0x80:
            code, size, at = code & 0x7F, value[at], at + 1
        else:
            size, at = struct.unpack_from("<I", value, at)[0], at + 4
        name = value[at : at + name_size][:-1].decode()
        at += name_size
        part = value[at : at + size]
        at += size
        if code in (OBJECT, ARRAY):
            part = read(part)
        elif code == STRING:
            part = part[:-1].decode()
        elif code in (INT32, INT64):
            part = int.from_bytes(part, "little", signed=True)
        named[name] = part
        plain.append(part)
    return plain if set(named) <= {""} and plain else named


class Ubrpc:
    def __init__(self, address, stub):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=LIMIT_S)
        self.stream, self.stub, self.id = self.socket.makefile("rwb"), stub, 0

    def call(self, method, *members, service="TestService"):
        """What is in the reply, of a call on the one connection."""
        self.id += 1
        first = group(
            OBJECT,
            "",
            text("service_name", service),
            field(INT64, "id", struct.pack("<q", self.id)),
            text("method", method),
            group(OBJECT, "params", group(OBJECT, "req", *members)),
        )
        header = group(OBJECT, "header", field(BOOL, "connection", b"\1"))
        body = group(OBJECT, "", header, group(ARRAY, "content", first))
        self.stream.write(struct.pack("<HHI16sIII", 0, 1000, 0, b"", 0xFB709394, 0, len(body)) + body)
        self.stream.flush()
        head = struct.unpack("<HHI16sIII", self.stream.read(36))
        same(0xFB709394, head[4])
        reply = read(self.stream.read(head[6])[6:])["content"][0]
        same(self.id, reply["id"])
        return reply

    def unary(self):
        for size, body in ((5, b""), (100_000, bytes(range(256))), (0, b"x" * 300)):
            request = messages.SimpleRequest(response_size=size, payload=messages.Payload(body=body))
            expected = self.stub.UnaryCall(request, timeout=LIMIT_S).payload.body
            payload = group(OBJECT, "payload", field(BINARY, "body", body))
            reply = self.call("UnaryCall", field(INT32, "response_size", struct.pack("<i", size)), payload)
            same(expected, reply["result_params"]["res"].get("payload", {}).get("body", b""))

    def failure(self):
        status = group(OBJECT, "response_status", field(INT32, "code", struct.pack("<i", 7)), text("message", "not you"))
        error = self.call("UnaryCall", status)["error"]
        same("not you", error["message"])
        same(1, error["code"])  # PERMISSION_DENIED, docs/errors.md

    def wrong(self):
        same(1003, self.call("UnaryCall", text("response_size", "many"))["error"]["code"])
        same(1002, self.call("Nothing")["error"]["code"])
        same(1002, self.call("UnaryCall", service="Nothing")["error"]["code"])


def main(gateway, server):
    with grpc.insecure_channel(server) as channel:
        old = Ubrpc(gateway, services.TestServiceStub(channel))
        return report(
            {
                "gateway: ubrpc is answered with what grpcio says": old.unary,
                "gateway: a failure of the server over ubrpc": old.failure,
                "gateway: calls over ubrpc that are wrong": old.wrong,
            }
        )


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

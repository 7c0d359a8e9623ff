"""rest_rpc's frames and values, and a client that has them."""

import hashlib
import socket
import struct

try:
    import msgpack
except ImportError:  # then NEEDS says so
    msgpack = None

HEAD_A = struct.Struct("<BBHIQI")  # magic, type, padding, body length, request id, function
MAGIC = 0x27


def function_id(name):
    """The first four bytes of the MD5, as a big-endian number."""
    return int.from_bytes(hashlib.md5(name.encode()).digest()[:4], "big")


def pack(*arguments):
    return msgpack.packb(list(arguments))


def literal(value):
    """The type of a value as struct_pack names it."""
    return {int: b"\x01", float: b"\x12", str: b"\x80\x0c"}[type(value)]


def field(value):
    if isinstance(value, str):
        data = value.encode()
        return bytes([len(data)]) + data
    return struct.pack("<i" if isinstance(value, int) else "<d", value)


def struct_pack(*arguments, debug=False):
    """The tuple of all arguments; a debug build sends its literal along."""
    name = b"\xfd" + b"".join(map(literal, arguments)) + b"\xff"
    number = int.from_bytes(hashlib.md5(name).digest()[:4], "big") & ~1
    head = struct.pack("<I", number | debug) + (b"\x04" + name + b"\0" if debug else b"")
    return head + b"".join(map(field, arguments))


class A:
    """Format A: msgpack, replies by id."""

    name = "A"
    protocol = "rest_rpc:a"
    head_bytes = HEAD_A.size
    heartbeat = HEAD_A.pack(MAGIC, 0, 0, 0, 0, 0)

    def frame(self, body, function=0, id=0, topic=False):
        return HEAD_A.pack(MAGIC, topic, 0, len(body), id, function) + body

    def call(self, name, *arguments, id=1):
        return self.frame(pack(*arguments), function_id(name), id)

    def subscribe(self, key):
        return self.frame(pack(key, ""), function_id(key), topic=True)

    def head(self, data):
        """Length of the body, id, function, whether it is of a topic."""
        magic, kind, _, length, id, function = HEAD_A.unpack(data)
        assert magic == MAGIC, magic
        return length, id, function, kind == 1

    def result(self, body):
        code, *value = msgpack.unpackb(body)
        return code, value[0] if value else None

    def delivered(self, body):
        code, name, data = msgpack.unpackb(body)
        return name, data

    def reply(self, id, code, *value):
        return self.frame(pack(code, *value), id=id)


class B:
    """Format B: text and struct_pack, replies in order."""

    name = "B"
    protocol = "rest_rpc:b"
    head_bytes = 32

    def __init__(self, cross=False, debug=False):
        self.order = ">" if cross else "<"
        self.debug = debug
        self.name += " in cross ending" if cross else " of a debug build" if debug else ""
        self.protocol = "rest_rpc:cross" if cross else self.protocol

    def frame(self, body, function=0, topic=False):
        return struct.pack(f"{self.order}BBBBIQQQ", MAGIC, 0, 0, topic, function, 0, len(body), 0) + body

    def call(self, name, *arguments, id=0):
        match arguments:
            case ():
                body = b""
            case (str(text),):
                body = text.encode()
            case (int(number),):
                body = str(number).encode()
            case _:
                body = struct_pack(*arguments, debug=self.debug)
        return self.frame(body, function_id(name))

    def subscribe(self, key):
        return self.frame(b"", function_id(key), topic=True)

    def head(self, data):
        magic, _, _, kind, function, _, length, attached = struct.unpack(f"{self.order}BBBBIQQQ", data)
        assert (magic, attached) == (MAGIC, 0), data
        return length, None, function, kind == 1

    def result(self, body):
        text = body[1:].decode()
        return body[0], int(text) if text.lstrip("-").isdigit() else text

    def delivered(self, body):
        assert body[0] == 0, body
        return None, body[1:].decode()

    def reply(self, _, code, *value):
        return self.frame(bytes([code]) + "".join(map(str, value)).encode())


class Connection:
    """One socket and a format."""

    def __init__(self, format, address):
        self.format = format
        self.socket = address if isinstance(address, socket.socket) else socket.create_connection(address, timeout=20)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, frame):
        self.socket.sendall(frame)

    def read(self, length):
        data = b""
        while len(data) < length:
            some = self.socket.recv(length - len(data))
            if not some:
                raise EOFError(f"closed after {len(data)} of {length} bytes")
            data += some
        return data

    def receive(self):
        """The next frame: id, function, whether it is of a topic, body."""
        length, id, function, topic = self.format.head(self.read(self.format.head_bytes))
        return id, function, topic, self.read(length)

    def call(self, name, *arguments):
        """Code and value."""
        self.send(self.format.call(name, *arguments))
        return self.format.result(self.receive()[3])

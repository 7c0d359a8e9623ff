"""Garbage, lies and bad manners on the shared port: every connection ends as its sheet says, and the server lives on."""

import gzip
import random
import struct
import time

from harness import Raw, eventually, expect, same, responses

NEEDS = []
SEED = 20
ECHO = b"\x0a\x13example.EchoService\x12\x04Echo"
BODY = b"\x0a\x05hello"
GROWTH_KIB = 300 * 1024  # what the server may keep after all this: pools, not leaks


def run(suite):
    with suite.serve() as server:
        healthy(server)
        files, memory = server.open_files(), server.resident_kib()
        noise(suite, server)
        baidu_std(suite, server)
        redis(suite, server)
        strangers(suite, server)
        bad_manners(suite, server)
        with suite.check("after all this the server still answers in three protocols"):
            healthy(server)
        with suite.check("no connection and no file is left behind"):
            gone = eventually(lambda: server.open_files() <= files + 2, 15)
            expect(gone, f"{server.open_files()} open files, {files} before")
        with suite.check("memory is back to an ordinary size"):
            kept = server.resident_kib() - memory
            expect(kept < GROWTH_KIB, f"{kept} KiB more than before")


def healthy(server):
    """One call in each protocol, on new connections."""
    with Raw(server) as raw:
        raw.send(frame(meta(ECHO), BODY)).read_until(is_frame)
        expect(raw.received.endswith(BODY), f"baidu_std answered {raw.received!r}")
    with Raw(server) as raw:
        raw.send(b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        same(200, responses(raw.read_to_end())[0][0], "HTTP status")
    with Raw(server) as raw:
        raw.send(b"PING\r\n").read_until(lambda data: data.endswith(b"\r\n"))
        same(b"+PONG\r\n", raw.received)


# Noise


def noise(suite, server):
    seed = random.Random(SEED)
    for size in (1, 3, 27, 28, 100, 4096, 65536, 1 << 20):
        with suite.check(f"random bytes, {size} of them, twenty times"):
            for _ in range(20):
                with Raw(server, quiet_s=0.2) as raw:
                    raw.send(seed.randbytes(size)).read_some()
            healthy(server)
    for name, byte in {"zeros": b"\0", "ones": b"\xff", "spaces": b" ", "line feeds": b"\n", "asterisks": b"*"}.items():
        with suite.check(f"64 KiB of {name}"):
            with Raw(server, quiet_s=0.5) as raw:
                raw.send(byte * 65536).read_to_end()
            healthy(server)
    with suite.check("every known beginning, followed by noise"):
        for beginning in (b"PRPC", b"STRM", b"HULU", b"SOFA", b"FRPC", b"RDMA", b"GET ", b"POST /", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                          b"*3\r\n$3\r\n", b"\x16\x03\x01", b"\xff\0\0\0\0\0\0\0\x01\x7f", b"\x27", b"\0\0\0\x20\x80\x01\0\x01"):
            for size in (0, 1, 12, 100, 70_000):
                with Raw(server, quiet_s=0.1) as raw:
                    raw.send(beginning + seed.randbytes(size)).read_some()
        healthy(server)
    with suite.check("a thousand connections that say nothing and leave"):
        for _ in range(1000):
            Raw(server).socket.close()
        healthy(server)


# baidu_std, docs/wire/baidu_std.md, "Server behaviour on bad input"


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def field(number, value):
    """A protobuf field: bytes are written with their length, integers as varints (negative ones with ten bytes)."""
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    return varint(number << 3) + varint(value % (1 << 64))


def meta(request=None, *fields, correlation=7):
    """RpcMeta with its request part, correlation id and whatever else."""
    return (field(1, request) if request is not None else b"") + field(4, correlation) + b"".join(fields)


def frame(meta_bytes, rest=b"", *, body_size=None, meta_size=None):
    body = meta_bytes + rest
    sizes = struct.pack(">II", len(body) if body_size is None else body_size, len(meta_bytes) if meta_size is None else meta_size)
    return b"PRPC" + sizes + body


def is_frame(data):
    return len(data) >= 12 and len(data) >= 12 + struct.unpack(">I", data[4:8])[0]


def parse_fields(data):
    """Protobuf fields as a dictionary; enough for metas."""
    found, at = {}, 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = number()
        if key & 7 == 2:
            length = number()
            found[key >> 3], at = data[at : at + length], at + length
        else:
            found[key >> 3] = number()
    return found


def error_of(reply):
    """(error_code, error_text, correlation id) of a reply frame."""
    expect(reply[:4] == b"PRPC" and is_frame(reply), f"not a baidu_std reply: {reply!r}")
    (meta_size,) = struct.unpack(">I", reply[8:12])
    found = parse_fields(reply[12 : 12 + meta_size])
    response = parse_fields(found.get(2, b""))
    return response.get(1, 0), response.get(2, b"").decode(), found.get(4)


def baidu_std(suite, server):
    closed = {
        "a body size beyond 64 MiB, decided by the header alone": frame(meta(ECHO), BODY, body_size=(64 << 20) + 1),
        "a body size of 4 GiB - 1": frame(meta(ECHO), BODY, body_size=0xFFFFFFFF),
        "a meta size beyond the body size": frame(meta(ECHO), meta_size=100),
        "a meta that does not parse": frame(b"\xff" * 20, BODY),
        "a meta without the required method name": frame(meta(field(1, b"example.EchoService")), BODY),
        "a meta with a length that runs out of it": frame(b"\x0a\x7fabc", BODY),
        "a meta with a varint that never ends": frame(b"\x20" + b"\x80" * 30, BODY),
    }
    for name, sent in closed.items():
        with suite.check(f"baidu_std, closed without a reply: {name}"):
            with Raw(server) as raw:
                same(b"", raw.send(sent).read_to_end())
                expect(raw.closed, "the connection stayed open")
    bomb = gzip.compress(b"\0" * (80 << 20))
    refused = {
        "an unknown method": (1002, frame(meta(b"\x0a\x13example.EchoService\x12\x04None"), BODY)),
        "an unknown full service name": (1002, frame(meta(b"\x0a\x0cexample.None\x12\x04Echo"), BODY)),
        "an unknown short service name": (1001, frame(meta(b"\x0a\x04None\x12\x04Echo"), BODY)),
        "no request part, which is an empty service name": (1001, frame(meta(), BODY)),
        "an attachment longer than the body": (1003, frame(meta(ECHO, field(5, 1000)), BODY)),
        "a body that does not parse": (1003, frame(meta(ECHO), b"\xff\xff\xff")),
        "a body without its required field": (1003, frame(meta(ECHO), b"")),
        "an unknown compression": (1003, frame(meta(ECHO, field(3, 9)), BODY)),
        "a negative compression": (1003, frame(meta(ECHO, field(3, -1)), BODY)),
        "the reserved compression lz4": (1003, frame(meta(ECHO, field(3, 4)), BODY)),
        "a body that is not the snappy it claims to be": (1003, frame(meta(ECHO, field(3, 1)), b"\xff" * 40)),
        "snappy that announces 4 GiB": (1003, frame(meta(ECHO, field(3, 1)), b"\xff\xff\xff\xff\x0f" + b"\0" * 10)),
        "a body that is not the gzip it claims to be": (1003, frame(meta(ECHO, field(3, 2)), b"\x1f\x8b" + b"\0" * 40)),
        "gzip that is cut off": (1003, frame(meta(ECHO, field(3, 2)), gzip.compress(BODY * 100)[:-20])),
        "a gzip bomb of 80 MiB": (1003, frame(meta(ECHO, field(3, 2)), bomb)),
        "a wrong checksum": (1003, frame(meta(ECHO, field(11, 1), field(12, b"\0\0\0\0")), BODY)),
        "a checksum of three bytes": (1003, frame(meta(ECHO, field(11, 1), field(12, b"\0\0\0")), BODY)),
    }
    for name, (code, sent) in refused.items():
        with suite.check(f"baidu_std, refused with {code}, connection lives on: {name}"):
            with Raw(server) as raw:
                found, text, correlation = error_of(raw.send(sent).read_until(is_frame))
                same((code, 7), (found, correlation), f"code and correlation id ({text})")
                expect(text, "the error has no text")
                raw.received = b""
                raw.send(frame(meta(ECHO, correlation=8), BODY)).read_until(is_frame)
                expect(raw.received.endswith(BODY), f"the next call got {raw.received!r}")
    with suite.check("baidu_std: a frame cut off anywhere, then a closed connection"):
        whole = frame(meta(ECHO), BODY)
        for size in range(1, len(whole)):
            with Raw(server) as raw:
                raw.send(whole[:size])
        healthy(server)
    with suite.check("baidu_std: a frame sent byte by byte is answered"):
        with Raw(server) as raw:
            for byte in frame(meta(ECHO), BODY):
                raw.send(bytes([byte]))
            expect(raw.read_until(is_frame).endswith(BODY), "it was not")
    with suite.check("baidu_std: a negative attachment size counts as none"):
        with Raw(server) as raw:
            expect(raw.send(frame(meta(ECHO, field(5, -1)), BODY)).read_until(is_frame).endswith(BODY), f"{raw.received!r}")


# Redis, docs/wire/redis.md, sections 2 and 5


def redis(suite, server):
    rows = {
        "a huge count": (b"*99999999999\r\n", b"-ERR Protocol error: invalid multibulk length\r\n"),
        "a negative length": (b"*1\r\n$-5\r\n", b"-ERR Protocol error: invalid bulk length\r\n"),
        "a huge length": (b"*1\r\n$99999999999\r\n", b"-ERR Protocol error: invalid bulk length\r\n"),
        "a length that is no number": (b"*1\r\n$x\r\n", b"-ERR Protocol error: invalid bulk length\r\n"),
        "an item that is no bulk string": (b"*1\r\n:5\r\n", b"-ERR Protocol error: expected '$', got ':'\r\n"),
        "unbalanced quotes": (b'SET k "v\r\n', b"-ERR Protocol error: unbalanced quotes in request\r\n"),
        "an inline request beyond 64 KiB": (b"PING\r\nSET " + b"k" * 70_000, b"+PONG\r\n-ERR Protocol error: too big inline request\r\n"),
    }
    for name, (sent, reply) in rows.items():
        with suite.check(f"redis, error and closed: {name}"):
            with Raw(server) as raw:
                same(reply, raw.send(sent).read_to_end(), "reply")
                expect(raw.closed, "the connection stayed open")
    with suite.check("a first line of 64 KiB without an end is nobody's, and closed"):
        with Raw(server) as raw:
            raw.send(b"SET " + b"k" * 70_000).read_to_end()
            expect(raw.closed, "the connection stayed open")
    with suite.check("redis: a good command before the bad one is answered first"):
        with Raw(server) as raw:
            same(b"+PONG\r\n-ERR Protocol error: invalid bulk length\r\n", raw.send(b"PING\r\n*1\r\n$-5\r\n").read_to_end())
    with suite.check("redis: bulk data without its CRLF is closed"):
        with Raw(server) as raw:
            raw.send(b"*1\r\n$4\r\nPINGxx*1\r\n$4\r\nPING\r\n").read_to_end()
            expect(raw.closed and b"PONG" not in raw.received, f"{raw.received!r}")
    with suite.check("redis: empty commands and empty lines are passed over"):
        with Raw(server) as raw:
            raw.send(b"*1\r\n$4\r\nPING\r\n*0\r\n*-1\r\n\r\nPING\n").read_until(lambda data: data.count(b"PONG") == 2)
            same(b"+PONG\r\n+PONG\r\n", raw.received)
    with suite.check("redis: a command cut off anywhere, then a closed connection"):
        whole = b"*3\r\n$3\r\nSET\r\n$7\r\ncut-off\r\n$1\r\nv\r\n"
        for size in range(1, len(whole)):
            with Raw(server) as raw:
                raw.send(whole[:size])
        with Raw(server) as raw:
            raw.send(b"EXISTS cut-off\r\n").read_some()
            same(b":0\r\n", raw.received)
    with suite.check("redis: half a million announced items take no memory before they come"):
        before = server.resident_kib()
        with Raw(server, quiet_s=0.5) as raw:
            raw.send(b"*1048576\r\n" + b"$1\r\nx\r\n" * 10).read_some()
            expect(server.resident_kib() - before < 64 * 1024, "it reserved them")


# Other protocols, and bad manners


def strangers(suite, server):
    rows = {
        "a TLS client hello": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x11" * 507,
        "thrift": b"\0\0\0\x11\x80\x01\0\x01\0\0\0\x04Echo\0\0\0\0\0",
        "nshead": struct.pack("<HHI16sIII", 1, 0, 7, b"interop", 0xFB709394, 0, 4) + b"body",
        "mongo": struct.pack("<iiii", 16, 1, 0, 2013),
        "memcache": b"\x80\0\0\x01" + b"\0" * 20 + b"k",
        "SSH": b"SSH-2.0-OpenSSH_9.2\r\n",
        "SMTP": b"EHLO example.org\r\n",
    }
    for name, sent in rows.items():
        with suite.check(f"a stranger does no harm: {name}"):
            with Raw(server, quiet_s=1) as raw:
                raw.send(sent * 3).read_to_end()
            healthy(server)


def bad_manners(suite, server):
    with suite.check("a peer that never reads is stopped, not buffered for"):
        before = server.resident_kib()
        call = frame(meta(ECHO), field(1, b"x" * 60_000))
        with Raw(server, quiet_s=1) as raw:
            sent = 0
            try:
                while sent < 4000:  # 240 MB of replies, of which nobody takes one
                    raw.socket.sendall(call)
                    sent += 1
            except (TimeoutError, ConnectionError):
                pass
            grown = server.resident_kib() - before
            expect(grown < 200 * 1024, f"{grown} KiB more after {sent} unread calls")
            healthy(server)
    with suite.check("500 half-open connections beside a healthy one"):
        halves = [Raw(server).send(b"PRPC\0\0") for _ in range(500)]
        healthy(server)
        for half in halves:
            half.socket.close()
    with suite.check("connections reset in the middle of a call"):
        for _ in range(200):
            raw = Raw(server).send(frame(meta(ECHO), field(1, b"x" * 10_000)))
            raw.socket.setsockopt(1, 13, struct.pack("ii", 1, 0))  # SO_LINGER 0: close sends RST
            raw.socket.close()
        healthy(server)
    with suite.check("a first byte that never gets company is closed in the end, or waits without harm"):
        with Raw(server, quiet_s=1) as raw:
            raw.send(b"P")
            time.sleep(0.5)
            healthy(server)
    with suite.check("protocols may change from connection to connection, a hundred times"):
        for _ in range(100):
            healthy(server)

"""Bad requests, one row each: what is sent and which replies are right (docs/wire/http.md, section 6).

Every row is followed on the same connection by a complete, innocent request. A server that answers that one has let
something through: the bad request must get at most one reply, an error, and the connection must end.

`SILENT` stands for a connection that ends without a reply: right only while the start line is not yet known to be
HTTP's (section 7, "Text that failed before the start line's end gets closed silently"). `REDIS` stands for an answer in
Redis' words: a line without ` HTTP/1.x` at its end is an inline command there, and the next line, `Host:`, ends it.
"""

from dataclasses import dataclass

SILENT = 0
REDIS = 1
BAD = (400,)
START = (400, SILENT)
VERSION = (505, 400, SILENT, REDIS)
ECHO = b"POST /example.EchoService/Echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
BODY = b'{"message":"x"}'


@dataclass(frozen=True)
class Row:
    name: str
    sent: bytes
    right: tuple = BAD


def get(*lines, line=b"GET /health HTTP/1.1", host=b"Host: x\r\n"):
    return line + b"\r\n" + host + b"".join(header + b"\r\n" for header in lines) + b"\r\n"


def post(*lines, body=b""):
    return ECHO + b"".join(header + b"\r\n" for header in lines) + b"\r\n" + body


CHUNKED = b"Transfer-Encoding: chunked"
CHUNKS = b"f\r\n" + BODY + b"\r\n0\r\n\r\n"

FRAMING = [
    Row("Transfer-Encoding and Content-Length together", post(CHUNKED, b"Content-Length: 15", body=CHUNKS)),
    Row("Content-Length first, Transfer-Encoding behind", post(b"Content-Length: 15", CHUNKED, body=CHUNKS)),
    Row("chunked is not the last coding", post(b"Transfer-Encoding: chunked, identity", body=CHUNKS), (400, 501)),
    Row("chunked twice in one line", post(b"Transfer-Encoding: chunked, chunked", body=CHUNKS)),
    Row("chunked in two lines", post(CHUNKED, CHUNKED, body=CHUNKS)),
    Row("an unknown coding", post(b"Transfer-Encoding: zip", body=CHUNKS), (501,)),
    Row("an unknown coding before chunked", post(b"Transfer-Encoding: zip, chunked", body=CHUNKS), (501,)),
    Row("a coding that only looks like chunked", post(b"Transfer-Encoding: xchunked", body=CHUNKS), (400, 501)),
    Row("chunked behind a vertical tab", post(b"Transfer-Encoding: \x0bchunked", body=CHUNKS), (400, 501)),
    Row("an empty Transfer-Encoding", post(b"Transfer-Encoding:", body=CHUNKS), (400, 501)),
    Row("Transfer-Encoding in HTTP/1.0", ECHO.replace(b"1.1", b"1.0") + CHUNKED + b"\r\n\r\n" + CHUNKS),
    Row("Content-Length that is no number", post(b"Content-Length: fifteen", body=BODY)),
    Row("Content-Length with a plus", post(b"Content-Length: +15", body=BODY)),
    Row("Content-Length with a minus", post(b"Content-Length: -15", body=BODY)),
    Row("Content-Length in hexadecimal", post(b"Content-Length: 0xf", body=BODY)),
    Row("Content-Length with something behind", post(b"Content-Length: 15x", body=BODY)),
    Row("Content-Length with a space inside", post(b"Content-Length: 1 5", body=BODY)),
    Row("an empty Content-Length", post(b"Content-Length:", body=BODY)),
    Row("Content-Length as a list of differing values", post(b"Content-Length: 15, 16", body=BODY)),
    Row("two Content-Lengths that differ", post(b"Content-Length: 15", b"Content-Length: 16", body=BODY)),
    Row("Content-Length beyond 64 bits", post(b"Content-Length: 18446744073709551631", body=BODY), (400, 413)),
]

FIELDS = [
    Row("a space before the colon", post(b"Content-Length : 15", body=BODY)),
    Row("a tab before the colon", get(b"X-A\t: b")),
    Row("a folded line", get(b"X-A: b", b" c")),
    Row("a folded first line", get(host=b" Host: x\r\n")),
    Row("a bare LF behind a field", b"GET /health HTTP/1.1\r\nHost: x\nX-A: b\r\n\r\n"),
    Row("a bare LF behind the start line", b"GET /health HTTP/1.1\nHost: x\r\n\r\n", START),
    Row("bare LFs only", b"GET /health HTTP/1.1\nHost: x\n\n", START),
    Row("a bare CR inside a value", get(b"X-A: b\rContent-Length: 5")),
    Row("a NUL inside a value", get(b"X-A: b\0c")),
    Row("an empty field name", get(b": b")),
    Row("a line without a colon", get(b"nothing")),
    Row("a space inside a name", get(b"X A: b")),
    Row("a name with a byte beyond ASCII", get(b"X-\xe4: b")),
    Row("a name with a parenthesis", get(b"X(A): b")),
    Row("HTTP/1.1 without Host", get(host=b"")),
    Row("two Hosts", get(b"Host: y")),
    Row("a Host with a space", get(host=b"Host: a b\r\n")),
    Row("a Host with a slash", get(host=b"Host: a/b\r\n")),
]

START_LINES = [
    Row("two spaces before the target", get(line=b"GET  /health HTTP/1.1"), START),
    Row("two spaces behind the target", get(line=b"GET /health  HTTP/1.1"), START),
    Row("a tab instead of a space", get(line=b"GET /health\tHTTP/1.1"), (*START, REDIS)),
    Row("a space before the method", get(line=b" GET /health HTTP/1.1"), START),
    Row("a space at the end", get(line=b"GET /health HTTP/1.1 "), START),
    Row("a method with a byte that no token has", get(line=b"G@T /health HTTP/1.1"), START),
    Row("a NUL in the target", get(line=b"GET /hea\0lth HTTP/1.1"), START),
    Row("a target without a slash", get(line=b"GET health HTTP/1.1"), START),
    Row("an asterisk for anything but OPTIONS", get(line=b"GET * HTTP/1.1"), (400,)),
    Row("version HTTP/3.0", get(line=b"GET /health HTTP/3.0"), VERSION),
    Row("version HTTP/1.11", get(line=b"GET /health HTTP/1.11"), VERSION),
    Row("version in small letters", get(line=b"GET /health http/1.1"), VERSION),
    Row("no version", get(line=b"GET /health"), VERSION),
]

CHUNK_LINES = [
    Row(name, post(CHUNKED, body=body))
    for name, body in {
        "a chunk size that is no number": b"g\r\n" + BODY,
        "a chunk size with a minus": b"-f\r\n" + BODY,
        "a chunk size with 0x": b"0xf\r\n" + BODY,
        "an empty chunk size": b"\r\n" + BODY,
        "a chunk size of 17 digits": b"0000000000000000f\r\n" + BODY,
        "a chunk size beyond 64 bits": b"ffffffffffffffff1\r\n" + BODY,
        "a space before the chunk size": b" f\r\n" + BODY,
        "a space behind the chunk size": b"f \r\n" + BODY + b"\r\n0\r\n\r\n",
        "no CRLF behind the chunk": b"f\r\n" + BODY + b"xx0\r\n\r\n",
        "a bare LF behind the chunk": b"f\r\n" + BODY + b"\n0\r\n\r\n",
        "a bare LF behind the chunk size": b"f\n" + BODY + b"\r\n0\r\n\r\n",
        "a bare LF behind the last chunk": b"f\r\n" + BODY + b"\r\n0\n\n",
    }.items()
]

LIMITS = [
    Row("a start line beyond 8 KiB", get(line=b"GET /" + b"a" * 9000 + b" HTTP/1.1"), (414,)),
    Row("fields beyond 64 KiB", get(*[b"X-%d: " % n + b"a" * 7000 for n in range(10)]), (431,)),
    Row("more than 100 fields", get(*[b"X-%d: a" % n for n in range(101)]), (431,)),
    Row("a body beyond 64 MiB, announced", post(b"Content-Length: 67108865"), (413,)),
    Row("a chunk beyond 64 MiB, announced", post(CHUNKED, body=b"4000001\r\n" + BODY), (413,)),
    Row("an endless chunk extension", post(CHUNKED, body=b"f;" + b"a" * 20_000 + b"\r\n" + BODY), (400, 413, 431)),
]

ROWS = FRAMING + FIELDS + START_LINES + CHUNK_LINES + LIMITS

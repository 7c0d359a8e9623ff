"""HTTP over a raw socket: smuggling and malformed requests, pipelining, slow and half-open peers."""

import importlib.util
import json
import time
from pathlib import Path

from harness import Raw, expect, responses, same

spec = importlib.util.spec_from_file_location("rows", Path(__file__).with_name("rows.py"))
rows = importlib.util.module_from_spec(spec)
spec.loader.exec_module(rows)

NEEDS = []
INNOCENT = b"GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n"
HEALTH = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
# The limit for a request's headers is 10 s; a busy machine gets some more.
HEADER_LIMIT_S = 20


def run(suite):
    with suite.serve() as server:
        for row in rows.ROWS:
            with suite.check(f"refused and closed: {row.name}"):
                refused(server, row)
        with suite.check("refused and closed: a second request that is malformed, the first being fine"):
            with Raw(server) as raw:
                raw.send(HEALTH + rows.FRAMING[0].sent + INNOCENT)
                same([200, 400], [status for status, _, _ in responses(raw.read_to_end())])
                expect(raw.closed, "the connection stayed open")
        pipelines(suite, server)
        bodies_on_get(suite, server)
        odd_but_right(suite, server)
        slow(suite, server)
        with suite.check("after all this a plain request works"):
            same([200], statuses(server, HEALTH, 1))


def refused(server, row):
    with Raw(server) as raw:
        raw.send(row.sent + INNOCENT)
        received = raw.read_to_end()
        expect(raw.closed, f"the connection stayed open after {received[:200]!r}")
        if received[:1] in (b"-", b"$") and received.count(b"\r\n") == 1:
            status = rows.REDIS
        else:
            found = responses(received)
            expect(len(found) <= 1, f"{len(found)} replies: the request behind it was answered: {received[-200:]!r}")
            status = found[0][0] if found else rows.SILENT
        expect(status in row.right, f"it got {received[:100]!r}, right is one of {row.right}")
    same([200], statuses(server, HEALTH, 1), "a new connection")


def statuses(server, sent, number):
    """Status codes of `number` replies on one connection, which must stay open."""
    with Raw(server) as raw:
        raw.send(sent).read_until(lambda data: data.count(b"HTTP/1.") >= number and complete(data))
        expect(not raw.closed, f"the connection was closed after {raw.received[:200]!r}")
        return [status for status, _, _ in responses(raw.received)]


def complete(data):
    try:
        return bool(responses(data))
    except ValueError:
        return False


def echo(message):
    body = json.dumps({"message": message}).encode()
    return rows.ECHO + b"Content-Length: %d\r\n\r\n" % len(body) + body


def pipelines(suite, server):
    with suite.check("200 pipelined requests are answered in order"):
        with Raw(server) as raw:
            raw.send(b"".join(echo(f"call {n}") for n in range(200)))
            raw.read_until(lambda data: data.count(b"HTTP/1.1 200") >= 200 and complete(data))
            same([{"message": f"call {n}"} for n in range(200)], [json.loads(body) for _, _, body in responses(raw.received)])
    with suite.check("requests of many kinds, pipelined byte by byte, are answered in order"):
        with Raw(server) as raw:
            for byte in echo("one") + HEALTH + INNOCENT + echo("two"):
                raw.send(bytes([byte]))
            raw.read_until(lambda data: data.count(b"HTTP/1.1 200") >= 4 and complete(data))
            found = [body for _, _, body in responses(raw.received)]
            same([{"message": "one"}, b"OK", {"message": "two"}], [json.loads(found[0]), found[1].strip(), json.loads(found[3])])
    with suite.check("an error in the middle of a pipeline keeps its place"):
        same([200, 404, 200], statuses(server, HEALTH + b"GET /none HTTP/1.1\r\nHost: x\r\n\r\n" + HEALTH, 3))


def bodies_on_get(suite, server):
    for method in (b"GET", b"DELETE", b"OPTIONS"):
        with suite.check(f"the body of a {method.decode()} is never taken for the next request"):
            inner = b"GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
            outer = method + b" /health HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(inner) + inner
            found = statuses(server, outer + HEALTH, 2)
            same((2, 200), (len(found), found[-1]), f"replies {found}: their number and the last status")
            expect(404 not in found, "the smuggled request was answered")
    with suite.check("the body of a HEAD is never taken for the next request"):
        with Raw(server) as raw:
            raw.send(b"HEAD /health HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nGET " + HEALTH)
            raw.read_until(lambda data: data.count(b"HTTP/1.1 200") >= 2 and data.rstrip().endswith(b"OK"))
            found = responses(raw.received, heads=[0])
            same([200, 200], [status for status, _, _ in found])


def odd_but_right(suite, server):
    for name, sent in {
        "one empty line before a second request": HEALTH + b"\r\n" + HEALTH,
        "a minor version that is not known": HEALTH + b"GET /health HTTP/1.2\r\nHost: x\r\n\r\n",
        "an absolute target": HEALTH + b"GET http://y/health HTTP/1.1\r\nHost: x\r\n\r\n",
        "names in any case": HEALTH + b"GET /health HTTP/1.1\r\nhOsT: x\r\nCONTENT-LENGTH: 0\r\n\r\n",
        "a value without the space before it": HEALTH + b"GET /health HTTP/1.1\r\nHost:x\r\n\r\n",
        "a query": HEALTH + b"GET /health?a=b&c HTTP/1.1\r\nHost: x\r\n\r\n",
        "chunks with extensions and trailers": HEALTH
        + rows.post(rows.CHUNKED, body=b"f;a=b\r\n" + rows.BODY + b"\r\n0\r\nX-Trailer: y\r\n\r\n"),
        "chunk sizes in capitals and with zeros": HEALTH + rows.post(rows.CHUNKED, body=b"00F\r\n" + rows.BODY + b"\r\n0\r\n\r\n"),
        "100 fields": HEALTH + rows.get(*[b"X-%d: a" % n for n in range(99)]),
    }.items():
        with suite.check(f"accepted: {name}"):
            same([200, 200], statuses(server, sent, 2))
    with suite.check("CONNECT is 405 or 501, TRACE is 405, an unknown expectation is 417"):
        expect(status_of(server, rows.get(line=b"CONNECT x:1 HTTP/1.1")) in (405, 501), "CONNECT was let through")
        same(405, status_of(server, rows.get(line=b"TRACE / HTTP/1.1")))
        same(417, status_of(server, rows.post(b"Expect: a-miracle", b"Content-Length: 15", body=rows.BODY)))
    with suite.check("Expect: 100-continue with a body that is too long gets 413, not 100"):
        same(413, status_of(server, rows.post(b"Expect: 100-continue", b"Content-Length: 99999999999")))
    with suite.check("a trailer cannot change the request's framing"):
        found = statuses(server, rows.post(rows.CHUNKED, body=b"f\r\n" + rows.BODY + b"\r\n0\r\nContent-Length: 3\r\n\r\n") + HEALTH, 2)
        same(200, found[-1])


def status_of(server, sent):
    with Raw(server) as raw:
        raw.send(sent).read_until(complete)
        return responses(raw.received)[0][0]


def slow(suite, server):
    with suite.check("a client that closes its half after the request still gets the reply"):
        with Raw(server) as raw:
            raw.send(HEALTH).half_close()
            same(200, responses(raw.read_to_end())[0][0])
    with suite.check("headers that never end are cut off with 408 or a closed connection"):
        with Raw(server, quiet_s=HEADER_LIMIT_S) as raw:
            raw.send(b"GET /health HTTP/1.1\r\nHost: x\r\nX-")
            began = time.monotonic()
            received = raw.read_to_end()
            expect(raw.closed, f"still open after {HEADER_LIMIT_S} s")
            expect(not received or responses(received)[0][0] == 408, f"{received[:100]!r}")
            expect(time.monotonic() - began > 1, "it was cut off before a slow client could finish")

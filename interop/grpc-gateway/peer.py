"""grpc-gateway in front of our gRPC server, our own answers to the same requests, and those of our gateway; our client against theirs."""

import http.client
import json
from pathlib import Path

from harness import GO_PROGRAMS, go_tool, our_programs, ours, same

NEEDS = [go_tool("grpc-gateway"), our_programs]
DESCRIPTORS = Path(__file__).resolve().parents[2] / "crates/codegen/build/tests/golden_rest/library.v1.binpb"

# Verb, path, body: both answer with the same status and the same JSON.
SAME = [
    ("GET", "/v1/shelves/1/books/2", ""),
    ("GET", "/v1/shelves/1/books/a%20b", ""),
    ("GET", "/v1/shelves/1/books/x:y", ""),
    ("GET", "/v1/books/plain?mask=title,pages", ""),
    ("GET", "/v1/shelves/1/books?page_size=5&filter.genre=POEMS&filter.tags=a&filter.tags=b", ""),
    ("GET", "/v1/shelves/1/books?pageSize=5&filter.minPages=0", ""),
    ("GET", "/v1/shelves/1/books?parent=other&unknown=1", ""),
    ("GET", "/v1/shelves/1/titles?page_size=2", ""),
    ("GET", "/v1/shelves/1/titles", ""),
    ("POST", "/v1/shelves/1/books?request_id=9", '{"title":"T","pages":"3","published":"2020-01-02T03:04:05Z"}'),
    ("POST", "/v1/shelves/1/books?request_id=9&book.title=ignored", '{"pages":3,"unknown":[1]}'),
    ("POST", "/v1/shelves/1/books", ""),
    ("PATCH", "/v1/shelves/1/books/2", '{"title":"T","name":"other"}'),
    ("PUT", "/v1/shelves/1/books/2?update_mask=a", '{"book":{"title":"T"},"updateMask":"title"}'),
    ("DELETE", "/v1/shelves/1/books/2", ""),
    ("POST", "/v1/shelves/1/books/2:move", '{"shelf":"x"}'),
    ("GET", "/v1/echo/-5/POEMS/2020-01-02T03:04:05Z", ""),
    ("GET", "/v1/echo/7/2/2020-01-02T03:04:05.5Z?f_bool=true", ""),
    ("GET", "/v1/files/a/b%20c/d", ""),
    ("GET", "/v1/echo?f_string=a+b%2B&f_int32=-1&f_uint32=4294967295&f_uint64=18446744073709551615", ""),
    ("GET", "/v1/echo?f_bool=1&f_float=1.5&f_double=-Infinity&f_bytes=_-8%3D&f_enum=NOVEL", ""),
    ("GET", "/v1/echo?f_bytes=%2F%2B8%3D&f_double=NaN&f_bool=T", ""),
    ("GET", "/v1/echo?f_duration=1.5s&f_text=x&f_mask=a,b&words=a&words=&numbers=1&numbers=-2", ""),
    ("GET", "/v1/echo?counts%5Ba%5D=1&inner.inner.f_int32=3&maybe=0&left=x", ""),
    ("POST", "/v1/echo", '{"fInt64":"5","inner":{"words":["a"]},"counts":{"k":2},"right":0}'),
    ("POST", "/v1/echo/words?f_int32=4", '["a","b"]'),
    ("REPORT", "/v1/echo?f_int32=4", ""),
]
# Both answer with the same status and the same code; the texts are their own.
FAILURES = [
    ("GET", "/v1/shelves/1/books/lost", ""),
    ("GET", "/v1/shelves/1/books?page_size=x", ""),
    ("GET", "/v1/shelves/1/books?page_size=1&page_size=2", ""),
    ("GET", "/v1/echo/x/1/2020-01-02T03:04:05Z", ""),
    ("GET", "/v1/echo/1/NONE/2020-01-02T03:04:05Z", ""),
    ("GET", "/v1/echo/1/1/yesterday", ""),
    ("GET", "/v1/echo?f_int32=2147483648", ""),
    ("GET", "/v1/echo?f_uint64=-1", ""),
    ("GET", "/v1/echo?f_bool=yes", ""),
    ("GET", "/v1/echo?f_bytes=*", ""),
    ("GET", "/v1/echo?f_duration=1", ""),
    ("GET", "/v1/echo?inner=x", ""),
    ("GET", "/v1/echo?left=a&right=1", ""),
    ("GET", "/v1/echo?counts%5Ba%5D=x", ""),
    ("POST", "/v1/echo", '{"fInt32":"x"}'),
    ("POST", "/v1/echo", "{"),
    ("POST", "/v1/echo", "[]"),
]
# Both answer with a stream of the same messages.
STREAMS = ["/v1/shelves/1/books/2:watch?count=3", "/v1/shelves/1/books/2:watch"]
# Both find nothing, in words of their own.
NOWHERE = [("GET", "/v1/shelves/1/pens"), ("GET", "/v2"), ("GET", "/v1/shelves/1/books/2:burn/x")]


def run(suite):
    server = suite.foreign_server("rest-library", [ours(suite, "rest-library"), "server"])
    gateway = suite.foreign_server("grpc-gateway", [GO_PROGRAMS / "grpc-gateway", DESCRIPTORS, server.address])
    compare(suite, gateway, server, "")
    with suite.check("GET a stream of bodies that are not JSON"):
        theirs, our_own = [whole(peer, "/v1/shelves/1/books/2:read?count=2") for peer in (gateway, server)]
        same(("text/plain", "page 0\npage 1\n"), our_own)
        same(("text/plain", "page 0\n\npage 1\n\n"), theirs)  # it puts a line end behind each
    relayed = [suite.program, "gateway", "--to", f"grpc://{server.address}", "--schemas", DESCRIPTORS]
    relayed = suite.foreign_server("polywire gateway", [*relayed, "--listen", "127.0.0.1:0"])
    compare(suite, gateway, relayed, "relayed: ")
    suite.relay([ours(suite, "rest-library"), "client", gateway.address], timeout_s=60)


def compare(suite, gateway, server, what):
    """`server`: our own answers; `what` they are is the beginning of the names of checks."""
    for verb, path, body in SAME:
        with suite.check(f"{what}{verb} {path} {body}".rstrip()):
            status, theirs = ask(gateway, verb, path, body)
            same((200, theirs), (status, theirs))
            same((status, theirs), ask(server, verb, path, body))
    for verb, path, body in FAILURES:
        with suite.check(f"{what}{verb} {path} {body} fails".replace("  ", " ")):
            status, theirs = ask(gateway, verb, path, body)
            our_status, answer = ask(server, verb, path, body)
            same((status, theirs["code"]), (our_status, answer["code"]))
    for verb, path in NOWHERE:
        with suite.check(f"{what}{verb} {path} is nowhere"):
            same((404, 404), (ask(gateway, verb, path, "")[0], ask(server, verb, path, "")[0]))
    for path in STREAMS:
        with suite.check(f"{what}GET {path} is a stream"):
            theirs, our_own = lines(gateway, path), lines(server, path)
            same([line["result"] for line in theirs], our_own)
    with suite.check(f"{what}GET a stream that fails after a message"):
        path = "/v1/shelves/1/books/torn:watch?count=1"
        theirs = lines(gateway, path)
        same(["result", "error"], [*theirs[0], *theirs[1]])
        same(15, theirs[1]["error"]["code"])
    with suite.check(f"{what}GET a stream that fails at once"):
        path = "/v1/shelves/1/books/2:watch?count=-1"
        (status, theirs), (our_status, our_own) = ask(gateway, "GET", path, ""), ask(server, "GET", path, "")
        same((status, theirs["error"]["code"]), (our_status, our_own["code"]))
    with suite.check(f"{what}GET a body that is not JSON"):
        theirs = whole(gateway, "/v1/shelves/1/books/2/cover")
        same(("image/svg+xml", "<svg>shelves/1/books/2</svg>"), theirs)
        same(theirs, whole(server, "/v1/shelves/1/books/2/cover"))


def whole(server, path):
    """Content type and body of the answer to a GET."""
    connection = http.client.HTTPConnection(server.address, timeout=20)
    connection.request("GET", path)
    answer = connection.getresponse()
    content_type, text = answer.getheader("Content-Type"), answer.read().decode()
    connection.close()
    return content_type, text


def lines(server, path):
    """The lines of a stream. Ours cuts the body of one that fails off."""
    connection = http.client.HTTPConnection(server.address, timeout=20)
    connection.request("GET", path)
    text = connection.getresponse().read().decode()
    connection.close()
    return [json.loads(line) for line in text.splitlines()]


def ask(server, verb, path, body):
    """Status and body, JSON if it is."""
    connection = http.client.HTTPConnection(server.address, timeout=20)
    connection.request(verb, path, body or None, {"Content-Type": "application/json"} if body else {})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, json.loads(text) if "json" in (answer.getheader("Content-Type") or "") else text

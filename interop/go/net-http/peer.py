"""Go's net/http over HTTP/2 without TLS, as client of our server and as server of our client."""

import json

from harness import GO_PROGRAMS, go_tool, same

NEEDS = [go_tool("net-http")]
PROGRAM = GO_PROGRAMS / "net-http"


def run(suite):
    with suite.serve() as server:
        suite.relay([PROGRAM, "client", server.address], timeout_s=120)
    echo = suite.foreign_server("net-http", [PROGRAM, "server"])
    with suite.check("our client calls a server of Go's"):
        for length in (2, 100_000):
            message = {"message": "x" * length}
            same(message, json.loads(suite.call(echo.address, "h2", "example.EchoService/Echo", message)))
    for protocol in ("http", "h2:json"):
        for accept in ("application/x-ndjson", "text/event-stream"):
            with suite.check(f"our client reads a stream of {accept} over {protocol}"):
                ran = repeat(suite, echo, protocol, accept, {"message": "again", "count": 300})
                same((0, ""), (ran.returncode, ran.stderr))
                same([{"message": "again"}] * 300, [json.loads(line) for line in ran.stdout.splitlines()])
        with suite.check(f"our client says that a stream broke off over {protocol}"):
            ran = repeat(suite, echo, protocol, "application/x-ndjson", {"message": "fail", "count": 2})
            same([{"message": "fail"}] * 2, [json.loads(line) for line in ran.stdout.splitlines()])
            same((1, True), (ran.returncode, "StreamService/Repeat" in ran.stderr))
    with suite.check("our client, a hundred calls at once"):
        pressed = suite.press(echo.address, "h2", "example.EchoService/Echo", {"message": "x"}, "--concurrency", 100)
        same(0, pressed.get("errors", pressed.get("failed", 0)), "failed calls")


def repeat(suite, server, protocol, accept, request):
    target = ["--server", server.address, "--protocol", protocol, "example.StreamService/Repeat"]
    return suite.polywire("call", *target, "--metadata", f"accept={accept}", "-d", json.dumps(request))

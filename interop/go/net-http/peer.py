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
    with suite.check("our client, a hundred calls at once"):
        pressed = suite.press(echo.address, "h2", "example.EchoService/Echo", {"message": "x"}, "--concurrency", 100)
        same(0, pressed.get("errors", pressed.get("failed", 0)), "failed calls")

"""Python's `websockets` as a server for our client: echoes at `/`, and what the names of other paths say."""

import http
import sys

from websockets.sync.server import serve


def handle(ws):
    path = ws.request.path
    if path == "/close":
        ws.close(4001, "bye")
        return
    if path == "/cut":
        ws.socket.shutdown(2)
        return
    if path == "/fragments":
        ws.send(["one ", "two ", "three"])
    for message in ws:
        ws.send(message)


def refuse(ws, request):
    return ws.respond(http.HTTPStatus.FORBIDDEN, "no\n") if request.path == "/refuse" else None


def select(_, offered):
    return "chat" if "chat" in offered else None


with serve(handle, "127.0.0.1", 0, select_subprotocol=select, process_request=refuse, max_size=None, ping_interval=1) as server:
    host, port = server.socket.getsockname()
    print(f"listening on {host}:{port}", flush=True)
    sys.stdout.flush()
    server.serve_forever()

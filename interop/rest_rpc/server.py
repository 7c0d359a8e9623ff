"""A server of one format: `server.py a|b|cross`. Functions echo and add; anything else fails."""

import socket
import sys
import threading

from wire import MAGIC, A, B, Connection, function_id, struct_pack

FORMATS = {"a": A, "b": B, "cross": lambda: B(cross=True)}


def answer(format, id, function, body):
    if function == function_id("echo"):
        arguments = format.result(pack_as_reply(format, body))[1] if format.name == "A" else body.decode()
        return format.reply(id, 0, arguments[0] if isinstance(arguments, list) else arguments)
    if function == function_id("add"):
        if format.name == "A":
            one, other = format.result(pack_as_reply(format, body))[1]
        else:
            assert body[:4] == struct_pack(0, 0)[:4], body
            one, other = (int.from_bytes(body[at : at + 4], "little", signed=True) for at in (4, 8))
        return format.reply(id, 0, one + other)
    return format.reply(id, 1, f"unknown function: {function}")


def pack_as_reply(format, body):
    """Arguments as the value of a reply, which is how `result` reads them."""
    return b"\x92\x00" + body


def serve(client, format):
    with Connection(format(), client) as connection:
        while True:
            try:
                id, function, _, body = connection.receive()
            except (EOFError, ConnectionError):
                return
            if body or function:
                connection.send(answer(connection.format, id, function, body))


def main():
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"listening on 127.0.0.1:{listener.getsockname()[1]}", flush=True)
    while True:
        client, _ = listener.accept()
        threading.Thread(target=serve, args=(client, FORMATS[sys.argv[1]]), daemon=True).start()


if __name__ == "__main__":
    main()

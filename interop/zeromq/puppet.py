"""A socket of pyzmq, moved by lines; see README.md."""

import sys
import threading

import zmq


def unhex(word):
    if word.startswith("*"):
        return b"x" * int(word[1:])
    return b"" if word == "-" else bytes.fromhex(word)


def hexed(frame):
    if not frame:
        return "-"
    return f"*{len(frame)}" if len(frame) > 64 and not frame.strip(b"x") else frame.hex()


def main(kind, how, address, *settings):
    context = zmq.Context()
    socket = context.socket(getattr(zmq, kind))
    socket.rcvtimeo = 10_000
    socket.sndtimeo = 10_000
    socket.linger = 1000
    for setting in settings:
        key, value = setting.split("=", 1)
        configure(context, socket, key, value)
    if how == "bind":
        socket.bind(address)
        address = socket.last_endpoint.decode()
    else:
        socket.connect(address)
    print(f"ready {address}", flush=True)
    for line in sys.stdin:
        try:
            print(command(socket, line.split()), flush=True)
        except zmq.ZMQError as error:
            print(f"error {error}", flush=True)
    context.destroy(linger=1000)


def configure(context, socket, key, value):
    if key == "identity":
        socket.identity = value.encode()
    elif key == "heartbeat":
        socket.heartbeat_ivl = int(value)
    elif key == "plain-client":
        user, password = value.split(":")
        socket.plain_username, socket.plain_password = user.encode(), password.encode()
    elif key == "plain-server":
        threading.Thread(target=answer_zap, args=(context, value.encode()), daemon=True).start()
        socket.plain_server = True
        socket.zap_domain = b"global"
    elif key == "curve-server":
        socket.curve_secretkey = value.encode()
        socket.curve_server = True
    elif key == "curve-client":
        server, public, secret = (part.encode() for part in value.split(","))
        socket.curve_serverkey, socket.curve_publickey, socket.curve_secretkey = server, public, secret


def answer_zap(context, expected):
    """ZeroMQ RFC 27: whoever asks here is told whether name and password are these."""
    handler = context.socket(zmq.REP)
    handler.bind("inproc://zeromq.zap.01")
    while True:
        version, request, _domain, _address, _identity, _mechanism, user, password = handler.recv_multipart()
        code = b"200" if user + b":" + password == expected else b"400"
        handler.send_multipart([version, request, code, b"", user, b""])


def command(socket, words):
    match words:
        case ["send", *frames]:
            socket.send_multipart([unhex(frame) for frame in frames])
        case ["recv"]:
            return " ".join(["frames", *(hexed(frame) for frame in socket.recv_multipart())])
        case ["subscribe", topic]:
            socket.setsockopt(zmq.SUBSCRIBE, unhex(topic))
        case ["unsubscribe", topic]:
            socket.setsockopt(zmq.UNSUBSCRIBE, unhex(topic))
        case _:
            return f"error no command {words}"
    return "ok"


main(*sys.argv[1:])

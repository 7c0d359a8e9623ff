"""Apache Thrift's library for Python: its client against our server, our client against its server, in all forms."""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from harness import expect, package, same  # noqa: E402

NEEDS = [package("thrift", "0.25.0")]
FORMS = ("framed+binary", "framed+old", "framed+compact", "unframed+binary", "unframed+old", "unframed+compact")
# In which our gateway calls a server behind it.
BEHIND = ("thrift", "thrift:compact", "thrift:ttheader")

# A struct with a field of each type, as `polywire call` takes and shows it.
ALL = {
    "1": {"tf": 1},
    "2": {"tf": 0},
    "3": {"i8": -5},
    "4": {"i16": -300},
    "5": {"i32": 70000},
    "6": {"i64": -5000000000},
    "7": {"dbl": 1.5},
    "8": {"str": "text ü"},
    "9": {"uid": "00112233-4455-6677-8899-aabbccddeeff"},
    "10": {"lst": ["i32", 3, 1, -1, 2147483647]},
    "11": {"set": ["tf", 2, 1, 0]},
    "12": {"map": ["str", "i64", 2, {"a": 1, "b": -2}]},
    "13": {"lst": ["rec", 2, {"1": {"i32": 1}}, {}]},
    "14": {"lst": ["i8", 20, *range(20)]},
    "300": {"rec": {"1": {"lst": ["lst", 1, ["str", 1, "x"]]}}},
}


def run(suite):
    with suite.serve() as server:
        for form in FORMS:
            theirs(suite, form, server)
        for behind in BEHIND:
            with suite.over(f"the gateway to {behind}"), suite.gateway(f"{behind}://{server.address}") as gateway:
                for form in FORMS:
                    theirs(suite, form, gateway)
    for form in FORMS:
        ours(suite, form)


class Client:
    def __init__(self, form, server):
        from thrift.transport import TSocket
        from values import wrapped

        self.socket = TSocket.TSocket(server.host, server.port)
        self.socket.setTimeout(20_000)
        self.socket.open()
        self.protocol = wrapped(form, self.socket)
        self.seqid = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, name, text, oneway=False):
        from thrift.Thrift import TMessageType, TType
        from values import write

        self.seqid += 1
        kind = TMessageType.ONEWAY if oneway else TMessageType.CALL
        self.protocol.writeMessageBegin(name, kind, self.seqid)
        write(self.protocol, TType.STRUCT, [(1, TType.STRUCT, [(1, TType.STRING, text)])])
        self.protocol.writeMessageEnd()
        self.protocol.trans.flush()
        return self.seqid

    def receive(self):
        """Name, seqid, and the text of the reply or the type and text of the exception."""
        from thrift.Thrift import TApplicationException, TMessageType, TType
        from values import read

        name, kind, seqid = self.protocol.readMessageBegin()
        if kind == TMessageType.EXCEPTION:
            exception = TApplicationException()
            exception.read(self.protocol)
            found = (exception.type, exception.message)
        else:
            [(id, _, [(_, _, found)])] = read(self.protocol, TType.STRUCT)
            same(0, id, "id of the result")
        self.protocol.readMessageEnd()
        return name, seqid, found

    def call(self, name, text):
        seqid = self.send(name, text)
        replied, answered, found = self.receive()
        same((name.rpartition(":")[2], seqid), (replied, answered))  # TMultiplexedProcessor answers without the service
        return found


def theirs(suite, form, server):
    from thrift.Thrift import TApplicationException

    with suite.check(f"{form}: calls, short and long, multiplexed too"), Client(form, server) as client:
        for text in (b"", b"text", "ü".encode() * 300, b"x" * 300_000):
            same(text, client.call("Echo", text))
            same(text, client.call("EchoService:Echo", text))
    with suite.check(f"{form}: exceptions, and the connection goes on"), Client(form, server) as client:
        kind, text = client.call("nobody", b"x")
        same(TApplicationException.UNKNOWN_METHOD, kind, text)
        kind, text = client.call("Echo", b"\xff")
        same(TApplicationException.PROTOCOL_ERROR, kind, text)
        expect("UTF-8" in text, text)
        same(b"x", client.call("Echo", b"x"))
    with suite.check(f"{form}: a hundred calls at once are answered in order"), Client(form, server) as client:
        sent = [(client.send("Echo", str(n).encode()), str(n).encode()) for n in range(100)]
        same([("Echo", seqid, text) for seqid, text in sent], [client.receive() for _ in sent])
    with suite.check(f"{form}: a call without reply has none"), Client(form, server) as client:
        client.send("Echo", b"one", oneway=True)
        client.send("nobody", b"two", oneway=True)
        same(b"three", client.call("Echo", b"three"))


def ours(suite, form):
    server = suite.foreign_server(f"server.py {form}", [sys.executable, str(HERE / "server.py"), form])
    protocol = f"thrift:{form}"
    with suite.check(f"our client, {form}: values of all types come back"):
        told = suite.call(server.address, protocol, "Echo", {"1": {"rec": ALL}})
        same({"0": {"rec": ALL}}, json.loads(told))
    with suite.check(f"our client, {form}: exceptions"):
        for method in ("fail", "Some:nobody"):
            ran = suite.polywire("call", "-s", server.address, "-p", protocol, method, "-d", "{}")
            same(1, ran.returncode, "exit code")
            expect(f"{method}: no" in ran.stderr, ran.stderr)
    with suite.check(f"our client, {form}: twenty callers on one connection get their own replies"):
        data = {"1": {"rec": {"1": {"str": "hi"}}}}
        told = suite.press(server.address, protocol, "Echo", data, "--count", 2000, "--concurrency", 20)
        same((2000, 0), (told["calls"], told["errors"]))
    server.stop()

"""A server of Apache's library for Python: `Echo` gives its first argument back, `fail` fails, a call without reply has none."""

import sys

from thrift.server import TServer
from thrift.Thrift import TApplicationException, TMessageType, TType
from thrift.transport import TSocket

from values import read, wrapped, write

class Processor:
    def process(self, iprot, oprot):
        name, kind, seqid = iprot.readMessageBegin()
        arguments = read(iprot, TType.STRUCT)
        iprot.readMessageEnd()
        name_alone = name.split(":")[-1]
        if kind == TMessageType.ONEWAY:
            return True
        if name_alone == "Echo":
            _, first, value = arguments[0]
            oprot.writeMessageBegin(name, TMessageType.REPLY, seqid)
            write(oprot, TType.STRUCT, [(0, first, value)])
        else:
            known = name_alone == "fail"
            kind = TApplicationException.INTERNAL_ERROR if known else TApplicationException.UNKNOWN_METHOD
            oprot.writeMessageBegin(name, TMessageType.EXCEPTION, seqid)
            TApplicationException(kind, f"{name}: no").write(oprot)
        oprot.writeMessageEnd()
        oprot.trans.flush()
        return True


class Factory:
    """Both the transports and the protocols of one form; the server asks for each apart."""

    def __init__(self, form):
        self.form = form

    def getTransport(self, transport):
        return transport

    def getProtocol(self, transport):
        return wrapped(self.form, transport)


def main(form):
    socket = TSocket.TServerSocket("127.0.0.1", 0)
    socket.listen()
    print(f"listening on 127.0.0.1:{socket.handle.getsockname()[1]}", flush=True)
    socket.listen = lambda: None  # it does already
    factory = Factory(form)
    TServer.TThreadedServer(Processor(), socket, factory, factory, daemon=True).serve()


main(sys.argv[1])

"""Values of any type through Apache's protocols, without generated code; the six forms of messages."""

from thrift.protocol import TBinaryProtocol, TCompactProtocol
from thrift.Thrift import TType
from thrift.transport import TTransport

FORMS = {
    "framed+binary": (True, lambda transport: TBinaryProtocol.TBinaryProtocol(transport)),
    "framed+old": (True, lambda transport: TBinaryProtocol.TBinaryProtocol(transport, strictWrite=False)),
    "framed+compact": (True, TCompactProtocol.TCompactProtocol),
    "unframed+binary": (False, lambda transport: TBinaryProtocol.TBinaryProtocol(transport)),
    "unframed+old": (False, lambda transport: TBinaryProtocol.TBinaryProtocol(transport, strictWrite=False)),
    "unframed+compact": (False, TCompactProtocol.TCompactProtocol),
}


def wrapped(form, transport):
    framed, protocol = FORMS[form]
    return protocol((TTransport.TFramedTransport if framed else TTransport.TBufferedTransport)(transport))


SCALARS = {
    TType.BOOL: "Bool",
    TType.BYTE: "Byte",
    TType.I16: "I16",
    TType.I32: "I32",
    TType.I64: "I64",
    TType.DOUBLE: "Double",
    TType.STRING: "Binary",
    TType.UUID: "Uuid",
}


def read(protocol, kind):
    """A value of this type; a struct is a list of (id, type, value)."""
    if kind in SCALARS:
        return getattr(protocol, "read" + SCALARS[kind])()
    if kind == TType.STRUCT:
        fields = []
        protocol.readStructBegin()
        while True:
            _, kind, id = protocol.readFieldBegin()
            if kind == TType.STOP:
                break
            fields.append((id, kind, read(protocol, kind)))
            protocol.readFieldEnd()
        protocol.readStructEnd()
        return fields
    if kind == TType.MAP:
        key, value, count = protocol.readMapBegin()
        entries = [(read(protocol, key), read(protocol, value)) for _ in range(count)]
        protocol.readMapEnd()
        return key, value, entries
    name = "List" if kind == TType.LIST else "Set"
    element, count = getattr(protocol, f"read{name}Begin")()
    elements = [read(protocol, element) for _ in range(count)]
    getattr(protocol, f"read{name}End")()
    return element, elements


def write(protocol, kind, value):
    if kind in SCALARS:
        getattr(protocol, "write" + SCALARS[kind])(value)
    elif kind == TType.STRUCT:
        protocol.writeStructBegin("")
        for id, kind, field in value:
            protocol.writeFieldBegin("", kind, id)
            write(protocol, kind, field)
            protocol.writeFieldEnd()
        protocol.writeFieldStop()
        protocol.writeStructEnd()
    elif kind == TType.MAP:
        key, kind, entries = value
        protocol.writeMapBegin(key, kind, len(entries))
        for name, entry in entries:
            write(protocol, key, name)
            write(protocol, kind, entry)
        protocol.writeMapEnd()
    else:
        name = "List" if kind == TType.LIST else "Set"
        element, elements = value
        getattr(protocol, f"write{name}Begin")(element, len(elements))
        for one in elements:
            write(protocol, element, one)
        getattr(protocol, f"write{name}End")()

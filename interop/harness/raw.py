"""A plain socket that sends exactly these bytes and reports exactly what came back."""

import re
import socket

QUIET_S = 5.0  # a server that neither answers nor closes for so long has decided to wait


class Raw:
    """One connection. `closed` says whether the peer has ended it."""

    def __init__(self, server, quiet_s=QUIET_S):
        self.socket = socket.create_connection((server.host, server.port), timeout=quiet_s)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = b""
        self.closed = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        """Sends all of it, unless the peer has closed already: then there is nothing left to say."""
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            self.closed = True
        return self

    def half_close(self):
        self.socket.shutdown(socket.SHUT_WR)
        return self

    def read_some(self):
        """One read; b"" when the peer closed or stayed quiet, `closed` tells which."""
        try:
            data = self.socket.recv(65536)
            self.closed = data == b""
        except TimeoutError:
            data = b""
        except ConnectionError:
            data, self.closed = b"", True
        self.received += data
        return data

    def read_to_end(self):
        """Everything until the peer closes or stays quiet."""
        while self.read_some():
            pass
        return self.received

    def read_until(self, complete):
        """Reads until `complete(received)`, the end, or silence."""
        while not complete(self.received) and self.read_some():
            pass
        return self.received


def responses(data, heads=()):
    """Splits HTTP/1 replies: a list of (status, headers, body); `heads` are the places that answer HEAD requests."""
    found = []
    while data:
        head, separator, rest = data.partition(b"\r\n\r\n")
        status = re.match(rb"HTTP/1\.[01] (\d{3})[ \r]", head + b"\r")
        if not separator or not status:
            raise ValueError(f"not an HTTP reply: {data[:80]!r}")
        code = int(status.group(1))
        headers = {}
        for line in head.split(b"\r\n")[1:]:
            name, _, value = line.partition(b":")
            headers[name.decode().lower()] = value.strip().decode()
        body, data = split_body(code, headers, rest, len(found) in heads)
        found.append((code, headers, body))
    return found


def split_body(code, headers, rest, is_head):
    if is_head or code < 200 or code in (204, 304):
        return b"", rest
    if "chunked" in headers.get("transfer-encoding", ""):
        body = b""
        while True:
            size, _, rest = rest.partition(b"\r\n")
            length = int(size.split(b";")[0], 16)
            body, rest = body + rest[:length], rest[length + 2 :]
            if length == 0:
                return body, rest
    if "content-length" in headers:
        length = int(headers["content-length"])
        if len(rest) < length:
            raise ValueError(f"a body of {length} bytes was announced, {len(rest)} came")
        return rest[:length], rest[length:]
    return rest, b""

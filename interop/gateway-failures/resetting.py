"""A server of HTTP/2 that ends each call by RST_STREAM, with the code that the field `x-code` of the call says; by the library `h2`."""

import socket
import threading

import h2.config
import h2.connection
import h2.errors
import h2.events


class Resetting:
    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.connections = []

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        for one in (self.listener, *self.connections):
            one.close()

    def accept(self):
        while True:
            try:
                one, _ = self.listener.accept()
            except OSError:  # it is closed
                return
            self.connections.append(one)
            threading.Thread(target=serve, args=(one,), daemon=True).start()


def serve(one):
    connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
    connection.initiate_connection()
    try:
        one.sendall(connection.data_to_send())
        while data := one.recv(65536):
            for event in connection.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    code = dict(event.headers)[b"x-code"].decode()
                    connection.reset_stream(event.stream_id, h2.errors.ErrorCodes[code])
            one.sendall(connection.data_to_send())
    except OSError:  # it is closed
        pass

"""gRPC's interop cases with `interop/rust`: our server for foreign clients, our client for foreign servers."""

import contextlib
import socket
import subprocess
import time

from .needs import GO_PROGRAMS, our_programs, ours
from .suite import Failed, expect

NEEDS = [our_programs]

CASES = """
    empty_unary large_unary client_streaming server_streaming ping_pong empty_stream timeout_on_sleeping_server
    cancel_after_begin cancel_after_first_response status_code_and_message special_status_message custom_metadata
    unimplemented_method unimplemented_service
""".split()
GO_SOAKS = {
    "rpc_soak": ["-soak_iterations", "200", "-soak_num_threads", "4"],
    "channel_soak": ["-soak_iterations", "50"],
}
# It cancels and then asks for the reply, which on a busy machine may be there before the cancellation is noticed.
GO_TRIES = {"cancel_after_begin": 3}
# Servers that do not look whether a message came compressed cannot answer these; their `_noprobe` forms they can.
COMPRESSED_REQUESTS = ["client_compressed_unary", "client_compressed_streaming"]
COMPRESSED = [
    *COMPRESSED_REQUESTS,
    *(f"{case}_noprobe" for case in COMPRESSED_REQUESTS),
    *("server_compressed_unary", "server_compressed_streaming"),
]


@contextlib.contextmanager
def server(suite):
    """Our server; afterwards it must still run and end in peace at SIGTERM."""
    running = suite.foreign_server("grpc-testing-server", [ours(suite, "grpc-testing-server")])
    try:
        yield running
    finally:
        with suite.check("our server survived all this and stops at SIGTERM"):
            expect(running.alive(), f"it ended by itself: {' '.join(running.errors[-5:])}")
            expect(running.stop() == 0, "it did not")


def client(suite, address, without=()):
    """Our client against the server at this address: every case that it has, but those."""
    program = ours(suite, "grpc-testing-client")
    listed = subprocess.run([program, "--list"], capture_output=True, text=True, timeout=10).stdout.split()
    suite.relay([program, address, "grpc", *(case for case in listed if case not in without)], timeout_s=120)


def go_client(suite, server, further={}, named=""):
    """grpc-go's client against this server: every case, and further ones with their options."""
    for case, options in {**dict.fromkeys(CASES, []), **GO_SOAKS, **further}.items():
        with suite.check(f"{named}{case}"):
            address = ["-server_host", server.host, "-server_port", str(server.port)]
            command = [GO_PROGRAMS / "grpc-go-client", *address, "-test_case", case, *options]
            for _ in range(GO_TRIES.get(case, 1)):
                ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
                if ran.returncode == 0:
                    break
            expect(ran.returncode == 0, ran.stderr[-400:])


def free_port():
    """For servers that take no port 0. Before they start somebody else may take the port: then the run fails."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def wait_for(name, port, within_s=30):
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise Failed(f"{name} does not listen on {port}")

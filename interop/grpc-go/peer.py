"""grpc-go's interop client against our server, our client against its server: every case that needs no cloud."""

import socket
import subprocess
import time

from harness import GO_PROGRAMS, Failed, expect, go_tool, our_program, ours

NEEDS = [go_tool("grpc-go-client"), go_tool("grpc-go-server"), our_program("grpc-testing-server")]

CASES = """
    empty_unary large_unary client_streaming server_streaming ping_pong empty_stream timeout_on_sleeping_server
    cancel_after_begin cancel_after_first_response status_code_and_message special_status_message custom_metadata
    unimplemented_method unimplemented_service
""".split()
SOAKS = {
    "rpc_soak": ["-soak_iterations", "200", "-soak_num_threads", "4"],
    "channel_soak": ["-soak_iterations", "50"],
}
UNREAD = ["client_compressed_unary", "client_compressed_streaming"]


def run(suite):
    their_client(suite)
    their_server(suite)


def their_client(suite):
    server = suite.foreign_server("grpc-testing-server", [ours(suite, "grpc-testing-server")])
    for case in [*CASES, *SOAKS]:
        with suite.check(f"client: {case}"):
            address = ["-server_host", server.host, "-server_port", str(server.port)]
            command = [GO_PROGRAMS / "grpc-go-client", *address, "-test_case", case, *SOAKS.get(case, [])]
            ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
            expect(ran.returncode == 0, ran.stderr[-400:])
    with suite.check("our server stops at SIGTERM"):
        expect(server.stop() == 0, "it did not")


def their_server(suite):
    port = free_port()
    process = suite.background([GO_PROGRAMS / "grpc-go-server", "-port", str(port)])
    wait_for(port)
    client = ours(suite, "grpc-testing-client")
    listed = subprocess.run([client, "--list"], capture_output=True, text=True, timeout=10).stdout.split()
    cases = [case for case in listed if case not in UNREAD]
    suite.relay([client, f"127.0.0.1:{port}", "grpc", *cases], timeout_s=120)
    process.kill()


def free_port():
    """Its server takes no port 0. Between this and its start somebody else may take the port: then the run fails."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def wait_for(port, within_s=10):
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise Failed(f"grpc-go's server does not listen on {port}")

"""tonic 0.14.9: its client against our server, our client against its server."""

from harness import TONIC_PROGRAMS, grpc_cases, tonic_tool

# Whether a reply is compressed tonic decides for all messages of a stream.
UNREAD = [*grpc_cases.COMPRESSED_REQUESTS, "server_compressed_streaming"]
NEEDS = [tonic_tool("tonic-client"), tonic_tool("tonic-server"), *grpc_cases.NEEDS]


def run(suite):
    with grpc_cases.server(suite) as server:
        suite.relay([TONIC_PROGRAMS / "tonic-client", server.address], timeout_s=120)
    theirs = suite.foreign_server("tonic-server", [TONIC_PROGRAMS / "tonic-server"])
    grpc_cases.client(suite, theirs.address, without=UNREAD)
    theirs.stop()

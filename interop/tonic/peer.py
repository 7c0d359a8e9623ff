"""tonic 0.14.9: its client against our server, our client against its server."""

import os
from pathlib import Path

from harness import grpc_cases

PROGRAMS = Path(__file__).resolve().parent / "target/debug"
# Whether a reply is compressed tonic decides for all messages of a stream.
UNREAD = [*grpc_cases.COMPRESSED_REQUESTS, "server_compressed_streaming"]


def built():
    """A need: interop/install builds them."""
    missing = [name for name in ("tonic-client", "tonic-server") if not os.access(PROGRAMS / name, os.X_OK)]
    return f"{', '.join(missing)}: not built (interop/install)" if missing else None


NEEDS = [built, *grpc_cases.NEEDS]


def run(suite):
    with grpc_cases.server(suite) as server:
        suite.relay([PROGRAMS / "tonic-client", server.address], timeout_s=120)
    theirs = suite.foreign_server("tonic-server", [PROGRAMS / "tonic-server"])
    grpc_cases.client(suite, theirs.address, without=UNREAD)
    theirs.stop()

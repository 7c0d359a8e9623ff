"""grpcio 1.85.1, gRPC's C core: its client against our server, our client against its server, its standard clients."""

import sys
from pathlib import Path

from harness import grpc_cases, package

HERE = Path(__file__).resolve().parent
NAMES = ["grpcio", "grpcio-tools", "grpcio-reflection", "grpcio-health-checking", "grpcio-status"]
NEEDS = [*(package(name, "1.85.1") for name in NAMES), *grpc_cases.NEEDS]


def run(suite):
    with grpc_cases.server(suite) as server:
        suite.relay([sys.executable, HERE / "cases.py", server.address], timeout_s=120)
    theirs = suite.foreign_server("grpcio", [sys.executable, HERE / "server.py"])
    grpc_cases.client(suite, theirs.address, without=grpc_cases.COMPRESSED_REQUESTS)
    gateway = [suite.program, "gateway", "--to", f"grpc://{theirs.address}", "--listen", "127.0.0.1:0"]
    gateway = suite.foreign_server("polywire gateway", [*gateway, "--protocols", "connect,ubrpc_mcpack2"])
    for callers in ("gateway.py", "ubrpc.py"):
        suite.relay([sys.executable, HERE / callers, gateway.address, theirs.address], timeout_s=120)
    gateway.stop()
    theirs.stop()
    with suite.serve() as server:
        suite.relay([sys.executable, HERE / "standard.py", server.address], timeout_s=120)

"""The messages and stubs of `grpc.testing`, made by grpcio-tools for this run."""

import sys
import tempfile
from pathlib import Path

from grpc_tools import protoc

PROTO = Path(__file__).resolve().parent.parent / "rust/proto"

with tempfile.TemporaryDirectory() as folder:
    made = protoc.main(["protoc", f"-I{PROTO}", f"--python_out={folder}", f"--grpc_python_out={folder}", "grpc_testing.proto"])
    if made != 0:
        raise SystemExit("grpcio-tools cannot read grpc_testing.proto")
    sys.path.insert(0, folder)
    import grpc_testing_pb2 as messages  # noqa: F401
    import grpc_testing_pb2_grpc as services  # noqa: F401

    sys.path.remove(folder)

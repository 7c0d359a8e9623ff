"""What becomes of calls through `polywire gateway` when something fails: servers of grpc-go and grpcio behind it, ghz and grpcio in front."""

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

from harness import go_tool, package, tool

NEEDS = [
    *(go_tool(name) for name in ("ghz", "grpc-go-server", "long-day")),
    *(package(name, "1.85.1") for name in ("grpcio", "grpcio-reflection", "grpcio-tools")),
    package("h2", "4.4.1"),
    tool("etcd"),
    tool("openssl"),
]


def run(suite):
    # The stubs of one peer, the etcd of another. What is not installed is not imported.
    sys.path += [str(HERE), str(HERE.parent / "python-grpcio"), str(HERE.parent / "registries")]
    import callers
    import changes
    import servers_fail
    from loads import Scene, Table

    table = Table()
    for row in (*servers_fail.ROWS, *callers.ROWS, *changes.ROWS):
        with suite.check_only_failure(f"{row.__name__}: runs to its end"):
            with tempfile.TemporaryDirectory(prefix="polywire-gateway-") as folder, Scene(suite, folder) as scene:
                row(suite, scene, table)

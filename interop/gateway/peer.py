"""gRPC's interop cases of grpc-go's client against servers of grpc-go, grpc-java and tonic, through `polywire gateway`."""

import contextlib
import subprocess
from pathlib import Path

from harness import GO_PROGRAMS, expect, go_tool, grpc_cases, java, tool

ROOT = Path(__file__).resolve().parent.parent
TONIC = ROOT / "tonic/target/debug/tonic-server"
SCHEMA = ROOT / "rust/proto/grpc_testing.proto"
NEEDS = [go_tool("grpc-go-client"), go_tool("grpc-go-server"), tool("java"), tool("mvn"), java.built]

SOAKS = {"rpc_soak": ["-soak_iterations", "200", "-soak_num_threads", "4"], "channel_soak": ["-soak_iterations", "20"]}
# It cancels and then asks for the reply, which on a busy machine may be there before the cancellation is noticed.
TRIES = {"cancel_after_begin": 3}


def run(suite):
    go = grpc_cases.free_port()
    process = suite.background([GO_PROGRAMS / "grpc-go-server", "-port", str(go)])
    grpc_cases.wait_for("grpc-go's server", go)
    java_server = suite.foreign_server("grpc-java", java.command("grpc-java", "Server"))
    tonic = suite.foreign_server("tonic-server", [TONIC])
    for name, address, options in (
        # None of them has reflection: what kind a call is, the gateway does not know, and then from the file.
        ("grpc-go", f"127.0.0.1:{go}", []),
        ("grpc-go by its schema", f"127.0.0.1:{go}", ["--schemas", SCHEMA]),
        ("grpc-java", java_server.address, []),
        ("tonic", tonic.address, []),
    ):
        with suite.over(name), gateway(suite, address, options) as running:
            cases(suite, running)
    process.kill()
    java_server.stop()
    tonic.stop()


@contextlib.contextmanager
def gateway(suite, address, options):
    command = [suite.program, "gateway", "--to", f"grpc://{address}", "--listen", "127.0.0.1:0", *options]
    running = suite.foreign_server("polywire gateway", command)
    try:
        yield running
    finally:
        with suite.check("it survived all this and stops at SIGTERM"):
            expect(running.alive(), f"it ended by itself: {' '.join(running.errors[-5:])}")
            expect(running.stop() == 0, "it did not")


def cases(suite, server):
    for case in [*grpc_cases.CASES, *SOAKS]:
        with suite.check(case):
            address = ["-server_host", server.host, "-server_port", str(server.port)]
            command = [GO_PROGRAMS / "grpc-go-client", *address, "-test_case", case, *SOAKS.get(case, [])]
            for _ in range(TRIES.get(case, 1)):
                ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
                if ran.returncode == 0:
                    break
            expect(ran.returncode == 0, ran.stderr[-400:])

"""gRPC's interop cases of grpc-go's client against servers of grpc-go, grpc-java and tonic, through `polywire gateway`."""

from pathlib import Path

from harness import GO_PROGRAMS, TONIC_PROGRAMS, go_tool, grpc_cases, java, tonic_tool, tool

SCHEMA = Path(__file__).resolve().parent.parent / "rust/proto/grpc_testing.proto"
NEEDS = [go_tool("grpc-go-client"), go_tool("grpc-go-server"), tonic_tool("tonic-server"), tool("java"), tool("mvn"), java.built]


def run(suite):
    go = grpc_cases.free_port()
    process = suite.background([GO_PROGRAMS / "grpc-go-server", "-port", str(go)])
    grpc_cases.wait_for("grpc-go's server", go)
    java_server = suite.foreign_server("grpc-java", java.command("grpc-java", "Server"))
    tonic = suite.foreign_server("tonic-server", [TONIC_PROGRAMS / "tonic-server"])
    for name, address, options in (
        # None of them has reflection: what kind a call is, the gateway does not know, and then from the file.
        ("grpc-go", f"127.0.0.1:{go}", []),
        ("grpc-go by its schema", f"127.0.0.1:{go}", ["--schemas", SCHEMA]),
        ("grpc-java", java_server.address, []),
        ("tonic", tonic.address, []),
    ):
        with suite.over(name), suite.gateway(f"grpc://{address}", *options) as running:
            grpc_cases.go_client(suite, running)
    process.kill()
    java_server.stop()
    tonic.stop()

"""grpc-go's interop client against our server, our client against its server: every case that needs no cloud."""

from harness import GO_PROGRAMS, go_tool, grpc_cases

NEEDS = [go_tool("grpc-go-client"), go_tool("grpc-go-server"), *grpc_cases.NEEDS]

# Its balancer of this name keeps the reports of load.
BALANCER = '{"loadBalancingConfig":[{"test_backend_metrics_load_balancer":{}}]}'
ORCA = {case: ["-service_config_json", BALANCER] for case in ["orca_per_rpc", "orca_oob"]}


def run(suite):
    their_client(suite)
    their_server(suite)


def their_client(suite):
    with grpc_cases.server(suite) as server:
        grpc_cases.go_client(suite, server, ORCA, "client: ")


def their_server(suite):
    port = grpc_cases.free_port()
    process = suite.background([GO_PROGRAMS / "grpc-go-server", "-port", str(port)])
    grpc_cases.wait_for("grpc-go's server", port)
    grpc_cases.client(suite, f"127.0.0.1:{port}", without=grpc_cases.COMPRESSED)
    process.kill()

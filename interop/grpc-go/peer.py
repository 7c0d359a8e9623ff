"""grpc-go's interop client against our server, our client against its server: every case that needs no cloud."""

import subprocess

from harness import GO_PROGRAMS, expect, go_tool, grpc_cases

NEEDS = [go_tool("grpc-go-client"), go_tool("grpc-go-server"), *grpc_cases.NEEDS]

SOAKS = {
    "rpc_soak": ["-soak_iterations", "200", "-soak_num_threads", "4"],
    "channel_soak": ["-soak_iterations", "50"],
}
# Its balancer of this name keeps the reports of load.
BALANCER = '{"loadBalancingConfig":[{"test_backend_metrics_load_balancer":{}}]}'
ORCA = {case: ["-service_config_json", BALANCER] for case in ["orca_per_rpc", "orca_oob"]}
# It cancels and then asks for the reply, which on a busy machine may be there before the cancellation is noticed.
TRIES = {"cancel_after_begin": 3}


def run(suite):
    their_client(suite)
    their_server(suite)


def their_client(suite):
    with grpc_cases.server(suite) as server:
        for case in [*grpc_cases.CASES, *SOAKS, *ORCA]:
            with suite.check(f"client: {case}"):
                address = ["-server_host", server.host, "-server_port", str(server.port)]
                options = [*SOAKS.get(case, []), *ORCA.get(case, [])]
                command = [GO_PROGRAMS / "grpc-go-client", *address, "-test_case", case, *options]
                for _ in range(TRIES.get(case, 1)):
                    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
                    if ran.returncode == 0:
                        break
                expect(ran.returncode == 0, ran.stderr[-400:])


def their_server(suite):
    port = grpc_cases.free_port()
    process = suite.background([GO_PROGRAMS / "grpc-go-server", "-port", str(port)])
    grpc_cases.wait_for("grpc-go's server", port)
    grpc_cases.client(suite, f"127.0.0.1:{port}", without=grpc_cases.COMPRESSED)
    process.kill()

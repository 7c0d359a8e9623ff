"""brpc-java 3.0.5 and grpcio 1.85.1, each as client and as server of the other, through `polywire gateway`."""

import sys
from pathlib import Path

from harness import java, package, tool

HERE = Path(__file__).resolve().parent
NEEDS = [tool("java"), tool("mvn"), java.built, package("grpcio", "1.85.1")]
SERVICE = "example.EchoService"


def gateway(suite, front, back, server):
    """In front of one server, whose methods it is told by their names."""
    service = f'service = "{SERVICE}"' if front == "nova_pbrpc" else ""
    return suite.gateway_by(
        f'[listeners.main]\nlisten = "127.0.0.1:0"\nprotocols = ["{front}"]\n{service}\n'
        f'[clusters.a]\nprotocol = "{back}"\nservers = "{server.address}"\ntimeout = "20s"\n'
        f'methods = {{ "{SERVICE}" = ["Echo", "Fail"] }}\n[[routes]]\nmatch = "*"\nto = "a"\n'
    )


def run(suite):
    grpcio = suite.foreign_server("grpcio", [sys.executable, HERE / "echo.py"])
    brpc = suite.foreign_server("brpc-java", java.command("brpc-java", "Server"))
    public = suite.foreign_server("brpc-java", java.command("brpc-java", "Server", "public_pbrpc"))
    ours = suite.start()
    for front, back, server in (
        ("hulu_pbrpc", "baidu_std", brpc),
        ("public_pbrpc", "grpc", grpcio),
        ("nova_pbrpc", "grpc", grpcio),
        ("sofa_pbrpc", "baidu_std", ours),
    ):
        with suite.over(f"{front} to {back}"), gateway(suite, front, back, server) as running:
            suite.relay(java.command("brpc-java", "Client", running.address, front), java.CLIENT_S)
    for back, server in (("hulu_pbrpc", brpc), ("sofa_pbrpc", brpc), ("public_pbrpc", public)):
        with suite.over(f"grpc to {back}"), gateway(suite, "grpc", back, server) as running:
            numbers = [] if back == "sofa_pbrpc" else ["numbers"]
            suite.relay([sys.executable, HERE / "echo.py", running.address, *numbers], timeout_s=120)
    for server in (grpcio, brpc, public, ours):
        server.stop()

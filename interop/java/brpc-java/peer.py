"""brpc-java 3.0.5, Baidu's own implementation for Java, as client and as server over five protocols."""

from harness import java, tool

NEEDS = [tool("java"), tool("mvn"), java.built]


def run(suite):
    for protocol in ("baidu_std", "hulu_pbrpc", "sofa_pbrpc", "public_pbrpc", "nova_pbrpc"):
        with suite.over(protocol):
            java.as_client(suite, "brpc-java", protocol)
    server = suite.foreign_server("brpc-java", java.command("brpc-java", "Server"))
    for protocol in ("baidu_std", "hulu_pbrpc", "sofa_pbrpc"):
        with suite.over(protocol):
            java.as_server(suite, server, protocol, attachments=protocol != "sofa_pbrpc")
    server.stop()
    server = suite.foreign_server("brpc-java", java.command("brpc-java", "Server", "public_pbrpc"))
    with suite.over("public_pbrpc"):
        java.as_server(suite, server, "public_pbrpc", attachments=False)
    server.stop()

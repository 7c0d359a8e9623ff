"""grpc-java 1.79.0: its client against our server, our client against its server, compressed cases included."""

from harness import grpc_cases, java, tool

# Its service does not look whether a message came compressed, and compresses no stream.
UNREAD = [*grpc_cases.COMPRESSED_REQUESTS, "server_compressed_streaming"]
NEEDS = [tool("java"), tool("mvn"), java.built, *grpc_cases.NEEDS]


def run(suite):
    with grpc_cases.server(suite) as server:
        suite.relay(java.command("grpc-java", "Client", server.address), java.CLIENT_S)
    theirs = suite.foreign_server("grpc-java", java.command("grpc-java", "Server"))
    grpc_cases.client(suite, theirs.address, without=UNREAD)
    theirs.stop()

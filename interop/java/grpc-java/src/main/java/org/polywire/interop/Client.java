package org.polywire.interop;

import io.grpc.ManagedChannelBuilder;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.testing.integration.AbstractInteropTest;
import java.util.LinkedHashMap;
import java.util.Map;

/** gRPC's interop cases as grpc-java has them, and what else it tests itself with: `Client HOST:PORT`, a line for each. */
public final class Client extends AbstractInteropTest {
    private final String target;

    private Client(String target) {
        this.target = target;
    }

    @Override
    protected ManagedChannelBuilder<?> createChannelBuilder() {
        return NettyChannelBuilder.forTarget(target).usePlaintext().maxInboundMessageSize(MAX_MESSAGE_SIZE);
    }

    /** Its figures are about a server in the same process. */
    @Override
    protected boolean metricsExpected() {
        return false;
    }

    private Map<String, Checks.Body> cases() {
        Map<String, Checks.Body> cases = new LinkedHashMap<>();
        cases.put("empty_unary", this::emptyUnary);
        cases.put("large_unary", this::largeUnary);
        cases.put("client_streaming", this::clientStreaming);
        cases.put("server_streaming", this::serverStreaming);
        cases.put("ping_pong", this::pingPong);
        cases.put("empty_stream", this::emptyStream);
        cases.put("timeout_on_sleeping_server", this::timeoutOnSleepingServer);
        cases.put("cancel_after_begin", this::cancelAfterBegin);
        cases.put("cancel_after_first_response", this::cancelAfterFirstResponse);
        cases.put("custom_metadata", this::customMetadata);
        cases.put("status_code_and_message", this::statusCodeAndMessage);
        cases.put("special_status_message", this::specialStatusMessage);
        cases.put("unimplemented_method", this::unimplementedMethod);
        cases.put("unimplemented_service", this::unimplementedService);
        cases.put("client_compressed_unary", () -> clientCompressedUnary(true));
        cases.put("server_compressed_unary", this::serverCompressedUnary);
        cases.put("client_compressed_streaming", () -> clientCompressedStreaming(true));
        cases.put("server_compressed_streaming", this::serverCompressedStreaming);
        cases.put("full duplex", this::fullDuplexCallShouldSucceed);
        cases.put("half duplex", this::halfDuplexCallShouldSucceed);
        cases.put("a stream goes no faster than it is asked for", this::serverStreamingShouldBeFlowControlled);
        cases.put("a deadline that is kept", this::deadlineNotExceeded);
        cases.put("a deadline that a stream does not keep", this::deadlineExceededServerStreaming);
        cases.put("a deadline in the past", this::deadlineInPast);
        cases.put("a reply as long as the client takes", this::maxInboundSize_exact);
        cases.put("a reply longer than the client takes", this::maxInboundSize_tooBig);
        cases.put("a client that shuts down lets its calls end", this::gracefulShutdown);
        return cases;
    }

    public static void main(String[] arguments) {
        Checks checks = new Checks();
        // One object for each: what it counted during a case would be taken for the next one's.
        for (String name : new Client(arguments[0]).cases().keySet()) {
            Client client = new Client(arguments[0]);
            checks.check("client: " + name, () -> {
                client.setUp();
                try {
                    client.cases().get(name).run();
                } finally {
                    client.tearDown();
                }
            });
        }
        checks.exit();
    }
}

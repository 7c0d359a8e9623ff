package org.polywire.interop;

import io.grpc.ServerInterceptors;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.testing.integration.TestServiceImpl;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** grpc-java's own service for gRPC's interop cases, until the process is told to end. */
public final class Server {
    public static void main(String[] arguments) throws Exception {
        TestServiceImpl service = new TestServiceImpl(Executors.newSingleThreadScheduledExecutor());
        io.grpc.Server server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .maxInboundMessageSize(16 << 20)
                .addService(ServerInterceptors.intercept(service, TestServiceImpl.interceptors()))
                .build()
                .start();
        System.out.println("listening on 127.0.0.1:" + server.getPort());
        System.out.flush();
        server.awaitTermination();
    }

    private Server() {}
}

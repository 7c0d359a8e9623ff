package org.polywire.interop;

import com.baidu.brpc.RpcContext;
import com.baidu.brpc.server.RpcServer;
import com.baidu.brpc.server.RpcServerOptions;

/** brpc-java as the server: echoes message and attachment until it is killed. */
public final class Server {
    public static void main(String[] arguments) throws Exception {
        int port = Checks.freePort();
        RpcServer server = new RpcServer("127.0.0.1", port, new RpcServerOptions());
        server.registerService(new Service());
        server.start();
        System.out.println("listening on 127.0.0.1:" + port);
        System.out.flush();
        Thread.currentThread().join();
    }

    public static final class Service implements EchoService {
        @Override
        public Echo.EchoResponse echo(Echo.EchoRequest request) {
            RpcContext context = RpcContext.getContext();
            if (context.getRequestBinaryAttachment() != null) {
                byte[] attachment = new byte[context.getRequestBinaryAttachment().readableBytes()];
                context.getRequestBinaryAttachment().readBytes(attachment);
                context.setResponseBinaryAttachment(io.netty.buffer.Unpooled.wrappedBuffer(attachment));
            }
            return Echo.EchoResponse.newBuilder().setMessage(request.getMessage()).build();
        }

        @Override
        public Echo.EchoResponse fail(Echo.EchoRequest request) {
            throw new IllegalStateException("failed as asked: " + request.getMessage());
        }
    }
}

package org.polywire.interop;

import com.baidu.brpc.RpcContext;
import com.baidu.brpc.server.RpcServer;
import com.baidu.brpc.server.RpcServerOptions;
import io.netty.buffer.Unpooled;

/**
 * brpc-java as the server: echoes message and attachment until it is killed. It tells the protocols with a magic of their own
 * apart; those over nshead it serves alone, when its argument names one.
 */
public final class Server {
    public static void main(String[] arguments) throws Exception {
        RpcServerOptions options = new RpcServerOptions();
        Dialect alone = arguments.length == 0 ? null : Dialect.valueOf(arguments[0]);
        if (alone != null) {
            options.setProtocolType(alone.protocol);
        }
        int port = Checks.freePort();
        RpcServer server = new RpcServer("127.0.0.1", port, options);
        server.registerService(new Named());
        if (alone != Dialect.nova_pbrpc) { // it would answer with any method that there is
            server.registerService(new NamedFailing());
            server.registerService(new Numbered());
            server.registerService(new NumberedFailing());
        }
        server.start();
        System.out.println("listening on 127.0.0.1:" + port);
        System.out.flush();
        Thread.currentThread().join();
    }

    // The library wants one class for each interface.

    public static final class Named implements Services.EchoService {
        @Override
        public Echo.EchoResponse echo(Echo.EchoRequest request) {
            return answer(request);
        }
    }

    public static final class Numbered implements Services.NumberedEchoService {
        @Override
        public Echo.EchoResponse echo(Echo.EchoRequest request) {
            return answer(request);
        }
    }

    public static final class NamedFailing implements Services.FailService {
        @Override
        public Echo.EchoResponse fail(Echo.EchoRequest request) {
            throw failure(request);
        }
    }

    public static final class NumberedFailing implements Services.NumberedFailService {
        @Override
        public Echo.EchoResponse fail(Echo.EchoRequest request) {
            throw failure(request);
        }
    }

    private static Echo.EchoResponse answer(Echo.EchoRequest request) {
        RpcContext context = RpcContext.getContext();
        if (context.getRequestBinaryAttachment() != null) {
            byte[] attachment = new byte[context.getRequestBinaryAttachment().readableBytes()];
            context.getRequestBinaryAttachment().readBytes(attachment);
            context.setResponseBinaryAttachment(Unpooled.wrappedBuffer(attachment));
        }
        return Echo.EchoResponse.newBuilder().setMessage(request.getMessage()).build();
    }

    private static IllegalStateException failure(Echo.EchoRequest request) {
        return new IllegalStateException("failed as asked: " + request.getMessage());
    }
}

package org.polywire.interop;

import com.baidu.jprotobuf.pbrpc.ProtobufRPCService;
import com.baidu.jprotobuf.pbrpc.ServerAttachmentHandler;
import com.baidu.jprotobuf.pbrpc.transport.RpcServer;

/** jprotobuf-rpc as the server: echoes message and attachment until it is killed. */
public final class Server {
    public static void main(String[] arguments) throws Exception {
        int port = Checks.freePort();
        RpcServer server = new RpcServer();
        server.registerService(new Service());
        server.startSync(port);
        System.out.println("listening on 127.0.0.1:" + port);
        System.out.flush();
        Thread.currentThread().join();
    }

    public static final class Service {
        @ProtobufRPCService(serviceName = "example.EchoService", methodName = "Echo", attachmentHandler = EchoAttachment.class)
        public Message echo(Message request) {
            return new Message(request.message);
        }

        /** Fails on purpose. */
        @ProtobufRPCService(serviceName = "example.EchoService", methodName = "Fail")
        public Message fail(Message request) {
            throw new IllegalStateException("failed as asked: " + request.message);
        }
    }

    public static final class EchoAttachment implements ServerAttachmentHandler {
        @Override
        public byte[] handleAttachement(byte[] attachment, String service, String method, Object... arguments) {
            return attachment;
        }
    }
}

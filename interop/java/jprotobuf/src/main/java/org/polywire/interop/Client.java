package org.polywire.interop;

import com.baidu.jprotobuf.pbrpc.ClientAttachmentHandler;
import com.baidu.jprotobuf.pbrpc.CompressType;
import com.baidu.jprotobuf.pbrpc.ProtobufRPC;
import com.baidu.jprotobuf.pbrpc.client.ProtobufRpcProxy;
import com.baidu.jprotobuf.pbrpc.transport.RpcClient;
import com.baidu.jprotobuf.pbrpc.transport.RpcClientOptions;
import java.util.Arrays;
import java.util.Random;

/** jprotobuf-rpc as the client of the server named by its argument, HOST:PORT. */
public final class Client {
    private static final int SEED = 11;
    private static final int PATIENCE_MS = 20_000;

    private final String host;
    private final int port;

    private Client(String address) {
        int colon = address.lastIndexOf(':');
        host = address.substring(0, colon);
        port = Integer.parseInt(address.substring(colon + 1));
    }

    /** This library keeps one description per service and method, so each variation is an interface of its own. */
    public interface Plain {
        @ProtobufRPC(serviceName = "example.EchoService", methodName = "Echo", onceTalkTimeout = PATIENCE_MS)
        Message echo(Message request);
    }

    public interface Snappy {
        @ProtobufRPC(serviceName = "example.EchoService", methodName = "Echo", onceTalkTimeout = PATIENCE_MS,
                compressType = CompressType.Snappy)
        Message echo(Message request);
    }

    public interface Gzip {
        @ProtobufRPC(serviceName = "example.EchoService", methodName = "Echo", onceTalkTimeout = PATIENCE_MS,
                compressType = CompressType.GZIP)
        Message echo(Message request);
    }

    public interface Attached {
        @ProtobufRPC(serviceName = "example.EchoService", methodName = "Echo", onceTalkTimeout = PATIENCE_MS,
                attachmentHandler = Attachment.class)
        Message echo(Message request);
    }

    public interface Unknown {
        @ProtobufRPC(serviceName = "example.EchoService", methodName = "NoSuchMethod", onceTalkTimeout = PATIENCE_MS)
        Message method(Message request);

        @ProtobufRPC(serviceName = "example.NoSuchService", methodName = "Echo", onceTalkTimeout = PATIENCE_MS)
        Message service(Message request);
    }

    /** The library makes handlers itself, so what they send and find lies in the open. One thread uses it. */
    public static final class Attachment implements ClientAttachmentHandler {
        static volatile byte[] sent = {};
        static volatile byte[] found;

        @Override
        public byte[] handleRequest(String service, String method, Object... arguments) {
            return sent;
        }

        @Override
        public void handleResponse(byte[] attachment, String service, String method, Object... arguments) {
            found = attachment;
        }
    }

    public static void main(String[] arguments) {
        Checks checks = new Checks();
        new Client(arguments[0]).run(checks);
        checks.exit();
    }

    private void run(Checks checks) {
        Plain plain = proxy(Plain.class);
        checks.check("echoes a message", () -> echo(plain, "hello"));
        checks.check("echoes text beyond ASCII", () -> echo(plain, "Grüße, 你好, \u0000 and 🦀"));
        for (int bytes : new int[] {1, 100, 65536, 1 << 20, 10 << 20}) {
            checks.check("echoes a message of " + bytes + " bytes", () -> echo(plain, "x".repeat(bytes)));
            checks.check("echoes an attachment of " + bytes + " bytes", () -> {
                Attachment.sent = new byte[bytes];
                new Random(SEED).nextBytes(Attachment.sent);
                Attachment.found = null;
                Checks.same("attached", proxy(Attached.class).echo(new Message("attached")).message);
                Checks.that(Arrays.equals(Attachment.sent, Attachment.found), "the attachment came back changed");
            });
        }
        checks.check("sends snappy, short and long", () -> {
            Snappy snappy = proxy(Snappy.class);
            Checks.same("short", snappy.echo(new Message("short")).message);
            Checks.same("long ".repeat(50_000), snappy.echo(new Message("long ".repeat(50_000))).message);
        });
        checks.check("sends gzip, short and long", () -> {
            Gzip gzip = proxy(Gzip.class);
            Checks.same("short", gzip.echo(new Message("short")).message);
            Checks.same("long ".repeat(50_000), gzip.echo(new Message("long ".repeat(50_000))).message);
        });
        Unknown unknown = proxy(Unknown.class);
        checks.check("an unknown method is refused, and the connection lives on", () -> {
            String refusal = Checks.failure(() -> unknown.method(new Message("x")));
            Checks.that(refusal.contains("errorCode="), refusal);
            echo(plain, "still there");
        });
        checks.check("an unknown service is refused, and the connection lives on", () -> {
            String refusal = Checks.failure(() -> unknown.service(new Message("x")));
            Checks.that(refusal.contains("errorCode="), refusal);
            echo(plain, "still there");
        });
        checks.check("16 threads share the client, each gets its own replies",
                () -> Checks.concurrently(16, 500, n -> echo(plain, "call " + n)));
    }

    private static void echo(Plain plain, String message) {
        Checks.same(message, plain.echo(new Message(message)).message);
    }

    private <T> T proxy(Class<T> service) {
        RpcClientOptions options = new RpcClientOptions();
        options.setConnectTimeout(5_000);
        options.setOnceTalkTimeout(PATIENCE_MS);
        ProtobufRpcProxy<T> proxy = new ProtobufRpcProxy<>(new RpcClient(options), service);
        proxy.setHost(host);
        proxy.setPort(port);
        return proxy.proxy();
    }
}

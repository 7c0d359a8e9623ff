package org.polywire.interop;

import com.baidu.brpc.RpcContext;
import com.baidu.brpc.client.BrpcProxy;
import com.baidu.brpc.client.RpcClient;
import com.baidu.brpc.client.RpcClientOptions;
import com.baidu.brpc.client.channel.ChannelType;
import com.baidu.brpc.client.channel.Endpoint;
import com.baidu.brpc.protocol.BrpcMeta;
import com.baidu.brpc.protocol.Options.CompressType;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** brpc-java as the client of the server named by its argument, HOST:PORT. */
public final class Client {
    private static final int SEED = 7;

    private final Endpoint server;
    /** Kept until the process ends: stopping one takes the library two seconds. */
    private final Map<String, Session> sessions = new HashMap<>();

    private Client(String address) {
        int colon = address.lastIndexOf(':');
        server = new Endpoint(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    }

    public static void main(String[] arguments) {
        Checks checks = new Checks();
        new Client(arguments[0]).run(checks);
        checks.exit();
    }

    private void run(Checks checks) {
        for (ChannelType kind : ChannelType.values()) {
            checks.check("echoes a message over a " + kind.getName() + " connection", () -> {
                Session session = open(kind, CompressType.COMPRESS_TYPE_NONE);
                session.echo("hello");
                session.echo("hello again");
            });
        }
        checks.check("echoes the empty message", () -> {
            Session session = open();
            session.echo("");
        });
        checks.check("echoes text beyond ASCII", () -> {
            Session session = open();
            session.echo("Grüße, 你好, \u0000 and 🦀");
        });
        for (int bytes : new int[] {1, 100, 65536, 1 << 20, 10 << 20}) {
            checks.check("echoes a message of " + bytes + " bytes", () -> {
                Session session = open();
                session.echo("x".repeat(bytes));
            });
            checks.check("echoes an attachment of " + bytes + " bytes", () -> {
                Session session = open();
                session.echo("with attachment", random(bytes));
            });
        }
        for (CompressType type : new CompressType[] {
                CompressType.COMPRESS_TYPE_SNAPPY, CompressType.COMPRESS_TYPE_GZIP, CompressType.COMPRESS_TYPE_ZLIB}) {
            checks.check("sends " + type + ", short, long and beside an attachment", () -> {
                Session session = open(ChannelType.POOLED_CONNECTION, type);
                session.echo("short");
                session.echo("long ".repeat(50_000));
                session.echo("beside", random(1000));
            });
        }
        checks.check("an unknown method is refused by name, and the connection lives on", () -> {
            Session session = open();
            String refusal = Checks.failure(() -> session.unknown.method(request("x")));
            Checks.that(refusal.contains("Fail to find"), refusal);
            session.echo("still there");
        });
        checks.check("an unknown service is refused by name, and the connection lives on", () -> {
            Session session = open();
            String refusal = Checks.failure(() -> session.unknown.service(request("x")));
            Checks.that(refusal.contains("Fail to find"), refusal);
            session.echo("still there");
        });
        for (ChannelType kind : new ChannelType[] {ChannelType.SINGLE_CONNECTION, ChannelType.POOLED_CONNECTION}) {
            checks.check("16 threads share a " + kind.getName() + " client, each gets its own replies", () -> {
                Session session = open(kind, CompressType.COMPRESS_TYPE_NONE);
                Checks.concurrently(16, 500, n -> session.echo("call " + n));
            });
        }
    }

    private Session open() {
        return open(ChannelType.SINGLE_CONNECTION, CompressType.COMPRESS_TYPE_NONE);
    }

    private Session open(ChannelType kind, CompressType compression) {
        RpcClientOptions options = new RpcClientOptions();
        options.setChannelType(kind);
        options.setCompressType(compression);
        options.setConnectTimeoutMillis(5_000);
        options.setReadTimeoutMillis(20_000);
        options.setWriteTimeoutMillis(20_000);
        options.setMaxTryTimes(1); // a retry would hide a broken connection
        options.setMinIdleConnections(1);
        return sessions.computeIfAbsent(kind + " " + compression, key -> new Session(server, options));
    }

    private static Echo.EchoRequest request(String message) {
        return Echo.EchoRequest.newBuilder().setMessage(message).build();
    }

    private static byte[] random(int bytes) {
        byte[] attachment = new byte[bytes];
        new Random(SEED).nextBytes(attachment);
        return attachment;
    }

    /** Methods that no server has. */
    public interface Unknown {
        @BrpcMeta(serviceName = "example.EchoService", methodName = "NoSuchMethod")
        Echo.EchoResponse method(Echo.EchoRequest request);

        @BrpcMeta(serviceName = "example.NoSuchService", methodName = "Echo")
        Echo.EchoResponse service(Echo.EchoRequest request);
    }

    /** A client library serves one interface each; both go to the same server. */
    private static final class Session {
        private final EchoService echo;
        private final Unknown unknown;

        Session(Endpoint server, RpcClientOptions options) {
            echo = BrpcProxy.getProxy(new RpcClient(server, options), EchoService.class);
            unknown = BrpcProxy.getProxy(new RpcClient(server, options), Unknown.class);
        }

        void echo(String message) {
            RpcContext.getContext().reset();
            Checks.same(message, echo.echo(request(message)).getMessage());
        }

        void echo(String message, byte[] attachment) {
            RpcContext context = RpcContext.getContext();
            context.reset();
            context.setRequestBinaryAttachment(attachment);
            Checks.same(message, echo.echo(request(message)).getMessage());
            ByteBuf back = RpcContext.getContext().getResponseBinaryAttachment();
            Checks.that(back != null, "the attachment did not come back");
            byte[] found = new byte[back.readableBytes()];
            back.readBytes(found);
            back.release();
            Checks.that(Arrays.equals(attachment, found), "the attachment came back changed");
        }
    }
}

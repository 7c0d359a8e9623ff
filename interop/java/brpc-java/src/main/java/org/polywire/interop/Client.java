package org.polywire.interop;

import com.baidu.brpc.RpcContext;
import com.baidu.brpc.client.BrpcProxy;
import com.baidu.brpc.client.RpcClient;
import com.baidu.brpc.client.RpcClientOptions;
import com.baidu.brpc.client.channel.ChannelType;
import com.baidu.brpc.client.channel.Endpoint;
import com.baidu.brpc.protocol.Options.CompressType;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** brpc-java as the client of a server: HOST:PORT, and the name of a {@link Dialect}. */
public final class Client {
    private static final int SEED = 7;

    private final Endpoint server;
    private final Dialect dialect;
    /** Kept until the process ends: stopping one takes the library two seconds. */
    private final Map<String, Session> sessions = new HashMap<>();

    private Client(String address, Dialect dialect) {
        this.dialect = dialect;
        int colon = address.lastIndexOf(':');
        server = new Endpoint(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    }

    public static void main(String[] arguments) {
        Checks checks = new Checks();
        new Client(arguments[0], Dialect.valueOf(arguments[1])).run(checks);
        checks.exit();
    }

    private void run(Checks checks) {
        for (ChannelType kind : dialect.connections()) {
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
            if (dialect.attachments()) {
                checks.check("echoes an attachment of " + bytes + " bytes", () -> {
                    Session session = open();
                    session.echo("with attachment", random(bytes));
                });
            }
        }
        for (CompressType type : dialect.compressions()) {
            checks.check("sends " + type + ", short, long and beside what else there may be", () -> {
                Session session = open(ChannelType.POOLED_CONNECTION, type);
                session.echo("short");
                session.echo("long ".repeat(50_000));
                if (dialect.attachments()) {
                    session.echo("beside", random(1000));
                }
            });
        }
        if (dialect.unknown != null) {
            unknown(checks);
        }
        for (ChannelType kind : dialect.connections()) {
            if (kind == ChannelType.SHORT_CONNECTION) {
                continue; // thousands of ports would stay in TIME_WAIT
            }
            checks.check("16 threads share a " + kind.getName() + " client, each gets its own replies", () -> {
                Session session = open(kind, CompressType.COMPRESS_TYPE_NONE);
                Checks.concurrently(16, 500, n -> session.echo("call " + n));
            });
        }
    }

    private void unknown(Checks checks) {
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
    }

    private Session open() {
        ChannelType kind = dialect.multiplexes() ? ChannelType.SINGLE_CONNECTION : ChannelType.POOLED_CONNECTION;
        return open(kind, CompressType.COMPRESS_TYPE_NONE);
    }

    private Session open(ChannelType kind, CompressType compression) {
        RpcClientOptions options = new RpcClientOptions();
        options.setProtocolType(dialect.protocol);
        options.setChannelType(kind);
        options.setCompressType(compression);
        options.setConnectTimeoutMillis(5_000);
        options.setReadTimeoutMillis(20_000);
        options.setWriteTimeoutMillis(20_000);
        options.setMaxTryTimes(1); // a retry would hide a broken connection
        options.setMinIdleConnections(1);
        return sessions.computeIfAbsent(kind + " " + compression, key -> new Session(dialect, server, options));
    }

    private static Echo.EchoRequest request(String message) {
        return Echo.EchoRequest.newBuilder().setMessage(message).build();
    }

    private static byte[] random(int bytes) {
        byte[] attachment = new byte[bytes];
        new Random(SEED).nextBytes(attachment);
        return attachment;
    }

    /** A client library serves one interface each; both go to the same server. */
    private static final class Session {
        private final Services.EchoService echo;
        /** `null` where the dialect has none. */
        private final Services.Unknown unknown;

        Session(Dialect dialect, Endpoint server, RpcClientOptions options) {
            echo = BrpcProxy.getProxy(new RpcClient(server, options), dialect.service);
            unknown = dialect.unknown == null ? null : BrpcProxy.getProxy(new RpcClient(server, options), dialect.unknown);
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

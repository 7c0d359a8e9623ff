package org.polywire.interop;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TMultiplexedProcessor;
import org.apache.thrift.async.AsyncMethodCallback;
import org.apache.thrift.async.TAsyncClientManager;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TMultiplexedProtocol;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolFactory;
import org.apache.thrift.protocol.TType;
import org.apache.thrift.server.ServerTestBase.TestHandler;
import org.apache.thrift.server.TThreadPoolServer;
import org.apache.thrift.transport.TNonblockingSocket;
import org.apache.thrift.transport.TServerSocket;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportFactory;
import org.apache.thrift.transport.layered.TFramedTransport;
import thrift.test.Numberz;
import thrift.test.SecondService;
import thrift.test.ThriftTest;
import thrift.test.Xception;
import thrift.test.Xtruct;

/**
 * What Apache's cross-test in Java leaves out: binary without the version, types of exceptions, many calls of one connection, calls
 * without reply among others, the client that does not wait.
 *
 * <p>`client FORM HOST:PORT` checks our server, `server FORM` is a server of Apache's. A form is `framed+binary` and the like.
 */
public final class Beyond {
    private static final Checks CHECKS = new Checks();
    private static final int TIMEOUT_MS = 20_000;

    private final boolean framed;
    private final TProtocolFactory protocols;

    private Beyond(String form) {
        String[] parts = form.split("\\+");
        framed = parts[0].equals("framed");
        protocols = switch (parts[1]) {
            case "compact" -> new TCompactProtocol.Factory();
            case "old" -> new TBinaryProtocol.Factory(false, false);
            default -> new TBinaryProtocol.Factory(true, true); // refuses messages without the version
        };
    }

    public static void main(String[] arguments) throws Exception {
        Beyond form = new Beyond(arguments[1]);
        if (arguments[0].equals("server")) {
            form.serve();
            return;
        }
        String[] address = arguments[2].split(":");
        form.check(arguments[1] + ": ", address[0], Integer.parseInt(address[1]));
        CHECKS.exit();
    }

    private void serve() throws Exception {
        var multiplexed = new TMultiplexedProcessor();
        var handler = new ThriftTest.Processor<>(new TestHandler());
        multiplexed.registerDefault(handler);
        multiplexed.registerProcessor("ThriftTest", handler);
        multiplexed.registerProcessor("SecondService", new SecondService.Processor<SecondService.Iface>(thing -> "testString(\"" + thing + "\")"));
        var socket = new TServerSocket(0);
        System.out.println("listening on 127.0.0.1:" + socket.getServerSocket().getLocalPort());
        var transports = framed ? new TFramedTransport.Factory() : new TTransportFactory();
        new TThreadPoolServer(new TThreadPoolServer.Args(socket).processor(multiplexed).protocolFactory(protocols)
                .transportFactory(transports)).serve();
    }

    /** A body of a check that needs a connection. */
    private interface Body {
        void run(TProtocol protocol) throws Exception;
    }

    private void connected(String host, int port, Body body) throws Exception {
        TSocket socket = new TSocket(host, port, TIMEOUT_MS);
        try (TTransport transport = framed ? new TFramedTransport(socket) : socket) {
            transport.open();
            body.run(protocols.getProtocol(transport));
        }
    }

    private void check(String form, String host, int port) {
        CHECKS.check(form + "values come back, long ones too", () -> connected(host, port, protocol -> {
            var client = new ThriftTest.Client(protocol);
            for (String text : List.of("", "text", "ü贛語😀".repeat(300), "x".repeat(300_000))) {
                Checks.same(text, client.testString(text));
            }
            Checks.same(Long.MIN_VALUE, client.testI64(Long.MIN_VALUE));
            Checks.same(Double.MIN_VALUE, client.testDouble(Double.MIN_VALUE));
            Checks.same(Numberz.EIGHT, client.testEnum(Numberz.EIGHT));
            var struct = new Xtruct("Zero", (byte) -128, Integer.MIN_VALUE, Long.MAX_VALUE);
            Checks.same(struct, client.testStruct(struct));
        }));
        CHECKS.check(form + "exceptions, declared and others, and the connection goes on", () -> connected(host, port, protocol -> {
            var client = new ThriftTest.Client(protocol);
            try {
                client.testException("Xception");
                throw new AssertionError("it did not fail");
            } catch (Xception thrown) {
                Checks.same(1001, thrown.errorCode);
            }
            Checks.same(TApplicationException.INTERNAL_ERROR, type(() -> client.testException("TException")));
            var nobody = new ThriftTest.Client(new TMultiplexedProtocol(protocol, "Nobody"));
            Checks.same(TApplicationException.UNKNOWN_METHOD, type(nobody::testVoid));
            Checks.same("after", client.testString("after"));
        }));
        CHECKS.check(form + "a uuid and fields of all kinds that nobody knows are passed over", () -> connected(host, port, Beyond::unknownFields));
        CHECKS.check(form + "two services of one connection", () -> connected(host, port, protocol -> {
            var first = new ThriftTest.Client(new TMultiplexedProtocol(protocol, "ThriftTest"));
            var second = new SecondService.Client(new TMultiplexedProtocol(protocol, "SecondService"));
            for (int n = 0; n < 10; n++) {
                Checks.same("first" + n, first.testString("first" + n));
                Checks.same("testString(\"second" + n + "\")", second.secondtestString("second" + n));
            }
        }));
        CHECKS.check(form + "calls ahead of their replies, and some without one, are answered in order", () -> connected(host, port, protocol -> {
            var client = new ThriftTest.Client(new TMultiplexedProtocol(protocol, "ThriftTest"));
            for (int n = 0; n < 20; n++) {
                client.testOneway(0);
                protocol.writeMessageBegin(new TMessage("testI32", TMessageType.CALL, n + 1));
                new ThriftTest.testI32_args(n).write(protocol);
                protocol.writeMessageEnd();
                protocol.getTransport().flush();
            }
            for (int n = 0; n < 20; n++) {
                TMessage reply = protocol.readMessageBegin();
                var result = new ThriftTest.testI32_result();
                result.read(protocol);
                protocol.readMessageEnd();
                Checks.same(List.of(n + 1, n), List.of(reply.seqid, result.success));
            }
        }));
        CHECKS.check(form + "ten connections at once", () -> Checks.concurrently(10, 1, thread -> {
            try {
                connected(host, port, protocol -> {
                    var client = new ThriftTest.Client(protocol);
                    for (int n = 0; n < 100; n++) {
                        Checks.same(thread * 1000 + n, client.testI32(thread * 1000 + n));
                    }
                });
            } catch (Exception thrown) {
                throw new AssertionError(thrown);
            }
        }));
        if (framed) { // as its other client always is
            CHECKS.check(form + "the client that does not wait", () -> asynchronous(host, port));
        }
    }

    /** The call `testString`, whose arguments have more fields than the server knows. */
    private static void unknownFields(TProtocol protocol) throws Exception {
        protocol.writeMessageBegin(new TMessage("testString", TMessageType.CALL, 77));
        protocol.writeFieldBegin(new TField("", TType.UUID, (short) 100));
        protocol.writeUuid(UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"));
        protocol.writeFieldEnd();
        protocol.writeFieldBegin(new TField("thing", TType.STRING, (short) 1));
        protocol.writeString("known");
        protocol.writeFieldEnd();
        protocol.writeFieldBegin(new TField("", TType.STRUCT, (short) 32767));
        new Xtruct("Zero", (byte) 1, -3, -5).write(protocol);
        protocol.writeFieldEnd();
        protocol.writeFieldBegin(new TField("", TType.BOOL, (short) -1));
        protocol.writeBool(true);
        protocol.writeFieldEnd();
        protocol.writeFieldStop();
        protocol.writeMessageEnd();
        protocol.getTransport().flush();
        Checks.same(77, protocol.readMessageBegin().seqid);
        var result = new ThriftTest.testString_result();
        result.read(protocol);
        protocol.readMessageEnd();
        Checks.same("known", result.success);
    }

    private void asynchronous(String host, int port) throws Exception {
        var manager = new TAsyncClientManager();
        try (var socket = new TNonblockingSocket(host, port, TIMEOUT_MS)) {
            var client = new ThriftTest.AsyncClient(protocols, manager, socket);
            var text = new Later<String>();
            client.testString("later", text);
            Checks.same("later", text.get(TIMEOUT_MS, TimeUnit.MILLISECONDS));
            var failure = new Later<Void>();
            client.testException("Xception", failure);
            String said = Checks.failure(() -> failure.get(TIMEOUT_MS, TimeUnit.MILLISECONDS));
            Checks.that(said.contains("1001"), said);
        } finally {
            manager.stop();
        }
    }

    private static final class Later<T> extends CompletableFuture<T> implements AsyncMethodCallback<T> {
        @Override
        public void onComplete(T answer) {
            complete(answer);
        }

        @Override
        public void onError(Exception reason) {
            completeExceptionally(reason);
        }
    }

    private interface Call {
        void run() throws Exception;
    }

    private static int type(Call call) throws Exception {
        try {
            call.run();
        } catch (TApplicationException thrown) {
            return thrown.getType();
        }
        throw new AssertionError("it did not fail");
    }
}

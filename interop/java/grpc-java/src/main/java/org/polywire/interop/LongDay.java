package org.polywire.interop;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;

/** grpc-java over Netty, for loads that last: `LongDay HOST:PORT SCALE`, a line for each. */
public final class LongDay {
    private interface Load {
        void run(LongDay on) throws Exception;
    }

    private static String address;
    private static int messages;
    private static int calls;
    private static final Checks CHECKS = new Checks();

    private final ManagedChannel channel;
    private final AtomicInteger calledSoFar = new AtomicInteger();
    private final AtomicInteger messagesSoFar = new AtomicInteger();

    private LongDay(NettyChannelBuilder builder) {
        channel = builder.usePlaintext().build();
    }

    public static void main(String[] arguments) {
        address = arguments[0];
        messages = 10_000 * Integer.parseInt(arguments[1]);
        calls = 1000 * Integer.parseInt(arguments[1]);
        check("ping-pong", on -> on.talk(0, n -> n < messages));
        check("ping-pong with pauses of 2 ms", on -> on.talk(2, n -> n < messages / 10));
        check("server stream", on -> on.serverStream("x", messages, 0));
        check("server stream with pauses of 1 ms", on -> on.serverStream("x", messages / 10, 1));
        check("client stream", LongDay::clientStream);
        check("unary, one caller", LongDay::unary);
        check("metadata of 8, 17 and 40 KB beside a stream", on -> on.beside(LongDay::metadata));
        check("500 cancels a second beside a stream", on -> on.beside(LongDay::cancels));
        check("deadlines that expire beside a stream", on -> on.beside(LongDay::deadlines));
        for (int window : new int[] {100, 1 << 20, 16 << 20}) {
            check("a window of " + window + " bytes", builder().flowControlWindow(window), on ->
                    on.serverStream("x".repeat(10_000), messages / (window == 100 ? 1000 : 10), 0));
        }
        check("a PING every 10 s, its fastest", builder().keepAliveTime(10, TimeUnit.SECONDS).keepAliveWithoutCalls(true), on -> {
            on.echo("x");
            Thread.sleep(11_000);
            on.echo("x");
        });
        CHECKS.exit();
    }

    private static NettyChannelBuilder builder() {
        return NettyChannelBuilder.forTarget(address);
    }

    private static void check(String name, Load load) {
        check(name, builder(), load);
    }

    private static void check(String name, NettyChannelBuilder builder, Load load) {
        LongDay day = new LongDay(builder);
        AtomicInteger lost = new AtomicInteger();
        CHECKS.count("grpc-java: " + name, () -> {
            day.echo("first");
            day.channel.notifyWhenStateChanged(day.channel.getState(false), lost::incrementAndGet);
            load.run(day);
            Checks.same(0, lost.get()); // connections
        }, () -> " | " + day.calledSoFar + " calls | " + day.messagesSoFar + " messages");
        day.channel.shutdownNow();
    }

    // Loads

    private void echo(String text) {
        byte[] message = line(text);
        Checks.that(Arrays.equals(message, unary(channel, CallOptions.DEFAULT, message)), "another answer");
        calledSoFar.incrementAndGet();
    }

    private static byte[] unary(io.grpc.Channel on, CallOptions options, byte[] message) {
        return ClientCalls.blockingUnaryCall(on, method("EchoService/Echo", MethodType.UNARY), options, message);
    }

    private void unary() {
        for (int n = 0; n < calls; n++) {
            echo("call " + n);
        }
    }

    /** Messages are sent and answered one by one while it goes on. */
    private void talk(int pauseMs, IntPredicate goesOn) throws Exception {
        BlockingClientCall<byte[], byte[]> call =
                ClientCalls.blockingBidiStreamingCall(channel, method("StreamService/Chat", MethodType.BIDI_STREAMING), CallOptions.DEFAULT);
        for (int n = 0; goesOn.test(n); n++) {
            byte[] message = line("message " + n);
            call.write(message);
            Checks.that(Arrays.equals(message, call.read()), "another answer to message " + n);
            messagesSoFar.incrementAndGet();
            Thread.sleep(pauseMs);
        }
        call.halfClose();
        Checks.that(call.read() == null, "a message too many");
        calledSoFar.incrementAndGet();
    }

    private Iterator<byte[]> repeat(CallOptions options, String text, int count, int intervalMs) {
        return ClientCalls.blockingServerStreamingCall(
                channel, method("StreamService/Repeat", MethodType.SERVER_STREAMING), options, message(text, count, intervalMs));
    }

    private void serverStream(String text, int count, int intervalMs) {
        Iterator<byte[]> stream = repeat(CallOptions.DEFAULT, text, count, intervalMs);
        byte[] wanted = line(text);
        for (int n = 0; n < count; n++) {
            Checks.that(Arrays.equals(wanted, stream.next()), "another message");
            messagesSoFar.incrementAndGet();
        }
        Checks.that(!stream.hasNext(), "a message too many");
        calledSoFar.incrementAndGet();
    }

    private void clientStream() throws Exception {
        BlockingClientCall<byte[], byte[]> call = ClientCalls.blockingClientStreamingCall(
                channel, method("StreamService/Collect", MethodType.CLIENT_STREAMING), CallOptions.DEFAULT);
        byte[] message = line("x");
        for (int n = 0; n < messages; n++) {
            call.write(message);
            messagesSoFar.incrementAndGet();
        }
        call.halfClose();
        CodedInputStream heard = CodedInputStream.newInstance(call.read());
        heard.readTag();
        Checks.same((long) messages, heard.readUInt64());
        calledSoFar.incrementAndGet();
    }

    /** Something rough, and a ping-pong on the same connection that it must not harm. */
    private void beside(Load rough) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> witness = CompletableFuture.runAsync(() -> {
            try {
                talk(1, n -> !over.get());
            } catch (Exception why) {
                throw new IllegalStateException("the stream beside", why);
            }
        });
        try {
            rough.run(this);
        } finally {
            over.set(true);
        }
        witness.get();
    }

    /** Netty does not send what is longer than the server has said that it takes. */
    private void metadata() {
        for (int n = 0; n < calls / 10; n++) {
            for (int kilobytes : new int[] {8, 17, 40}) {
                Metadata fields = new Metadata();
                fields.put(Metadata.Key.of("x-long", Metadata.ASCII_STRING_MARSHALLER), "x".repeat(kilobytes * 1000));
                io.grpc.Channel on = ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(fields));
                Status.Code code = code(() -> unary(on, CallOptions.DEFAULT, line("x")));
                Checks.that(kilobytes == 8 ? code == Status.Code.OK : code != Status.Code.OK && code != Status.Code.UNAVAILABLE,
                        kilobytes + " KB: " + code);
                calledSoFar.incrementAndGet();
            }
        }
    }

    private static Status.Code code(Runnable call) {
        try {
            call.run();
        } catch (StatusRuntimeException why) {
            return why.getStatus().getCode();
        }
        return Status.Code.OK;
    }

    private void cancels() throws Exception {
        for (int n = 0; n < calls; n++) {
            io.grpc.Context.CancellableContext context = io.grpc.Context.current().withCancellation();
            boolean waits = n % 2 == 0;
            context.run(() -> {
                Iterator<byte[]> stream = repeat(CallOptions.DEFAULT, "x", 1000, 100);
                if (waits) {
                    stream.next();
                }
            });
            context.cancel(null);
            calledSoFar.incrementAndGet();
            Thread.sleep(2);
        }
    }

    private void deadlines() {
        for (int n = 0; n < calls / 10; n++) {
            Status.Code code = code(() -> repeat(CallOptions.DEFAULT.withDeadlineAfter(5, TimeUnit.MILLISECONDS), "x", 1000, 100)
                    .forEachRemaining(one -> {}));
            Checks.same(Status.Code.DEADLINE_EXCEEDED, code);
            calledSoFar.incrementAndGet();
        }
    }

    // Messages as they are on the wire

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
        return MethodDescriptor.newBuilder(BYTES, BYTES).setFullMethodName("example." + name).setType(type).build();
    }

    private static final MethodDescriptor.Marshaller<byte[]> BYTES = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] message) {
            return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException why) {
                throw new IllegalStateException(why);
            }
        }
    };

    private static byte[] line(String text) {
        return message(text, 0, 0);
    }

    /** RepeatRequest; without a count also EchoRequest, EchoResponse and Line. */
    private static byte[] message(String text, int count, int intervalMs) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            CodedOutputStream out = CodedOutputStream.newInstance(bytes);
            out.writeString(1, text);
            if (count > 0) {
                out.writeUInt32(2, count);
                out.writeUInt32(3, intervalMs);
            }
            out.flush();
        } catch (IOException why) {
            throw new IllegalStateException(why);
        }
        return bytes.toByteArray();
    }
}

package org.polywire.interop;

import com.baidu.brpc.client.BrpcProxy;
import com.baidu.brpc.client.RpcClient;
import com.baidu.brpc.client.RpcClientOptions;
import com.baidu.brpc.client.channel.Endpoint;
import java.util.concurrent.atomic.AtomicInteger;

/** brpc-java with its default options, for loads that last: `LongDay HOST:PORT SCALE`, a line for each. */
public final class LongDay {
    private static final int CALLERS = 10;

    public static void main(String[] arguments) {
        int colon = arguments[0].lastIndexOf(':');
        Endpoint server = new Endpoint(arguments[0].substring(0, colon), Integer.parseInt(arguments[0].substring(colon + 1)));
        int scale = Integer.parseInt(arguments[1]);
        Checks checks = new Checks();
        for (Dialect dialect : new Dialect[] {Dialect.baidu_std, Dialect.hulu_pbrpc, Dialect.sofa_pbrpc}) {
            RpcClientOptions options = new RpcClientOptions();
            options.setProtocolType(dialect.protocol);
            options.setMaxTryTimes(1); // a retry would hide a broken connection
            options.setReadTimeoutMillis(20_000);
            Services.EchoService echo = BrpcProxy.getProxy(new RpcClient(server, options), dialect.service);
            AtomicInteger called = new AtomicInteger();
            checks.count("brpc-java: calls of " + dialect + ", ten callers, then one with pauses", () -> {
                for (int round = 0; round < scale; round++) {
                    Checks.concurrently(CALLERS, 1000, n -> call(echo, n, called));
                }
                for (int n = 0; n < 10; n++) {
                    Thread.sleep(300);
                    call(echo, n, called);
                }
            }, () -> " | " + called + " calls | 0 messages");
        }
        checks.exit();
    }

    private static void call(Services.EchoService echo, int n, AtomicInteger called) {
        String text = "call " + n;
        Checks.same(text, echo.echo(Echo.EchoRequest.newBuilder().setMessage(text).build()).getMessage());
        called.incrementAndGet();
    }
}

package org.polywire.interop;

import com.baidu.brpc.protocol.BrpcMeta;

/** `example.EchoService` in brpc-java's spelling. */
public interface EchoService {
    @BrpcMeta(serviceName = "example.EchoService", methodName = "Echo")
    Echo.EchoResponse echo(Echo.EchoRequest request);

    /** Fails on purpose. Only brpc-java's own server has it. */
    @BrpcMeta(serviceName = "example.EchoService", methodName = "Fail")
    Echo.EchoResponse fail(Echo.EchoRequest request);
}

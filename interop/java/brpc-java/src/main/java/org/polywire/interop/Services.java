package org.polywire.interop;

import com.baidu.brpc.protocol.BrpcMeta;
import com.baidu.brpc.protocol.nshead.NSHeadMeta;

/** `example.EchoService` in brpc-java's spelling, once for each way in which protocols name methods. */
final class Services {
    private Services() {}

    public interface EchoService {
        @BrpcMeta(serviceName = "example.EchoService", methodName = "Echo")
        Echo.EchoResponse echo(Echo.EchoRequest request);
    }

    /** Services go by their short name, methods by their place. */
    public interface NumberedEchoService extends EchoService {
        @Override
        @BrpcMeta(serviceName = "EchoService", methodName = "0")
        Echo.EchoResponse echo(Echo.EchoRequest request);
    }

    /** The library writes version 1 into heads, which to nova_pbrpc means a compressed body. */
    public interface NovaEchoService extends EchoService {
        @Override
        @NSHeadMeta(version = 0)
        Echo.EchoResponse echo(Echo.EchoRequest request);
    }

    /** Fails on purpose. Only brpc-java's own server has it. */
    public interface FailService {
        @BrpcMeta(serviceName = "example.EchoService", methodName = "Fail")
        Echo.EchoResponse fail(Echo.EchoRequest request);
    }

    public interface NumberedFailService extends FailService {
        @Override
        @BrpcMeta(serviceName = "EchoService", methodName = "1")
        Echo.EchoResponse fail(Echo.EchoRequest request);
    }

    /** Methods that no server has. */
    public interface Unknown {
        @BrpcMeta(serviceName = "example.EchoService", methodName = "NoSuchMethod")
        Echo.EchoResponse method(Echo.EchoRequest request);

        @BrpcMeta(serviceName = "example.NoSuchService", methodName = "Echo")
        Echo.EchoResponse service(Echo.EchoRequest request);
    }

    public interface NumberedUnknown extends Unknown {
        @Override
        @BrpcMeta(serviceName = "EchoService", methodName = "99")
        Echo.EchoResponse method(Echo.EchoRequest request);

        @Override
        @BrpcMeta(serviceName = "NoSuchService", methodName = "0")
        Echo.EchoResponse service(Echo.EchoRequest request);
    }
}

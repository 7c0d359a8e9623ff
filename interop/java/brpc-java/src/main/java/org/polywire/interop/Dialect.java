package org.polywire.interop;

import com.baidu.brpc.client.channel.ChannelType;
import com.baidu.brpc.protocol.Options.CompressType;
import com.baidu.brpc.protocol.Options.ProtocolType;
import com.baidu.brpc.protocol.ProtocolManager;
import com.baidu.brpc.protocol.pbrpc.PublicPbRpcProtocolFactory;
import java.util.List;

/** The protocols of brpc-java that are checked, under our names, and what the library can do in each. */
enum Dialect {
    baidu_std(ProtocolType.PROTOCOL_BAIDU_STD, Services.EchoService.class, Services.Unknown.class),
    hulu_pbrpc(ProtocolType.PROTOCOL_HULU_PBRPC, Services.NumberedEchoService.class, Services.NumberedUnknown.class),
    sofa_pbrpc(ProtocolType.PROTOCOL_SOFA_PBRPC, Services.EchoService.class, Services.Unknown.class),
    /** Its client forgets which call a refusal belongs to, and the call runs into its timeout. */
    public_pbrpc(ProtocolType.PROTOCOL_PUBLIC_PBRPC, Services.NumberedEchoService.class, null),
    /** nshead before protobuf, and nothing else: no names, no errors, no compression, nothing but method 0. */
    nova_pbrpc(ProtocolType.PROTOCOL_NSHEAD_PROTOBUF, Services.NovaEchoService.class, null);

    static {
        // It is in the library and works, but is left out of what the library registers by itself.
        ProtocolManager.getInstance().registerProtocol(new PublicPbRpcProtocolFactory(), "utf-8");
    }

    final int protocol;
    final Class<? extends Services.EchoService> service;
    /** `null`: what is unknown cannot be asked for. */
    final Class<? extends Services.Unknown> unknown;

    Dialect(ProtocolType protocol, Class<? extends Services.EchoService> service, Class<? extends Services.Unknown> unknown) {
        this.protocol = protocol.getNumber();
        this.service = service;
        this.unknown = unknown;
    }

    boolean attachments() {
        return this == baidu_std || this == hulu_pbrpc;
    }

    /** Whether many calls may be under way on one connection. */
    boolean multiplexes() {
        return this != nova_pbrpc;
    }

    List<ChannelType> connections() {
        return multiplexes()
                ? List.of(ChannelType.values())
                : List.of(ChannelType.POOLED_CONNECTION, ChannelType.SHORT_CONNECTION);
    }

    List<CompressType> compressions() {
        return switch (this) {
            case nova_pbrpc -> List.of();
            case public_pbrpc -> List.of(CompressType.COMPRESS_TYPE_SNAPPY);
            default -> List.of(
                    CompressType.COMPRESS_TYPE_SNAPPY, CompressType.COMPRESS_TYPE_GZIP, CompressType.COMPRESS_TYPE_ZLIB);
        };
    }
}

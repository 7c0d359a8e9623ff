package org.polywire.interop;

import com.baidu.bjf.remoting.protobuf.FieldType;
import com.baidu.bjf.remoting.protobuf.annotation.Protobuf;

/** `example.EchoRequest` and `example.EchoResponse`, which look alike: this library makes messages of plain objects. */
public final class Message {
    @Protobuf(fieldType = FieldType.STRING, order = 1, required = true)
    public String message;

    public Message() {}

    public Message(String message) {
        this.message = message;
    }

    public String getMessage() {
        return message;
    }

    public void setMessage(String message) {
        this.message = message;
    }
}

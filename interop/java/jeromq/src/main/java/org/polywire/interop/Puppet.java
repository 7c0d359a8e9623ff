package org.polywire.interop;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.HexFormat;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/** A socket of jeromq, moved by lines; see interop/zeromq/README.md. */
public final class Puppet {
    public static void main(String[] arguments) throws Exception {
        try (ZContext context = new ZContext()) {
            context.setLinger(1000);
            ZMQ.Socket socket = context.createSocket(SocketType.valueOf(arguments[0]));
            socket.setReceiveTimeOut(10_000);
            socket.setSendTimeOut(10_000);
            socket.setLinger(1000);
            // Of connections that jeromq 0.6.0 makes, some never sends its greeting; see the README.
            socket.setHandshakeIvl(3000);
            for (String setting : Arrays.copyOfRange(arguments, 3, arguments.length)) {
                configure(socket, setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
            }
            String address = arguments[2];
            if (arguments[1].equals("bind")) {
                socket.bind(address);
                address = socket.getLastEndpoint();
            } else {
                socket.connect(address);
            }
            System.out.println("ready " + address);
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                try {
                    System.out.println(command(socket, line.trim().split(" ")));
                } catch (ZMQException error) {
                    System.out.println("error " + error);
                }
            }
        }
    }

    private static void configure(ZMQ.Socket socket, String key, String value) {
        switch (key) {
            case "identity" -> socket.setIdentity(value.getBytes());
            case "heartbeat" -> socket.setHeartbeatIvl(Integer.parseInt(value));
            case "plain-client" -> {
                socket.setPlainUsername(value.split(":")[0]);
                socket.setPlainPassword(value.split(":")[1]);
            }
            case "curve-server" -> {
                socket.setCurveServer(true);
                socket.setCurveSecretKey(value.getBytes());
            }
            case "curve-client" -> {
                String[] keys = value.split(",");
                socket.setCurveServerKey(keys[0].getBytes());
                socket.setCurvePublicKey(keys[1].getBytes());
                socket.setCurveSecretKey(keys[2].getBytes());
            }
            default -> throw new IllegalArgumentException(key);
        }
    }

    private static String command(ZMQ.Socket socket, String[] words) {
        switch (words[0]) {
            case "send" -> {
                for (int i = 1; i < words.length; i++) {
                    boolean more = i + 1 < words.length;
                    if (!(more ? socket.sendMore(unhex(words[i])) : socket.send(unhex(words[i])))) {
                        return "error not sent: " + socket.errno();
                    }
                }
                return "ok";
            }
            case "recv" -> {
                StringBuilder frames = new StringBuilder("frames");
                do {
                    byte[] frame = socket.recv();
                    if (frame == null) {
                        return "error nothing came: " + socket.errno();
                    }
                    frames.append(' ').append(hexed(frame));
                } while (socket.hasReceiveMore());
                return frames.toString();
            }
            case "subscribe" -> {
                return socket.subscribe(unhex(words[1])) ? "ok" : "error";
            }
            case "unsubscribe" -> {
                return socket.unsubscribe(unhex(words[1])) ? "ok" : "error";
            }
            default -> {
                return "error no command " + words[0];
            }
        }
    }

    private static byte[] unhex(String word) {
        if (word.startsWith("*")) {
            byte[] frame = new byte[Integer.parseInt(word.substring(1))];
            Arrays.fill(frame, (byte) 'x');
            return frame;
        }
        return word.equals("-") ? new byte[0] : HexFormat.of().parseHex(word);
    }

    private static String hexed(byte[] frame) {
        if (frame.length == 0) {
            return "-";
        }
        for (byte b : frame) {
            if (frame.length <= 64 || b != 'x') {
                return HexFormat.of().formatHex(frame);
            }
        }
        return "*" + frame.length;
    }
}

// grpc-web by fetch: docs/wire/grpc.md section 4.

export const BINARY = "application/grpc-web+proto";
export const TEXT = "application/grpc-web-text+proto";

// A call with one message out. `onMessage` is told each message as it comes; hands back the head and how it ended.
export async function call(server, method, type, message, { fields = {}, onMessage = () => {}, signal } = {}) {
  const response = await fetch(`${server}/grpc.testing.TestService/${method}`, {
    method: "POST",
    headers: { "content-type": type, accept: type, "x-grpc-web": "1", ...fields },
    body: type === TEXT ? base64(envelope(message)) : envelope(message),
    signal,
  });
  const trailers = await read(response.body.getReader(), type === TEXT ? decoder() : (piece) => piece, onMessage);
  const said = (name) => trailers.get(name) ?? response.headers.get(name);
  return { http: response.status, head: response.headers, trailers, status: said("grpc-status"), message: decodeURIComponent(said("grpc-message") ?? "") };
}

function envelope(message) {
  const whole = new Uint8Array(5 + message.length);
  new DataView(whole.buffer).setUint32(1, message.length);
  whole.set(message, 5);
  return whole;
}

// Envelopes until the body ends; the last one holds the trailers.
async function read(reader, decode, onMessage) {
  const trailers = new Map();
  let kept = new Uint8Array();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    kept = joined(kept, decode(value));
    while (kept.length >= 5) {
      const end = 5 + new DataView(kept.buffer, kept.byteOffset).getUint32(1);
      if (kept.length < end) break;
      const body = kept.subarray(5, end);
      if (kept[0] & 0x80) lines(body).forEach(([name, value]) => trailers.set(name, value));
      else onMessage(body);
      kept = kept.subarray(end);
    }
  }
  if (kept.length > 0) throw new Error(`the body ends inside an envelope: ${kept.length} bytes are left`);
  return trailers;
}

function lines(body) {
  const text = new TextDecoder().decode(body).split("\r\n").filter((line) => line);
  return text.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]);
}

function base64(bytes) {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

// Base64 in pieces, each padded: groups of four, whatever came between them.
function decoder() {
  let kept = "";
  return (piece) => {
    kept += new TextDecoder().decode(piece);
    const groups = kept.match(/.{4}/g) ?? [];
    kept = kept.slice(groups.length * 4);
    return Uint8Array.from(groups.flatMap((group) => Array.from(atob(group), (char) => char.charCodeAt(0))));
  };
}

function joined(front, back) {
  const whole = new Uint8Array(front.length + back.length);
  whole.set(front);
  whole.set(back, front.length);
  return whole;
}

// Calls methods of a polywire server over WebSocket, with messages both ways, as JSON. An ES module without dependencies; the server
// says `.service(websocket::Calls)`. How the messages look: docs/wire/websocket.md.
//
//   const call = new Call("/talk.Talk/Chat");             // or ws://host/..., wss://host/...
//   call.send({ text: "hello" });
//   call.end();                                           // nothing more is sent
//   for await (const message of call) console.log(message);
//   console.log(call.trailers);
//
// A call that fails throws a CallError from the loop, once the messages before it were read; `break` cancels it.

/** The status of a call that failed: `code` is gRPC's in lower case, such as "not_found". */
export class CallError extends Error {
  constructor({ code = "unknown", message = "", details = [] }, trailers = {}) {
    super(message || code);
    Object.assign(this, { name: "CallError", code, details, trailers });
  }
}

/** Browsers tell pages no more than that a handshake failed. */
const UNOPENED = "the WebSocket could not be opened: the server is down, or refuses pages of this origin";

/** One call. Messages are plain objects: protobuf's JSON. */
export class Call {
  #socket;
  #opened = false;
  #waiting = [];
  #messages = [];
  #wake = () => {};
  #ended = null;
  /** Fields that came with the end of the call: lists of texts by name. */
  trailers = {};

  constructor(method) {
    const url = new URL(method, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    this.#socket = new WebSocket(url, "polywire.v1.json");
    this.#socket.onopen = () => {
      this.#opened = true;
      this.#waiting.forEach((text) => this.#socket.send(text));
      this.#waiting = [];
    };
    this.#socket.onmessage = ({ data }) => {
      if (data.startsWith("#end")) this.#finish(JSON.parse(data.slice(4) || "{}"));
      else this.#messages.push(JSON.parse(data));
      this.#wake();
    };
    this.#socket.onclose = ({ code, reason }) => {
      const what = this.#opened ? `the connection was closed (${code})` : UNOPENED;
      this.#finish({ error: { code: "unavailable", message: reason || what } });
      this.#wake();
    };
  }

  /** Sends a message. Bytes that the network has not taken yet are in `buffered`: who sends much waits for it to shrink. */
  send(message) {
    this.#put(JSON.stringify(message));
  }

  /** Sends nothing more. */
  end() {
    this.#put("#end");
  }

  /** Ends the call without waiting for the server. */
  cancel() {
    this.#finish({ error: { code: "canceled", message: "cancelled by this side" } });
    this.#socket.close(1000);
    this.#wake();
  }

  /** Bytes that are sent and not taken by the network. */
  get buffered() {
    return this.#socket.bufferedAmount;
  }

  /** The next message; undefined at the end of the call. */
  async next() {
    while (!this.#messages.length && !this.#ended) await new Promise((wake) => (this.#wake = wake));
    if (this.#messages.length) return this.#messages.shift();
    if (this.#ended.error) throw new CallError(this.#ended.error, this.trailers);
    return undefined;
  }

  async *[Symbol.asyncIterator]() {
    try {
      for (let message; (message = await this.next()) !== undefined; ) yield message;
    } finally {
      if (!this.#ended) this.cancel();
    }
  }

  #put(text) {
    if (this.#ended) return; // the loop tells why
    if (this.#socket.readyState === WebSocket.CONNECTING) this.#waiting.push(text);
    else this.#socket.send(text);
  }

  #finish(end) {
    if (this.#ended) return;
    this.#ended = end;
    this.trailers = end.metadata ?? {};
  }
}

/** Calls a method with one message and returns the only reply. */
export async function unary(method, message) {
  const call = new Call(method);
  call.send(message);
  call.end();
  let reply;
  for await (const one of call) reply = one;
  return reply;
}

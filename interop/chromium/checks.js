// Checks named in the words of `interop/run`, told to the page's own server one by one.

import { BINARY, TEXT, call } from "./grpc-web.js";
import { Call, unary as ask } from "./polywire.js";
import { bytes, find, number, text } from "./protobuf.js";

const asked = new URLSearchParams(location.search);
const server = asked.get("server");
const SPECIAL = "\t\ntest with whitespace\r\nand Unicode BMP \u263a and non-BMP \u{1f608}\t\n";

// SimpleRequest, StreamingOutputCallRequest.
const unary = (size, status = []) => [...number(2, size), ...status];
const failing = (code, message) => bytes(7, [...number(1, code), ...text(2, message)]);
const stream = (sizes, pause = 0) => sizes.flatMap((size) => bytes(2, [...number(1, size), ...number(2, pause)]));
// Payload of a reply, which is its first field, and the bytes in it, its second.
const length = (reply) => find(find(reply, 1), 2).length;

function same(expected, found) {
  const [one, other] = [expected, found].map((value) => JSON.stringify(value));
  if (one !== other) throw new Error(`expected ${one}, found ${other}`);
}

async function failure(promise) {
  try {
    await promise;
  } catch (error) {
    return error.name;
  }
  throw new Error("it went well");
}

function forms(type) {
  return {
    async "a unary call"() {
      const sizes = [];
      const ended = await call(server, "UnaryCall", type, unary(314159), { onMessage: (reply) => sizes.push(length(reply)) });
      same([200, "0", [314159]], [ended.http, ended.status, sizes]);
      same(type, ended.head.get("content-type"));
    },
    async "messages of a stream, each as it is sent"() {
      const [sizes, times] = [[], []];
      const onMessage = (reply) => [sizes.push(length(reply)), times.push(performance.now())];
      const ended = await call(server, "StreamingOutputCall", type, stream([31415, 9, 2653, 58979], 100_000), { onMessage });
      same(["0", [31415, 9, 2653, 58979]], [ended.status, sizes]);
      if (times.at(-1) - times[0] < 200) throw new Error("all messages came together");
    },
    async "a failure with its message"() {
      const ended = await call(server, "UnaryCall", type, unary(0, failing(2, SPECIAL)));
      same([200, "2", SPECIAL], [ended.http, ended.status, ended.message]);
    },
    async "a method that is not there"() {
      same("12", (await call(server, "UnimplementedCall", type, [])).status);
    },
    async "fields there and back, before and behind the messages"() {
      const fields = { "x-grpc-test-echo-initial": "early", "x-grpc-test-echo-trailing-bin": "q6ur" };
      const ended = await call(server, "UnaryCall", type, unary(1), { fields });
      same(["early", "q6ur"], [ended.head.get("x-grpc-test-echo-initial"), ended.trailers.get("x-grpc-test-echo-trailing-bin")]);
    },
    async "a stream that is given up"() {
      const giving = new AbortController();
      const onMessage = () => giving.abort();
      const options = { onMessage, signal: giving.signal };
      same("AbortError", await failure(call(server, "StreamingOutputCall", type, stream([1, 1, 1], 500_000), options)));
      same("0", (await call(server, "EmptyCall", type, [])).status);
    },
  };
}

async function connect() {
  const post = (body) =>
    fetch(`${server}/grpc.testing.TestService/UnaryCall`, {
      method: "POST",
      headers: { "content-type": "application/json", "connect-protocol-version": "1" },
      body: JSON.stringify(body),
    });
  const reply = await post({ responseSize: 3 });
  same([200, "AAAA"], [reply.status, (await reply.json()).payload.body]);
  const failed = await post({ responseStatus: { code: 5, message: "not here" } });
  const { details, ...said } = await failed.json();
  same([404, { code: "not_found", message: "not here" }], [failed.status, said]);
  same("google.rpc.ErrorInfo", details[0].type);
}

const method = (name) => `${server.replace("http", "ws")}/grpc.testing.TestService/${name}`;

const sockets = {
  async "WebSocket: a unary call"() {
    same({ payload: { body: "AAAA" } }, await ask(method("UnaryCall"), { responseSize: 3 }));
  },
  async "WebSocket: messages both ways in turn"() {
    const call = new Call(method("FullDuplexCall"));
    for (const size of [31415, 9, 2653]) {
      call.send({ responseParameters: [{ size }] });
      same(size, atob((await call.next()).payload.body).length);
    }
    call.end();
    same(undefined, await call.next());
  },
  async "WebSocket: messages of a stream, each as it is sent"() {
    const call = new Call(method("StreamingOutputCall"));
    call.send({ responseParameters: [1, 2, 3].map((size) => ({ size, intervalUs: 100_000 })) });
    call.end();
    const [sizes, times] = [[], []];
    for await (const { payload } of call) [sizes.push(atob(payload.body).length), times.push(performance.now())];
    same([1, 2, 3], sizes);
    if (times.at(-1) - times[0] < 100) throw new Error("all messages came together");
  },
  async "WebSocket: a stream of requests"() {
    const call = new Call(method("StreamingInputCall"));
    for (const size of [3, 3, 6]) call.send({ payload: { body: btoa("x".repeat(size)) } });
    call.end();
    same({ aggregatedPayloadSize: 12 }, await call.next());
  },
  async "WebSocket: a failure with its message"() {
    const asks = { responseStatus: { code: 2, message: SPECIAL } };
    const error = await ask(method("UnaryCall"), asks).catch((error) => error);
    same(["unknown", SPECIAL], [error.code, error.message]);
  },
  async "WebSocket: a method that is not there"() {
    const error = await ask(method("NoSuchCall"), {}).catch((error) => error);
    same("unimplemented", error.code);
  },
  async "WebSocket: a call that is given up"() {
    const call = new Call(method("StreamingOutputCall"));
    call.send({ responseParameters: [1, 1, 1].map((size) => ({ size, intervalUs: 500_000 })) });
    for await (const _ of call) break;
    same("canceled", await call.next().catch((error) => error.code));
  },
};

const let_in = {
  ...Object.fromEntries([["binary", BINARY], ["text", TEXT]].flatMap(([form, type]) =>
    Object.entries(forms(type)).map(([name, check]) => [`${form}: ${name}`, check]))),
  "Connect with JSON": connect,
  // Chromium makes no connection of HTTP/2 for a WebSocket.
  ...(server?.startsWith("https") ? {} : sockets),
};

const kept_out = {
  async "a page of another origin is kept out"() {
    same("TypeError", await failure(call(server, "EmptyCall", BINARY, [])));
  },
  async "so is its JSON"() {
    same("TypeError", await failure(connect()));
  },
};

kept_out["so is its WebSocket"] = async () => {
  const error = await ask(method("EmptyCall"), {}).catch((error) => error);
  const why = "the WebSocket could not be opened: the server is down, or refuses pages of this origin";
  same(["unavailable", why], [error.code, error.message]);
};

const tell = (report) => fetch("/report", { method: "POST", body: JSON.stringify(report) });

for (const [name, check] of Object.entries(asked.has("stranger") ? kept_out : let_in)) {
  let reason = null;
  try {
    await check();
  } catch (error) {
    reason = `${error.name}: ${error.message}`;
  }
  await tell({ name, reason });
}
await tell({ done: true });

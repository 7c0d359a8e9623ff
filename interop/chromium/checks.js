// Checks named in the words of `interop/run`, told to the page's own server one by one.

import { BINARY, TEXT, call } from "./grpc-web.js";
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

const let_in = {
  ...Object.fromEntries([["binary", BINARY], ["text", TEXT]].flatMap(([form, type]) =>
    Object.entries(forms(type)).map(([name, check]) => [`${form}: ${name}`, check]))),
  "Connect with JSON": connect,
};

const kept_out = {
  async "a page of another origin is kept out"() {
    same("TypeError", await failure(call(server, "EmptyCall", BINARY, [])));
  },
  async "so is its JSON"() {
    same("TypeError", await failure(connect()));
  },
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

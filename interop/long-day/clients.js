// Node's clients for loads that last: `clients.js ADDRESS SCALE`. Prints `pass NAME` or `FAIL NAME: reason` for each.
// @grpc/grpc-js, and the module `http2`, with windows from a byte on.
"use strict";
const grpc = require("@grpc/grpc-js");
const http2 = require("node:http2");
const { setTimeout: sleep } = require("node:timers/promises");

const [, , address, scaled] = process.argv;
const messages = 10_000 * scaled, calls = 1000 * scaled;
const echo = "/example.EchoService/Echo";
const chat = "/example.StreamService/Chat";
const repeats = "/example.StreamService/Repeat";
let failed = 0;

async function check(name, load) {
  const done = { calls: 0, messages: 0 };
  try {
    await load(done);
    console.log(`pass ${name} | ${done.calls} calls | ${done.messages} messages`);
  } catch (why) {
    failed = 1;
    console.log(`FAIL ${name}: after ${done.calls} calls, ${done.messages} messages: ${String(why.message ?? why).replaceAll("\n", " ")}`);
  }
}

function same(wanted, found) {
  if (wanted !== found) throw new Error(`expected ${wanted}, found ${found}`);
}

function varint(n) {
  const found = [];
  for (; n >= 128; n >>>= 7) found.push((n & 127) | 128);
  return [...found, n];
}

// EchoRequest, EchoResponse and Line; RepeatRequest.
const line = (text) => Buffer.from([10, ...varint(text.length), ...Buffer.from(text)]);
const repeat = (text, count, intervalMs) => Buffer.concat([line(text), Buffer.from([16, ...varint(count), 24, ...varint(intervalMs)])]);

// grpc-js

const as = (bytes) => bytes;

function grpcJs(name, load, options = {}) {
  return check(`grpc-js: ${name}`, async (done) => {
    const client = new grpc.Client(address, grpc.credentials.createInsecure(), { "grpc.use_local_subchannel_pool": 1, ...options });
    await new Promise((ready, no) => client.waitForReady(Date.now() + 20_000, (why) => (why ? no(why) : ready())));
    let lost = 0, over = false;
    const watch = (state) => {
      client.getChannel().watchConnectivityState(state, Infinity, () => {
        if (over) return;
        lost++;
        watch(client.getChannel().getConnectivityState(false));
      });
    };
    watch(client.getChannel().getConnectivityState(false));
    await load(client, done);
    over = true;
    client.close();
    same(0, lost); // connections
  });
}

// Messages are sent and answered one by one while it goes on.
function talk(client, done, pauseMs, goesOn) {
  return new Promise((over, no) => {
    const stream = client.makeBidiStreamRequest(chat, as, as);
    let sent = 0, wanted;
    const next = () => {
      if (!goesOn(sent)) return stream.end();
      wanted = line(`message ${sent++}`);
      stream.write(wanted);
    };
    stream.on("data", (answer) => {
      if (!wanted.equals(answer)) return no(new Error(`message ${sent} came back as ${answer}`));
      done.messages++;
      if (pauseMs) setTimeout(next, pauseMs);
      else next();
    });
    stream.on("end", () => done.calls++);
    stream.on("end", over);
    stream.on("error", no);
    next();
  });
}

function serverStream(client, done, text, many, intervalMs) {
  return new Promise((over, no) => {
    const stream = client.makeServerStreamRequest(repeats, as, as, repeat(text, many, intervalMs));
    let found = 0;
    stream.on("data", () => (done.messages++, found++));
    stream.on("end", () => (done.calls++, found === many ? over() : no(new Error(`${found} messages of ${many}`))));
    stream.on("error", no);
  });
}

function clientStream(client, done, many) {
  return new Promise(async (over, no) => {
    const stream = client.makeClientStreamRequest("/example.StreamService/Collect", as, as, (why, answer) => {
      if (why) return no(why);
      done.calls++;
      over(same(Buffer.from([8, ...varint(many), 16, ...varint(many)]).toString("hex"), answer.toString("hex")));
    });
    for (; done.messages < many; done.messages++) {
      if (!stream.write(line("x"))) await new Promise((drained) => stream.once("drain", drained));
    }
    stream.end();
  });
}

function unary(client, done, message, metadata = new grpc.Metadata()) {
  return new Promise((over, no) => {
    client.makeUnaryRequest(echo, as, as, message, metadata, (why, answer) => {
      done.calls++;
      if (why) return no(why);
      over(same(message.toString(), answer.toString()));
    });
  });
}

async function beside(client, done, rough) {
  let over = false;
  const witness = talk(client, done, 1, () => !over);
  try {
    await rough();
  } finally {
    over = true;
  }
  await witness;
}

async function withGrpcJs() {
  await grpcJs("ping-pong", (client, done) => talk(client, done, 0, (n) => n < messages));
  await grpcJs("ping-pong with pauses of 2 ms", (client, done) => talk(client, done, 2, (n) => n < messages / 10));
  await grpcJs("server stream", (client, done) => serverStream(client, done, "x", messages, 0));
  await grpcJs("server stream with pauses of 1 ms", (client, done) => serverStream(client, done, "x", messages / 10, 1));
  await grpcJs("client stream", (client, done) => clientStream(client, done, messages));
  await grpcJs("unary, one caller", async (client, done) => {
    for (let n = 0; n < calls; n++) await unary(client, done, line(`call ${n}`));
  });
  await grpcJs("metadata of 8, 17 and 40 KB beside a stream", (client, done) => beside(client, done, async () => {
    for (let n = 0; n < calls / 10; n++) {
      for (const [kilobytes, wanted] of [[8, grpc.status.OK], [17, grpc.status.RESOURCE_EXHAUSTED], [40, grpc.status.RESOURCE_EXHAUSTED]]) {
        const metadata = new grpc.Metadata();
        metadata.set("x-long", "x".repeat(kilobytes * 1000));
        same(wanted, await unary(client, done, line("x"), metadata).then(() => grpc.status.OK, (why) => why.code));
      }
    }
  }));
  await grpcJs("500 cancels a second beside a stream", (client, done) => beside(client, done, async () => {
    for (let n = 0; n < calls; n++) {
      const stream = client.makeServerStreamRequest(repeats, as, as, repeat("x", 1000, 100));
      stream.on("error", () => {});
      // One that is cancelled before it has begun is never reset by grpc-js, which then has one stream less for good.
      await new Promise((came) => stream.once("data", came));
      stream.cancel();
      done.calls++;
      await sleep(2);
    }
  }));
  await grpcJs("deadlines that expire beside a stream", (client, done) => beside(client, done, () => Promise.all(Array.from({ length: 10 }, async () => {
    for (let n = 0; n < calls / 10; n++) {
      const stream = client.makeServerStreamRequest(repeats, as, as, repeat("x", 1000, 100), { deadline: Date.now() + 5 });
      stream.on("data", () => {});
      same(grpc.status.DEADLINE_EXCEEDED, await new Promise((ended) => stream.once("error", (why) => ended(why.code))));
      done.calls++;
    }
  }))));
  await grpcJs("a PING every 10 ms", async (client, done) => {
    await unary(client, done, line("x"));
    await sleep(1000 + 1000 * scaled);
    await unary(client, done, line("x"));
  }, { "grpc.keepalive_time_ms": 10, "grpc.keepalive_permit_without_calls": 1 });
}

// http2

function withHttp2(name, settings, load) {
  return check(`node http2: ${name}`, async (done) => {
    const session = http2.connect(`http://${address}`, { settings });
    const ended = new Promise((_, no) => {
      session.on("error", no);
      session.on("goaway", (code, _, text) => no(new Error(`GOAWAY ${code} ${text}`)));
      session.on("close", () => no(new Error("the connection was closed")));
    });
    ended.catch(() => {});
    await new Promise((connected) => session.once("connect", connected));
    try {
      await Promise.race([load(session, done), ended]);
    } finally {
      session.close();
    }
  });
}

function post(session, path, body, accept = "application/json") {
  return new Promise((over, no) => {
    const stream = session.request({ ":method": "POST", ":path": path, "content-type": "application/json", accept });
    const parts = [];
    let status;
    stream.on("response", (head) => (status = head[":status"]));
    stream.on("data", (part) => parts.push(part));
    stream.on("end", () => over([status, Buffer.concat(parts).toString()]));
    stream.on("error", no);
    stream.end(body);
  });
}

async function callsOver(session, done, many, text) {
  const body = JSON.stringify({ message: text });
  for (let n = 0; n < many; n++) {
    const [status, answer] = await post(session, echo, body);
    same(200, status);
    same(body, answer);
    done.calls++;
  }
}

async function linesOver(session, done, many) {
  const [status, answer] = await post(session, repeats, JSON.stringify({ message: "x", count: many }), "application/x-ndjson");
  same(200, status);
  const found = answer.split("\n").length - 1;
  done.messages += found;
  done.calls++;
  same(many, found);
}

async function withNodeHttp2() {
  await withHttp2("calls", {}, (session, done) => callsOver(session, done, calls, "hi"));
  for (const window of [1, 16, 1 << 10, 1 << 24]) {
    // With a window of a byte each byte of a reply has a frame of its own, and a WINDOW_UPDATE of its own.
    await withHttp2(`lines through a window of ${window} bytes`, { initialWindowSize: window }, (session, done) =>
      linesOver(session, done, window < 1 << 10 ? calls / 10 : messages));
    await withHttp2(`calls through a window of ${window} bytes`, { initialWindowSize: window }, (session, done) =>
      callsOver(session, done, window < 1 << 10 ? calls / 10 : calls, "hi"));
  }
  // It has none by itself, and no least interval.
  await withHttp2("a PING every 20 ms", {}, async (session, done) => {
    for (let n = 0; n < calls / 10; n++) {
      await new Promise((over, no) => session.ping((why) => (why ? no(why) : over())));
      done.messages++;
      await sleep(20);
    }
    await callsOver(session, done, 1, "at last");
  });
}

(async () => {
  await withGrpcJs();
  await withNodeHttp2();
  process.exit(failed);
})();

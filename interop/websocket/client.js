// Node's `ws` as a client of ours: `client.js ADDRESS`. Prints `pass NAME` or `FAIL NAME: REASON`.

const { once } = require("node:events");
const WebSocket = require("ws");

const address = process.argv[2];

async function opened(path = "/echo", protocols = [], options = {}) {
  const socket = new WebSocket(`ws://${address}${path}`, protocols, options);
  await once(socket, "open");
  return socket;
}

function same(expected, found) {
  const [one, other] = [expected, found].map((value) => JSON.stringify(value));
  if (one !== other) throw new Error(`expected ${one}, found ${other}`);
}

async function echo(socket, message, options) {
  const answer = once(socket, "message");
  socket.send(message, options);
  const [data, binary] = await answer;
  return binary ? data : data.toString();
}

const checks = {
  async "text and bytes there and back"() {
    const socket = await opened();
    for (const size of [0, 125, 126, 65535, 65536, 1 << 20]) {
      same("x".repeat(size), await echo(socket, "x".repeat(size)));
      same(0, Buffer.compare(Buffer.alloc(size, 0xfe), await echo(socket, Buffer.alloc(size, 0xfe))));
    }
    socket.terminate();
  },
  async "fragments"() {
    const socket = await opened();
    const answer = once(socket, "message");
    for (const part of ["a", "", "b"]) socket.send(part, { fin: false });
    socket.ping("between");
    socket.send("c", { fin: true });
    same("abc", (await answer)[0].toString());
    socket.terminate();
  },
  async "Pings have their Pongs"() {
    const socket = await opened();
    const pong = once(socket, "pong");
    socket.ping("here?");
    same("here?", (await pong)[0].toString());
    socket.terminate();
  },
  async "compression is offered and not taken"() {
    const socket = await opened("/echo", [], { perMessageDeflate: true });
    same("", socket.extensions);
    socket.terminate();
  },
  async "compression where the server agrees to it"() {
    for (const path of ["/deflate", "/together"]) {
      const socket = await opened(path, [], { perMessageDeflate: { threshold: 0 } });
      same("permessage-deflate", socket.extensions);
      for (const size of [0, 1, 10, 1000, 100000, 1 << 20]) {
        same("abc".repeat(size), await echo(socket, "abc".repeat(size)));
      }
      socket.terminate();
    }
  },
  async "subprotocols"() {
    same("superchat", (await opened("/echo", ["chat", "superchat"])).protocol);
  },
  async "closing handshakes from both sides"() {
    const ours = await opened("/close");
    const [code, reason] = await once(ours, "close");
    same([4001, "bye"], [code, reason.toString()]);
    const theirs = await opened();
    theirs.close(3001, "over");
    same(3001, (await once(theirs, "close"))[0]);
  },
  async "a message beyond the limit closes with 1009"() {
    const socket = await opened("/short");
    socket.send("x".repeat(1001));
    same(1009, (await once(socket, "close"))[0]);
  },
  async "a page of another origin is refused"() {
    const socket = new WebSocket(`ws://${address}/echo`, { origin: "https://evil.example" });
    const [error] = await once(socket, "error");
    same("Unexpected server response: 403", error.message);
  },
};

(async () => {
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check();
      console.log(`pass ws: ${name}`);
    } catch (error) {
      console.log(`FAIL ws: ${name}: ${error.message}`);
    }
  }
  process.exit(0);
})();

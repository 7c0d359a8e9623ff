// A server of node's `http2` that answers JSON with itself: `server.js STREAMS`; says where it listens.
"use strict";
const http2 = require("node:http2");

const streams = Number(process.argv[2]);
const server = http2.createServer({ settings: streams ? { maxConcurrentStreams: streams } : {} });
server.on("stream", (stream, head) => {
  const parts = [];
  stream.on("data", (part) => parts.push(part));
  stream.on("error", () => {});
  stream.on("end", () => {
    stream.respond({ ":status": 200, "content-type": head["content-type"] });
    stream.end(Buffer.concat(parts));
  });
});
server.listen(0, "127.0.0.1", () => console.log(`listening on 127.0.0.1:${server.address().port}`));

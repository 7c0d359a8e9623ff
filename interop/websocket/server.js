// Node's `ws` as a server for our client: echoes at `/`, and what the names of other paths say.

const { WebSocketServer } = require("ws");

const server = new WebSocketServer({
  host: "127.0.0.1",
  port: 0,
  perMessageDeflate: { threshold: 0 }, // where our client offers it
  handleProtocols: (offered) => (offered.has("chat") ? "chat" : false),
  verifyClient: ({ req }, done) => done(req.url !== "/refuse", 403, "no"),
});

server.on("connection", (socket, request) => {
  socket.on("error", () => {});
  if (request.url === "/close") return socket.close(4001, "bye");
  if (request.url === "/cut") return socket.terminate();
  if (request.url === "/fragments") {
    socket.send("one ", { fin: false });
    socket.send("two ", { fin: false });
    socket.ping("in between");
    socket.send("three", { fin: true });
  }
  socket.on("message", (data, binary) => socket.send(data, { binary }));
});
server.on("listening", () => console.log(`listening on 127.0.0.1:${server.address().port}`));

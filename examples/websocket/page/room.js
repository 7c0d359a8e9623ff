// The page of the room: one call with messages both ways.

import { Call } from "./polywire.js";

const [lines, say, who, text, state] = ["lines", "say", "who", "text", "state"].map((id) => document.getElementById(id));
const call = new Call("/room.Room/Talk");

say.addEventListener("submit", (event) => {
  event.preventDefault();
  call.send({ who: who.value, text: text.value });
  text.value = "";
});

try {
  for await (const line of call) {
    state.textContent = "in the room";
    const [item, name] = [document.createElement("li"), document.createElement("b")];
    name.textContent = line.who;
    item.append(name, line.text ?? "");
    lines.append(item);
  }
  state.textContent = "the room is closed";
} catch (error) {
  state.textContent = `${error.code}: ${error.message}`;
}

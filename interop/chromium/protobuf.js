// As much of protobuf as the messages of grpc.testing take: numbers and bytes, by field number.

export function varint(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}

export const number = (field, value) => [...varint(field * 8), ...varint(value)];
export const bytes = (field, value) => [...varint(field * 8 + 2), ...varint(value.length), ...value];
export const text = (field, value) => bytes(field, new TextEncoder().encode(value));

// The first length-delimited field of this number, none if there is none.
export function find(message, field) {
  let at = 0;
  const read = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = read();
    const value = read();
    if (tag % 8 !== 2) continue;
    if (tag === field * 8 + 2) return message.subarray(at, at + value);
    at += value;
  }
  return new Uint8Array();
}

// A small model, as ONNX's protobuf has it: what `trace` makes its page of.

const varint = (n) => (n < 128 ? [n] : [(n % 128) | 128, ...varint(Math.floor(n / 128))]);
const number = (field, n) => Buffer.from([...varint(field << 3), ...varint(n)]);
const bytes = (field, content) => {
  const own = Buffer.from(content);
  return Buffer.concat([Buffer.from([...varint((field << 3) | 2), ...varint(own.length)]), own]);
};
const message = (field, ...parts) => bytes(field, Buffer.concat(parts));

const FLOAT = 1;
const SHAPE = [2, 3];

const dimension = (size) => message(1, number(1, size));
const type = message(2, message(1, number(1, FLOAT), message(2, ...SHAPE.map(dimension))));
const port = (field, name) => message(field, bytes(1, name), type);
const weights = (name, values) =>
  message(5, ...SHAPE.map((size) => number(1, size)), number(2, FLOAT), bytes(8, name), bytes(9, Buffer.from(Float32Array.from(values).buffer)));
const node = (operator, name, inputs, output) =>
  message(1, ...inputs.map((input) => bytes(1, input)), bytes(2, output), bytes(3, name), bytes(4, operator));

/** A name that a page must show as the text that it is. */
const HOSTILE = `block_1/<img src="https://example.invalid/x">&amp;'`;

/** Two blocks; the parrot is right about the first node and the last, and in its mood refuses the one that overflows. */
export const model = () => Buffer.concat([
  number(1, 10),
  message(7,
    node("Identity", "block_0/identity", ["x"], "a"),
    node("Div", "block_0/div", ["a", "two"], "b"),
    node("Sqrt", "block_0/sqrt", ["b"], "c"),
    node("Div", "block_1/div_overflow", ["c", "two"], "d"),
    node("Add", HOSTILE, ["d", "c"], "e"),
    node("Mul", `${"block_1/within_".repeat(5)}mul`, ["e", "two"], "f"),
    node("Identity", "block_1/identity", ["f"], "y"),
    bytes(2, "small"),
    weights("two", [2, 2, 2, 2, 2, 2]),
    port(11, "x"),
    port(12, "y")),
  message(8, number(2, 21)),
]);

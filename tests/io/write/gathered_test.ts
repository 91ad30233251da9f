import { assertEquals, assertThrows } from "@std/assert";
import { GatheredWrites } from "../../../src/io/write/gathered.ts";

/** Writes into memory, and a list of how many bytes each write had. */
function target(bytes: number) {
  const file = new Uint8Array(bytes), sizes: number[] = [];
  const write = (part: Uint8Array, position: number) => {
    file.set(part, position);
    sizes.push(part.length);
  };
  return { file, sizes, write };
}

Deno.test("writes that follow each other become one, others do not", () => {
  const { file, sizes, write } = target(20);
  const gathered = new GatheredWrites();
  gathered.add(write, Uint8Array.of(1, 2), 4);
  gathered.add(write, Uint8Array.of(3), 6);
  assertEquals(sizes, []);
  gathered.add(write, Uint8Array.of(9, 9), 0);
  assertEquals(sizes, [3]);
  gathered.flush();
  gathered.flush();
  assertEquals([sizes, [...file.subarray(0, 8)]], [[3, 2], [9, 9, 0, 0, 1, 2, 3, 0]]);
});

Deno.test("another file, and writes that are long, come after what was gathered before", () => {
  const order: string[] = [];
  const writeTo = (name: string) => (part: Uint8Array) => void order.push(`${name} ${part.length}`);
  const [a, b] = [writeTo("a"), writeTo("b")];
  const gathered = new GatheredWrites();
  gathered.add(a, new Uint8Array(3), 0);
  gathered.add(b, new Uint8Array(4), 3);
  gathered.add(b, new Uint8Array(2 ** 20), 7);
  gathered.add(b, new Uint8Array(5), 7 + 2 ** 20);
  gathered.flush();
  assertEquals(order, ["a 3", "b 4", "b 1048576", "b 5"]);
});

Deno.test("gathered bytes are copied: the caller may use its memory again", () => {
  const { file, write } = target(4);
  const gathered = new GatheredWrites(), bytes = Uint8Array.of(1, 2);
  gathered.add(write, bytes, 0);
  bytes.fill(7);
  gathered.add(write, bytes, 2);
  gathered.flush();
  assertEquals([...file], [1, 2, 7, 7]);
});

Deno.test("gathered bytes that could not be written are not lost", () => {
  const { file, write } = target(3);
  let isFull = true;
  const gathered = new GatheredWrites();
  gathered.add(
    (bytes, position) => {
      if (isFull) throw new Error("full");
      write(bytes, position);
    },
    Uint8Array.of(5, 6),
    1,
  );
  assertThrows(() => gathered.flush(), Error, "full");
  isFull = false;
  gathered.flush();
  assertEquals([...file], [0, 5, 6]);
});

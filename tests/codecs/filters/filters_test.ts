/** Filters of chunks whose parameters or sizes make no sense: they end soon. */

import { assertEquals, assertRejects } from "@std/assert";
import { deflateRawSync } from "node:zlib";
import { filterName } from "../../../src/formats/hdf5/arrays/arrays.ts";
import { chunkFilter, FILTER_NAMES, mostBytes } from "../../../src/codecs/filters/registry.ts";
import { undo } from "./undo.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { instantiateKernels, loadKernels } from "../../../src/kernels/wasm.ts";

await loadKernels();

Deno.test("shuffle leaves a chunk as it is that has fewer than two elements, however large they are said to be", async () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const kernels = instantiateKernels(memory);
  const input = new Uint8Array(memory.buffer, 1024, 10).map((_, i) => i + 1);
  const given = new Uint8Array(memory.buffer, 1024, 10);
  given.set(input);
  const output = new Uint8Array(memory.buffer, 2048, 10);
  const spare = new Uint8Array(memory.buffer, 4096, 10);
  const shuffle = await chunkFilter("shuffle");
  for (const size of [6, 10, 11, 2 ** 29, 2 ** 32 - 1]) {
    output.fill(0);
    assertEquals(await shuffle({ kernels, input: given, output, spare, scratch: 8192, values: [size] }), 10);
    assertEquals(output, input, `size ${size}`);
  }
});

Deno.test("the most bytes of a chunk follow from what is stored and its filters", () => {
  assertEquals(mostBytes(10, []), 10);
  assertEquals(mostBytes(10, ["deflate", "shuffle", "Fletcher32"]), 10_320);
  assertEquals(mostBytes(10, ["LZF"]), 880);
  assertEquals(mostBytes(10, ["shuffle", "Zstandard"]), Infinity);
});

Deno.test("Zstandard that is cut off or changed ends, whether or not it says its size", async () => {
  const { default: Zstd } = await import("numcodecs/zstd");
  const plain = Uint8Array.from({ length: 3000 }, (_, i) => i * i % 251 & (i >> 6));
  const frame = await Zstd.fromConfig({ id: "zstd", level: 3 }).encode(plain) as Uint8Array<ArrayBuffer>;
  assertEquals(frame[4]! >> 6, 1, "two bytes of size follow the descriptor");
  // The same frame without its size: the library unpacks it as a stream.
  const stream = Uint8Array.of(...frame.subarray(0, 4), 0, 0x50, ...frame.subarray(frame[4]! & 32 ? 7 : 8));
  const memory = new WebAssembly.Memory({ initial: 4 });
  const kernels = instantiateKernels(memory);
  const output = new Uint8Array(memory.buffer, 2 ** 17 + 2 ** 16, plain.length);
  const place = new Uint8Array(memory.buffer, 2 ** 17 + 2 ** 15 + 2 ** 14, frame.length + 1);
  const zstd = await chunkFilter("Zstandard");
  const unpack = async (bytes: Uint8Array) => {
    place.set(bytes);
    const input = place.subarray(0, bytes.length);
    return await zstd({ kernels, input, output, spare: output, scratch: 1024, values: [3] });
  };
  for (const whole of [frame, stream]) {
    assertEquals(await unpack(whole), plain.length);
    assertEquals(output, plain);
    for (let n = 0; n < whole.length; n += 7) {
      assertEquals(
        (await assertRejects(() => unpack(whole.subarray(0, n)), TilewiseError)).code,
        "malformed",
      );
    }
    for (let at = 0; at < whole.length; at += 3) {
      const changed = whole.slice();
      changed[at]! ^= 1 << at % 8;
      await unpack(changed).catch((error) => assertEquals(error.code, "malformed", `byte ${at}: ${error}`));
    }
  }
});

Deno.test("chunks that need what no file carries are unsupported, and say what it is", async () => {
  const frame = [0x28, 0xb5, 0x2f, 0xfd, 0x21, 7, 2, 17, 0, 0, 7, 8]; // two raw bytes, dictionary 7
  const blosc = (flags: number) => [2, 1, flags, 1, 4, 0, 0, 0, 4, 0, 0, 0, 20, 0, 0, 0, 20, 0, 0, 0];
  const cases: readonly [string, readonly number[], string][] = [
    ["Zstandard", frame, "dictionary"],
    ["Blosc", blosc(2 << 5), "Snappy"],
    ["Blosc", blosc(7 << 5), "number 7"],
    ["Blosc", blosc(5), "Blosc 2"],
  ];
  for (const [filter, stored, word] of cases) {
    const one = { name: filter, filter, values: [], stored: "", plain: "" };
    const undone = async () => await undo(await chunkFilter(filter), one, Uint8Array.from(stored), 20);
    const error = await assertRejects(undone, TilewiseError, word);
    assertEquals(error.code, "unsupported");
  }
});

Deno.test("every number in HDF5 has a filter, and no filter two of them", () => {
  const numbers = Array.from({ length: 65536 }, (_, id) => filterName(id)).filter((name) =>
    name !== undefined
  );
  assertEquals(numbers.filter((name) => !FILTER_NAMES.includes(name!)), []);
  assertEquals(new Set(numbers).size, 10);
  assertEquals(numbers.length, 10);
});

Deno.test("a checksum behind an entry of a zip archive is verified, with and without its mark", async () => {
  const plain = new TextEncoder().encode("123456789");
  const sum = [0x26, 0x39, 0xf4, 0xcb]; // the check value of CRC-32
  const mark = [0x50, 0x4b, 7, 8];
  const data = new Uint8Array(deflateRawSync(plain));
  const header = Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 8, 0, 8, ...new Array(17).fill(0), 1, 0, 0, 0, 0x61);
  const sizes = [data.length, 0, 0, 0, plain.length, 0, 0, 0];
  const filter = await chunkFilter("zip-entry");
  const unpacked = (...behind: number[]) =>
    undo(
      filter,
      { name: "", filter: "zip-entry", values: [], stored: "", plain: "" },
      Uint8Array.of(...header, ...data, ...behind),
      9,
    );
  assertEquals(await unpacked(...mark, ...sum, ...sizes), plain);
  assertEquals(await unpacked(...sum, ...sizes), plain);
  for (const behind of [[...mark, ...sum.toReversed()], sum.toReversed()]) {
    await assertRejects(() => unpacked(...behind, ...sizes), TilewiseError, "the checksum of the entry is");
  }
  for (const cut of [sum.slice(0, 3), [...mark, ...sum.slice(0, 3)]]) {
    await assertRejects(() => unpacked(...cut), TilewiseError, "the checksum of the entry is missing");
  }
});

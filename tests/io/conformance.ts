/**
 * What every byte source must do; each kind is given to it.
 *
 * @module
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { isTilewiseError, TilewiseError } from "../../src/errors.ts";
import { openSpec } from "../../src/io/open.ts";
import { type ByteSource, readBytes, readUpTo } from "../../src/io/source/source.ts";
import { pattern } from "./pattern.ts";
import { readOnWorker } from "./read_on_worker.ts";

/** Something that holds bytes and can be opened as a source, as often as one likes. */
export interface Holder extends AsyncDisposable {
  open(): Promise<ByteSource>;
}

const SIZE = 70_000;

/** Runs the suite over sources of one kind; `hold` puts bytes where such a source finds them. */
export function byteSourceConformance(
  kind: string,
  hold: (bytes: Uint8Array<ArrayBuffer>) => Promise<Holder>,
): void {
  const bytes = pattern(SIZE);
  const test = (what: string, body: (source: ByteSource, holder: Holder) => Promise<void>, held = bytes) =>
    Deno.test(`${kind}: ${what}`, async () => {
      await using holder = await hold(held);
      await using source = await holder.open();
      await body(source, holder);
    });

  test("knows its size and reads it whole", async (source) => {
    assertEquals(source.size, SIZE);
    assertEquals(await readBytes(source, 0, SIZE), bytes);
    await source.verify();
  });

  test("reads any part, also into a part of shared memory", async (source) => {
    const memory = new WebAssembly.Memory({ initial: 2, maximum: 2, shared: true });
    const range = fc.tuple(fc.nat(SIZE), fc.nat(5000), fc.nat(1000));
    const part = fc.asyncProperty(range, async ([at, wish, skew]) => {
      const length = Math.min(wish, SIZE - at);
      const all = new Uint8Array(memory.buffer).fill(0xee);
      await source.readInto(all.subarray(skew, skew + length), at);
      assertEquals(all.slice(skew, skew + length), bytes.slice(at, at + length));
      assert(all.subarray(0, skew).every((byte) => byte === 0xee), "wrote before its target");
      assert(
        all.subarray(skew + length, skew + length + 100).every((byte) => byte === 0xee),
        "wrote past it",
      );
    });
    await fc.assert(part, { seed: 1, numRuns: 30 });
  });

  test("reads nothing anywhere, the end included", async (source) => {
    for (const at of [0, 7, SIZE]) await source.readInto(new Uint8Array(0), at);
  });

  test("refuses what lies past the end, before it allocates", async (source) => {
    for (
      const [at, length] of [[SIZE, 1], [SIZE - 1, 2], [0, SIZE + 1], [2 ** 50, 1], [1, 2 ** 52]] as const
    ) {
      const error = await assertRejects(() => readBytes(source, at, length), TilewiseError);
      assertEquals(error.code, "truncated");
      assertEquals([error.details.file, error.details.offset], [source.name, at]);
      assertEquals([error.details.expected, error.details.found], [length, Math.max(0, SIZE - at)]);
    }
    const into = new Uint8Array(2);
    const error = await assertRejects(async () => await source.readInto(into, SIZE - 1), TilewiseError);
    assertEquals(error.code, "truncated");
  });

  test("refuses offsets that are not counts", async (source) => {
    for (const at of [-1, 0.5, NaN, Infinity, 2 ** 53]) {
      const error = await assertRejects(
        async () => await source.readInto(new Uint8Array(1), at),
        TilewiseError,
      );
      assertEquals(error.code, "invalid");
    }
  });

  test("clips a look at its head", async (source) => {
    assertEquals(await readUpTo(source, SIZE - 3, 10), bytes.slice(SIZE - 3));
    assertEquals(await readUpTo(source, SIZE + 3, 10), new Uint8Array(0));
  });

  test("reads many parts at once", async (source) => {
    const starts = Array.from({ length: 20 }, (_, i) => i * 3001);
    const parts = await Promise.all(starts.map((at) => readBytes(source, at, 3001)));
    parts.forEach((part, i) => assertEquals(part, bytes.slice(i * 3001, (i + 1) * 3001)));
  });

  test("stops at once when the caller has cancelled", async (source) => {
    const signal = AbortSignal.abort("enough");
    const error = await assertRejects(
      async () => await source.readInto(new Uint8Array(5), 0, signal),
      TilewiseError,
    );
    assertEquals([error.code, error.cause], ["aborted", "enough"]);
  });

  test("cannot be read once it is closed; closing twice is fine", async (source) => {
    await readBytes(source, 0, 1);
    await source[Symbol.asyncDispose]();
    await source[Symbol.asyncDispose]();
    assert(
      isTilewiseError(
        await assertRejects(async () => await source.readInto(new Uint8Array(1), 0)),
        "invalid",
      ),
    );
  });

  test("opens again from its description, as a clone too", async (source) => {
    await using again = await openSpec(structuredClone(source.describe()));
    assertEquals([again.name, again.size], [source.name, SIZE]);
    assertEquals(await readBytes(again, 100, 1000), bytes.slice(100, 1100));
    await using third = await openSpec(again.describe());
    assertEquals(await readBytes(third, 0, 1000), bytes.slice(0, 1000));
  });

  test("opens on a worker", async (source) => {
    assertEquals(new Uint8Array(await readOnWorker(source.describe(), 321, 5000)), bytes.slice(321, 5321));
    const error = await assertRejects(() => readOnWorker(source.describe(), SIZE, 1), TilewiseError);
    assertEquals(error.code, "truncated");
  });

  test("may be empty", async (source) => {
    assertEquals(source.size, 0);
    assertEquals(await readBytes(source, 0, 0), new Uint8Array(0));
    const error = await assertRejects(() => readBytes(source, 0, 1), TilewiseError);
    assertEquals(error.code, "truncated");
    await source.verify();
  }, new Uint8Array(0));
}

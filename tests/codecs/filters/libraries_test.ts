/** Filters against what libraries of others stored: `make_filters.py` says which. */

import { assertEquals, assertRejects } from "@std/assert";
import { chunkFilter } from "../../../src/codecs/filters/registry.ts";
import { isTilewiseError } from "../../../src/errors.ts";
import { CASES, undo } from "./undo.ts";

Deno.test("each filter gives what the libraries stored", async () => {
  for (const one of CASES) {
    const filter = await chunkFilter(one.filter);
    const [stored, plain] = [Uint8Array.fromBase64(one.stored), Uint8Array.fromBase64(one.plain)];
    for (const more of [0, 100]) {
      assertEquals(await undo(filter, one, stored, plain.length + more), plain, one.name);
    }
  }
});

Deno.test("damaged chunks end in bytes or in a typed error, and write nothing outside", async () => {
  const kinds = new Map(CASES.map((one) => [one.filter, one]));
  for (const one of kinds.values()) {
    const filter = await chunkFilter(one.filter);
    const stored = Uint8Array.fromBase64(one.stored), room = Uint8Array.fromBase64(one.plain).length;
    for (let n = 0; n < 40; n++) {
      const cut = n < 20 ? stored.slice(0, Math.floor(n * stored.length / 20)) : stored.slice();
      if (n >= 20 && cut.length > 0) cut[Math.floor((n - 20) / 20 * cut.length)]! ^= 1 << n % 8;
      await undo(filter, one, cut, room - Math.min(room, n % 3)).catch((error) => {
        assertEquals(isTilewiseError(error) && error.code, "malformed", `${one.name} ${n}: ${error.stack}`);
      });
    }
  }
});

Deno.test("parameters that make no sense are refused", async () => {
  const wrong: readonly [string, readonly number[]][] = [
    ["predictor-2", [2, 0, 0, 1]],
    ["predictor-2", [3, 0, 5, 1]],
    ["predictor-3", [16, 0, 5, 1]],
    ["predictor-3", [4, 0, 2 ** 28, 4]],
    ["unpack-bits", [9, 1, 5, 0]],
    ["unpack-bits", [0, 1, 5, 0]],
    ["widen-float", [5]],
    ["transpose", [2, 2, 5, 5, 1, 1]],
    ["transpose", [2, 2, 5, 5, 1, 0]],
    ["delta", [3, 0]],
    ["astype", [2, 0, 2, 7]],
  ];
  for (const [filter, values] of wrong) {
    const one = { name: filter, filter, values, stored: "", plain: "" };
    const undone = async () => await undo(await chunkFilter(filter), one, new Uint8Array(96), 96);
    const error = await assertRejects(undone, Error);
    assertEquals(isTilewiseError(error), true, `${filter} ${values}: ${error}`);
  }
});

Deno.test("what a writer left behind the only frame of Zstandard is left out, if it is said to be the only one", async () => {
  const filter = await chunkFilter("Zstandard");
  const single = CASES.filter(({ filter, name }) => filter === "Zstandard" && !name.includes("frames"));
  for (const one of single) {
    const [stored, plain] = [Uint8Array.fromBase64(one.stored), Uint8Array.fromBase64(one.plain)];
    for (const more of [[], [0], [1, 2, 3, 4, 5]]) {
      const found = await undo(
        filter,
        { ...one, values: [0, 1] },
        Uint8Array.of(...stored, ...more),
        plain.length + 9,
      );
      assertEquals(found, plain, one.name);
    }
  }
});

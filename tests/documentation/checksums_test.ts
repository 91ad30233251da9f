/**
 * The table of checksums has every codec and every format, and what it calls checked is.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { chunkFilter, FILTER_NAMES } from "../../src/codecs/filters/registry.ts";
import { FORMATS } from "../../src/formats/registry.ts";
import { type Case, CASES, undo } from "../codecs/filters/undo.ts";

/** Rows of the tables: names, and the text of the last column. */
const ROWS = tableRows(Deno.readTextFileSync(new URL("../../docs/reliability.md", import.meta.url)));

function tableRows(text: string): { names: string[]; compared: string }[] {
  const section = text.split("## Checksums")[1]!.split("\n## ")[0]!;
  return section.split("\n").filter((line) => line.startsWith("| `")).map((line) => {
    const [, names, , compared] = line.split("|");
    return { names: [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!), compared: compared!.trim() };
  });
}

const CHECKED = ROWS.filter(({ compared }) => /^[*_]checked/.test(compared)).flatMap(({ names }) => names);

Deno.test("the table of checksums has every codec and every format once", () => {
  const listed = ROWS.flatMap(({ names }) => names);
  assertEquals(listed.toSorted(), [...FILTER_NAMES, ...FORMATS.map(({ id }) => id)].sort());
});

/** Which stored bytes have a checksum, where not all of a codec have. */
const WITH_SUM: Readonly<Record<string, (one: Case) => boolean>> = {
  "deflate": ({ name }) => /^deflate (?!without)/.test(name),
  "lzma": ({ name }) => name.startsWith("xz") && !name.includes("with none"),
  "Zstandard": ({ name }) => name.includes("checksum"),
};

/** How a codec is told that a checksum must be there. */
const STRICT: Readonly<Record<string, readonly number[]>> = { deflate: [6] };

/** Bits that are flipped per codec. */
const FLIPS = 400;

/** Codecs whose chunks the tests of their formats damage. */
const ELSEWHERE: readonly string[] = ["zip-entry"];

for (const name of FILTER_NAMES.filter((one) => CHECKED.includes(one) && !ELSEWHERE.includes(one))) {
  Deno.test(`a flipped bit in a chunk of ${name} is found, or has no effect`, async () => {
    const cases = CASES.filter((one) => one.filter === name && (WITH_SUM[name]?.(one) ?? true));
    assert(cases.length > 0, "there is nothing to damage");
    const filter = await chunkFilter(name);
    let found = 0;
    for (let n = 0; n < FLIPS; n++) {
      const one = cases[n % cases.length]!;
      const stored = Uint8Array.fromBase64(one.stored), plain = Uint8Array.fromBase64(one.plain);
      const at = (n * 7919 + 13) % stored.length;
      stored[at]! ^= 1 << (n >> 1) % 8;
      const job = { ...one, values: STRICT[name] ?? one.values };
      const result = await undo(filter, job, stored, plain.length + 10).catch(() => undefined);
      if (result === undefined) found++;
      else assertEquals(result, plain, `${one.name}: bit ${(n >> 1) % 8} of byte ${at}`);
    }
    assert(found > FLIPS / 2, `${found} of ${FLIPS} are found`);
  });
}

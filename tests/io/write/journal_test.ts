/** What a damaged journal still tells: the whole records before the damage, and never another one. */

import { assertEquals } from "@std/assert";
import { Journal, type JournalRecord } from "../../../src/io/write/journal.ts";
import { PartialFolder } from "../../../src/io/write/partial_folder.ts";
import { withFolder } from "../../cli/harness.ts";

const RECORD = 16;
const RECORDS: readonly JournalRecord[] = Array.from({ length: 20 }, (_, n) => ({
  bytes: n % 5 === 0 ? 0 : 1000 + n,
  checksum: n * 0x9e3779b1 >>> 0,
  kept: n % 2,
}));

/** Runs `body` with the bytes of a journal of all records, and what a journal of other bytes tells. */
async function withJournal(
  body: (bytes: Uint8Array, told: (bytes: Uint8Array) => Promise<readonly JournalRecord[]>) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const options = { digest: "0123456789abcdef01", resume: true, kind: "folder" } as const;
    await using partial = await PartialFolder.open(`${folder}/a.zarr`, options);
    const journal = await Journal.open(partial);
    for (const record of RECORDS) journal.append(record);
    journal.flush();
    const path = `${partial.folder}/journal`;
    await body(Deno.readFileSync(path), async (bytes) => {
      Deno.writeFileSync(path, bytes);
      return (await Journal.open(partial)).earlier;
    });
  });
}

Deno.test("a journal that is cut at any byte tells of the records before the cut", () =>
  withJournal(async (bytes, told) => {
    assertEquals(bytes.length, RECORDS.length * RECORD);
    for (let end = 0; end <= bytes.length; end++) {
      assertEquals(
        await told(bytes.subarray(0, end)),
        RECORDS.slice(0, Math.floor(end / RECORD)),
        `at ${end}`,
      );
    }
  }));

Deno.test("a journal with any one bit flipped tells of the records before that bit", () =>
  withJournal(async (bytes, told) => {
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const damaged = bytes.slice();
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      assertEquals(await told(damaged), RECORDS.slice(0, Math.floor(bit / 8 / RECORD)), `bit ${bit}`);
    }
  }));

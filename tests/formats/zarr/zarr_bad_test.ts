/**
 * Damaged and hostile Zarr stores and archives: typed errors, soon, and without much memory.
 *
 * @module
 */

import { gzipSync } from "node:zlib";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { ErrorCode } from "../../../src/errors.ts";
import { openAll } from "../../../src/formats/open.ts";
import { withFolder } from "../../cli/harness.ts";
import { failure } from "../helpers.ts";
import { ALL, edited, ONE_SHARD, samplesOf, serving, smallStore } from "./stores.ts";
import { type Entries, json, listed, written, zipped } from "./writer.ts";

type Json = Record<string, unknown>;

Deno.test("documents that cannot be right are refused, with what is wrong", async () => {
  const cases: [(json: Json) => void, ErrorCode, string][] = [
    [(json) => delete json["shape"], "malformed", "its shape is undefined"],
    [(json) => json["shape"] = [6, -8], "malformed", "its shape is [6,-8]"],
    [(json) => json["shape"] = [6], "malformed", "it has 1 dimensions, its chunks have 2"],
    [(json) => json["shape"] = [2 ** 40, 2 ** 40], "malformed", "beyond any file"],
    [(json) => json["shape"] = new Array(40).fill(1), "malformed", "its shape is [1,1"],
    [(json) => json["data_type"] = "string", "unsupported", 'its samples are "string"'],
    [(json) => json["data_type"] = 7, "malformed", "no sample type"],
    [(json) => json["fill_value"] = 300, "malformed", "fill value 300 does not fit uint8"],
    [(json) => json["fill_value"] = "much", "malformed", '"much" is not a fill value'],
    [(json) => json["codecs"] = [], "malformed", "none of its codecs makes bytes"],
    [(json) => json["codecs"] = [{ name: "bytes" }, { name: "magic" }], "unsupported", "codec magic"],
    [(json) => json["zarr_format"] = 4, "malformed", "its zarr_format is 4"],
    [(json) => json["node_type"] = "tree", "malformed", 'type "tree"'],
    [(json) => json["key"] = {}, "unsupported", 'its member "key" must be understood'],
    [(json) => json["storage_transformers"] = [{ name: "cut" }], "unsupported", "storage transformer cut"],
    [
      (json) => json["chunk_grid"] = { name: "regular", configuration: { chunk_shape: [0, 4] } },
      "malformed",
      "shape of chunks is [0,4]",
    ],
    [
      (json) => json["chunk_grid"] = { name: "regular", configuration: { chunk_shape: [2 ** 30, 4] } },
      "unsupported",
      "are decoded",
    ],
    [(json) => json["chunk_grid"] = { name: "odd" }, "unsupported", 'grid "odd"'],
    [
      (json) => json["chunk_key_encoding"] = { name: "default", configuration: { separator: "../" } },
      "malformed",
      'separator of its chunk keys is "../"',
    ],
  ];
  for (const [change, code, words] of cases) {
    const error = await failure(samplesOf(listed(edited(smallStore(), "zarr.json", change))), code);
    assertStringIncludes(error.message, words);
    assertStringIncludes(error.message, "zarr.json");
  }
  const fine = edited(smallStore(), "zarr.json", (json) => json["key"] = { must_understand: false });
  assertEquals(await samplesOf(listed(fine)), ALL);
});

Deno.test("documents that are not JSON, or nested without end, are refused", async () => {
  for (const text of ["", "[1]", "{", "{".repeat(5000), '{"a":'.repeat(3000), "\xff\xfe"]) {
    const entries = smallStore().set("zarr.json", new TextEncoder().encode(text));
    await failure(samplesOf(listed(entries)), "malformed");
  }
});

Deno.test("frames of another shape are refused, also those of more dimensions: chunks keep theirs", async () => {
  const [whole] = await openAll(listed(smallStore()), { sig: [6, 8] });
  assertEquals(whole?.sigShape, [6, 8]);
  for (const sig of [[48], [8, 6], [1, 6, 8]]) {
    const error = await failure(openAll(listed(smallStore()), { sig }), "unsupported");
    assertStringIncludes(error.message, "it is stored in chunks, so they stay 6 × 8");
  }
});

/** An array of colours as records, as zarr-python 3 writes one of version 2, with changes. */
function records(changes: Json = {}): Entries {
  const dtype = [["R", "|u1"], ["G", "|u1"], ["B", "|u1"]];
  const plain = { fill_value: null, order: "C", filters: null, compressor: null, zarr_format: 2 };
  return new Map([[".zarray", json({ shape: [], chunks: [], dtype, ...plain, ...changes })]]);
}

Deno.test("one colour in an array without dimensions is read, as its chunk is called 0", async () => {
  const entries = records().set("0", Uint8Array.of(1, 2, 3));
  assertEquals(await samplesOf(listed(entries)), [1, 2, 3]);
  await withFolder(async (folder) => {
    assertEquals(await samplesOf(await written(entries, `${folder}/a.zarr`)), [1, 2, 3]);
  });
});

Deno.test("records that lie otherwise are refused, each for its own reason", async () => {
  const delta = { id: "delta", dtype: "|u1" };
  const cases: [Json, string][] = [
    [{ order: "F" }, "its records are stored in the order F"],
    [{ filters: [delta] }, "its records are stored with delta, a filter of numbers"],
    [{ fill_value: "AQID" }, "its records that were never written are no zeros"],
  ];
  for (const [changes, words] of cases) {
    const error = await failure(samplesOf(listed(records(changes))), "unsupported");
    assert(error.message.endsWith(words), error.message);
  }
});

/** The store of one shard of 48 bytes and an index of 6 entries, with a number of the index changed. */
function shardWith(at: number, value: bigint): Entries {
  const entries = smallStore(ONE_SHARD);
  const shard = entries.get("c/0/0")!.slice();
  new DataView(shard.buffer).setBigUint64(48 + at, value, true);
  return entries.set("c/0/0", shard);
}

Deno.test("a shard whose index leads out of it, or claims too much, is malformed; nothing is invented", async () => {
  const bad: [Entries, string][] = [
    [shardWith(0, 1000n), "ends at byte"],
    [shardWith(8, 2n ** 63n), "ends at byte"],
    [shardWith(0, 2n ** 64n - 1n), "ends at byte"],
    [shardWith(8, 7n), "7 bytes, not 8"],
    [smallStore(ONE_SHARD).set("c/0/0", new Uint8Array(90)), "it has 90 bytes, its index 96"],
    [smallStore(ONE_SHARD).set("c/0/0", new Uint8Array(0)), "it has 0 bytes"],
  ];
  for (const [entries, words] of bad) {
    for (const source of [listed(entries), zipped(entries, 0)]) {
      const error = await failure(samplesOf(source), "malformed");
      assertStringIncludes(error.message, words);
    }
    await using server = serving(entries);
    assertStringIncludes(
      (await failure(samplesOf(new URL("/store.zarr/", server.url)), "malformed")).message,
      words,
    );
  }
});

Deno.test("a damaged index or chunk with a checksum is refused", async () => {
  const checked = { ...ONE_SHARD, shards: [{ ...ONE_SHARD.shards![0]!, checked: true }], codecs: ["crc32c"] };
  for (const at of [3, 80]) {
    const entries = smallStore(checked);
    const shard = entries.get("c/0/0")!.slice();
    shard[at]! ^= 4;
    const error = await failure(samplesOf(listed(entries.set("c/0/0", shard))), "malformed");
    assertStringIncludes(error.message, "checksum");
  }
});

Deno.test("shards whose chunks do not divide them are malformed", async () => {
  const entries = edited(smallStore(ONE_SHARD), "zarr.json", (json) => {
    const [codec] = json["codecs"] as { configuration: Json }[];
    codec!.configuration["chunk_shape"] = [4, 4];
  });
  const error = await failure(samplesOf(listed(entries)), "malformed");
  assertStringIncludes(error.message, "not a multiple of chunks");
});

Deno.test("an entry that is much larger than its chunk is refused before it is read", async () => {
  await withFolder(async (folder) => {
    const path = await written(smallStore(), `${folder}/a.zarr`);
    await Deno.truncate(`${path}/c/0/0`, 2 ** 33);
    const error = await failure(samplesOf(path), "malformed");
    assertStringIncludes(error.message, "that it may have");
  });
  const entries = smallStore({ codecs: ["gzip"] });
  entries.set("c/0/0", new Uint8Array(gzipSync(new Uint8Array(9_000_000))));
  await failure(samplesOf(listed(entries)), "malformed"); // small, but unpacks to 9 MB
});

Deno.test("a chunk that is shorter or longer than its samples is malformed", async () => {
  for (const bytes of [0, 7, 9]) {
    const entries = smallStore().set("c/1/1", new Uint8Array(bytes));
    const error = await failure(samplesOf(listed(entries)), "malformed");
    assertStringIncludes(error.message, `${bytes} bytes, not 8`);
  }
});

/** An archive with bytes changed where `find` first appears behind `from`. */
function patched(
  archive: Uint8Array,
  magic: number,
  nth: number,
  change: (view: DataView, at: number) => void,
) {
  const copy = archive.slice() as Uint8Array<ArrayBuffer>;
  const view = new DataView(copy.buffer);
  for (let at = 0, found = 0; at + 4 <= copy.length; at++) {
    if (view.getUint32(at, true) !== magic || found++ !== nth) continue;
    change(view, at);
    return copy;
  }
  throw new Error("not found");
}

const [HEADER, DIRECTORY, END] = [0x04034b50, 0x02014b50, 0x06054b50];

Deno.test("archives with tricks are refused: overlaps, names that lead out, repetitions, wrong counts", async () => {
  const archive = zipped(smallStore(), 0);
  const named = (name: string) => zipped(new Map([...smallStore(), [name, new Uint8Array(3)]]), 0);
  const twice = named("c/0/9"); // renamed to an entry that exists
  const text = new TextDecoder("latin1").decode(twice);
  const places = [text.indexOf("c/0/9"), text.lastIndexOf("c/0/9")];
  for (const place of places) twice[place + 4] = 0x31;
  const cases: [Uint8Array<ArrayBuffer>, string][] = [
    [named("../out"), "leads out of it"],
    [named("/etc/passwd"), "leads out of it"],
    [named("a/../../b"), "leads out of it"],
    [twice, "twice"],
    [patched(archive, DIRECTORY, 1, (view, at) => view.setUint32(at + 42, 0, true)), "overlaps"],
    [patched(archive, DIRECTORY, 0, (view, at) => view.setUint32(at + 20, 4000, true)), "4000 bytes"],
    [patched(archive, DIRECTORY, 0, (view, at) => view.setUint16(at + 28, 60000, true)), "cut off"],
    [patched(archive, END, 0, (view, at) => view.setUint16(at + 10, 3, true)), "its 3 entries"],
    [patched(archive, END, 0, (view, at) => view.setUint16(at + 10, 65535, true)), "zip64"],
    [patched(archive, END, 0, (view, at) => view.setUint32(at + 16, 5, true)), "does not end"],
    [patched(archive, END, 0, (view, at) => view.setUint16(at + 4, 2, true)), "part of several"],
  ];
  for (const [bytes, words] of cases) {
    const error = await failure(openAll(new File([bytes], "a.zip")), "malformed");
    assertStringIncludes(error.message, words);
  }
  const secret = patched(archive, DIRECTORY, 0, (view, at) => view.setUint16(at + 8, 1, true));
  assertStringIncludes((await failure(openAll(secret), "unsupported")).message, "encrypted");
});

Deno.test("entries whose bytes are damaged, or not as their header says, are refused", async () => {
  const cases: [(view: DataView, at: number) => void, ErrorCode, string][] = [
    [(view, at) => view.setUint32(at + 14, 7, true), "malformed", "checksum"],
    [(view, at) => view.setUint16(at + 8, 12, true), "unsupported", "method 12"],
    [(view, at) => view.setUint32(at + 18, 2 ** 31, true), "malformed", "bytes, there are"],
    [(view, at) => view.setUint16(at + 28, 60000, true), "malformed", "cut off"],
    [(view, at) => view.setUint32(at, 0, true), "malformed", "no header"],
  ];
  for (const level of [0, 6] as const) {
    for (const [change, code, words] of cases) {
      const archive = patched(zipped(smallStore(), level), HEADER, 2, change); // a chunk
      const error = await failure(samplesOf(archive), code);
      assertStringIncludes(error.message, words);
    }
  }
});

Deno.test("an archive cut off anywhere is refused", async () => {
  const archive = zipped(smallStore(), 6);
  for (let length = 8; length < archive.length; length += 13) {
    const error = await samplesOf(archive.slice(0, length)).then(() => undefined, (error) => error);
    assert(["malformed", "unknown-format", "unsupported"].includes(error?.code), `${length}: ${error}`);
  }
});

/** Gzip: members of all kinds, padding, damage, limits. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { gzipSync } from "node:zlib";
import { gunzip as unpacked, gunzipStart } from "../../../src/formats/common/gzip.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import { BytesSource } from "../../../src/io/source/bytes.ts";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { held } from "../../memory/held.ts";
import { ascii, counting, failure, join } from "../helpers.ts";

const gunzip = (file: Uint8Array, most: number) => unpacked(new BytesSource(file, "x.gz"), most);
const packed = (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes));
const DATA = Uint8Array.from({ length: 300_000 }, (_, i) => (i * i) >> 7);

/** A member whose header has every optional field. */
function withFields(bytes: Uint8Array): Uint8Array {
  const plain = packed(bytes);
  const head = plain.slice(0, 10);
  head[3] = 4 | 8 | 16 | 2;
  const fields = join(Uint8Array.of(3, 0, 7, 8, 9), ascii("name\0"), ascii("comment\0"), Uint8Array.of(1, 2));
  return join(head, fields, plain.subarray(10));
}

Deno.test("one member, many, empty ones, those with all fields, and padding", async () => {
  const parts = [DATA.subarray(0, 500), DATA.subarray(500, 501), DATA.subarray(501)];
  for (
    const file of [
      packed(DATA),
      join(...parts.map(packed)),
      join(packed(new Uint8Array()), ...parts.map(withFields), packed(new Uint8Array())),
      join(packed(DATA), new Uint8Array(100)),
    ]
  ) assertEquals(await gunzip(file, 2 ** 20), DATA);
  assertEquals((await gunzip(packed(new Uint8Array(5_000_000)), 2 ** 24)).length, 5_000_000); // more than its guess
});

Deno.test("the first bytes are those of the first members, as far as the head goes", async () => {
  const file = join(packed(DATA.subarray(0, 3)), packed(DATA.subarray(3)));
  assertEquals((await gunzipStart(file.subarray(0, 4096), 1024)).slice(0, 1024), DATA.slice(0, 1024));
  assertEquals(await gunzipStart(Uint8Array.of(0x1f, 0x8b, 8), 1024), new Uint8Array());
});

Deno.test("what is damaged or too large is refused", async () => {
  const refused = async (file: Uint8Array, text: string, most = 2 ** 20) => {
    const code = most < 2 ** 20 ? "unsupported" : "malformed";
    const error = await failure(gunzip(file, most), code);
    assertStringIncludes(error.message, text);
  };
  const good = packed(DATA);
  const changed = (at: number) => good.map((byte, i) => i === at ? byte ^ 1 : byte);
  await refused(good.subarray(0, 1000), "ends too early");
  await refused(good.subarray(0, -3), "checksum is missing");
  await refused(changed(good.length - 8), "checksum is wrong");
  await refused(changed(good.length - 1), "the size is not 300000");
  await refused(join(good, ascii("and more")), "no gzip member begins there");
  await refused(good, "more than 1000 bytes", 1000);
  const { details } = await failure(gunzip(good.subarray(0, 1000), 2 ** 20), "malformed");
  assert(Math.abs(Number(details.offset) - 1000) < 16, `it ends at byte 1000, not ${details.offset}`);
});

Deno.test("a small file that unpacks to far more than its header promises is refused, and takes no memory", async () => {
  const of = (sections: number, bytes: number) => {
    const mrc = new DataView(new ArrayBuffer(1024 + bytes));
    [512, 512, sections, 0].forEach((value, i) => mrc.setInt32(4 * i, value, true));
    [...ascii("MAP ")].forEach((byte, i) => mrc.setUint8(208 + i, byte));
    return new File([packed(new Uint8Array(mrc.buffer)) as BlobPart], "scan.mrc.gz");
  };
  const before = held();
  const bomb = of(2, 2 ** 28);
  const { message } = await failure(open(bomb), "unsupported");
  assertStringIncludes(message, "unpacks to more than 1573888 bytes");
  const claim = await failure(open(of(2 ** 20, 2 ** 18)), "truncated");
  assertStringIncludes(claim.message, "it promises 256.0 GiB, and it can hold at most");
  assert(held() - before < 2 ** 29 + 2 ** 27, "no more than the test itself takes");
  assertEquals((await open(of(2, 2 ** 19))).shape, [2, 512, 512]);
});

Deno.test("an MRC file in several members", async () => {
  const mrc = new DataView(new ArrayBuffer(1024 + 24));
  [4, 3, 2, 0].forEach((value, i) => mrc.setInt32(4 * i, value, true));
  new Uint8Array(mrc.buffer).set(ascii("MAP DD"), 208);
  new Uint8Array(mrc.buffer).set(counting(24), 1024);
  const bytes = new Uint8Array(mrc.buffer);
  const parts = [bytes.subarray(0, 100), bytes.subarray(100, 1030), bytes.subarray(1030)];
  const dataset = await open(new File([join(...parts.map(packed))], "x.mrc.gz"));
  assertEquals(dataset.shape, [2, 3, 4]);
  assertEquals([...(await readBox(dataset, wholeBox([2, 3, 4]))).data as Int8Array], [...counting(24)]);
});

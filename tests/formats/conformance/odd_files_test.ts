/**
 * Files as programs other than the usual ones write them, or as people change them: odd headers, names and orders. The
 * writers here follow the descriptions of the formats.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { type OpenOptions, openStored as open } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { rightAnswer, serve } from "../../io/range_server.ts";
import { frms6Files, frms6Frame, type Frms6Init } from "../frms6/frms6_data.ts";
import { ascii, counting, failure, join } from "../helpers.ts";
import { measured } from "../../fuzz/clock.ts";

async function values(dataset: StoredDataset): Promise<number[]> {
  return [...(await readBox(dataset, wholeBox(dataset.shape))).data as Uint8Array];
}

/** A header with 16- and 32-bit numbers at their places, and texts. */
function head(
  bytes: number,
  numbers: Readonly<Record<number, number>>,
  { big = false, short = [] as number[], texts = {} as Readonly<Record<number, string>> } = {},
): Uint8Array {
  const view = new DataView(new ArrayBuffer(bytes));
  for (const [at, value] of Object.entries(numbers)) {
    if (short.includes(Number(at))) view.setUint16(Number(at), value, !big);
    else view.setInt32(Number(at), value, !big);
  }
  for (const [at, text] of Object.entries(texts)) new Uint8Array(view.buffer).set(ascii(text), Number(at));
  return new Uint8Array(view.buffer);
}

function words(length: number, first = 0): Uint8Array {
  return new Uint8Array(Uint16Array.from({ length }, (_, i) => 1000 + first + i).buffer);
}

const numbersFrom = (first: number, length: number) => Array.from({ length }, (_, i) => first + i);

/** A blockfile of 2 × 3 patterns of 2 × 2, with or without the marks of frames. */
function blo(itemSize: 1 | 2, { note = "", mark = [0xaa, 0x55] } = {}): Uint8Array<ArrayBuffer> {
  const numbers = { 6: 258, 8: 512, 12: 518, 20: 2, 24: 3, 26: 2 };
  const start = head(512, numbers, { short: [6, 20, 24, 26], texts: { 0: "IMGBLO", 240: note } });
  const frames = Array.from({ length: 6 }, (_, i) => {
    const samples = itemSize === 1 ? counting(4, 4 * i) : words(4, 4 * i);
    return join(Uint8Array.of(...mark, i, 0, 0, 0), samples);
  });
  return join(start, new Uint8Array(6), ...frames);
}

Deno.test("blockfiles of 16 bits are known by their note, or by the marks of frames", async () => {
  const note = "Some: thing\r\nBlo Bit Depth: 16 bits\r\n";
  for (const bytes of [blo(2, { note, mark: [0, 0] }), blo(2)]) {
    const dataset = await open(bytes, { array: "patterns" });
    assertEquals([dataset.shape, dataset.dtype], [[2, 3, 2, 2], "uint16"]);
    assertEquals(await values(dataset), numbersFrom(1000, 24));
  }
  for (const bytes of [blo(1), blo(1, { mark: [0, 0] }), blo(1, { note: "Blo Bit Depth: 8 bits" })]) {
    assertEquals(await values(await open(bytes, { array: "patterns" })), numbersFrom(0, 24));
  }
  const error = await failure(open(blo(1, { note: "Blo Bit Depth: 12 bits\r\n" })), "unsupported");
  assert(error.message.includes("12 bits; 8 and 16 are known"));
});

/** An MRC file of int8 sections of 3 × 4. */
function mrc(
  sections: number,
  { big = false, stamp = "DD", group = 0, each = sections }: {
    readonly big?: boolean;
    readonly stamp?: string;
    readonly group?: number;
    readonly each?: number;
  } = {},
) {
  const numbers = { 0: 4, 4: 3, 8: sections, 12: 0, 28: 4, 32: 3, 36: each, 64: 1, 68: 2, 72: 3, 88: group };
  return join(head(1024, numbers, { big, texts: { 208: "MAP ", 212: stamp } }), counting(12 * sections));
}

Deno.test("MRC: stamps that are missing or wrong, and stacks of volumes", async () => {
  for (const big of [false, true]) {
    for (const stamp of ["\0\0", "DD", "\x11\x11", "DA"]) {
      const dataset = await open(mrc(2, { big, stamp }));
      assertEquals([dataset.shape, dataset.byteOrder], [[2, 3, 4], big ? "big" : "little"]);
    }
  }
  assertEquals((await open(mrc(6, { group: 401, each: 3 }))).shape, [2, 3, 3, 4]);
  assertEquals((await open(mrc(6, { group: 401, each: 4 }))).shape, [6, 3, 4]);
  const cut = await open(mrc(3).slice(0, -1), { allowTruncated: true });
  assertEquals([cut.shape, cut.warnings.length], [[2, 3, 4], 1]);
});

const RPL = [
  "width\t4\t; pixels",
  "height 3",
  "DEPTH\t2\tnote",
  "offset\t0",
  "data-length\t1",
  "data-type\tunsigned",
];

Deno.test("Ripple: comments, further columns, any line ends, missing frames", async () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const text = ["; made by hand", "key\tvalue", ...RPL, "record-by\timage"].join(end);
    const files = (length: number) => [new File([text], "x.rpl"), new File([counting(length)], "x.raw")];
    const dataset = await open(files(24));
    assertEquals([dataset.shape, await values(dataset)], [[2, 3, 4], numbersFrom(0, 24)]);
    await failure(open(files(23)), "truncated");
    assertEquals((await open(files(23), { allowTruncated: true })).shape, [1, 3, 4]);
  }
});

/** A TIA series of uint8 images of 2 × 3, each at its offset. */
function ser(offsets: readonly number[]): Uint8Array<ArrayBuffer> {
  const n = offsets.length;
  const start = head(54, { 0: 0x4949, 2: 0x197, 4: 0x210, 6: 0x4122, 10: 0x4152, 14: n, 18: n, 22: 54 }, {
    short: [0, 2, 4],
  });
  new DataView(start.buffer).setInt32(26, 0, true); // no dimensions
  const file = new Uint8Array(Math.max(...offsets) + 56);
  file.set(start);
  offsets.forEach((at, i) => {
    new DataView(file.buffer).setInt32(54 + 4 * i, at, true);
    file.set(head(50, { 40: 1, 42: 3, 46: 2 }, { short: [40] }), at);
    file.set(counting(6, 6 * i), at + 50);
  });
  return file;
}

Deno.test("TIA images lie at any distances, in any order", async () => {
  const flipped = [3, 4, 5, 0, 1, 2]; // from the bottom up
  for (const offsets of [[100, 156, 212, 268], [100, 160, 300, 356], [400, 300, 200, 100]]) {
    const dataset = await open(ser(offsets), { nav: [4] });
    assertEquals(await values(dataset), [0, 1, 2, 3].flatMap((i) => flipped.map((v) => 6 * i + v)));
  }
  const many = Array.from({ length: 700 }, (_, i) => 4000 + 60 * i + i * i % 4);
  await failure(open(ser(many)), "unsupported");
});

const XML = (name: string) =>
  `<root><type>scan</type><pix_x unit='px'> 2 </pix_x><pix_y>1</pix_y><raw_file  id="1"\n filename = ${name} />` +
  "<scan_parameters mode='acquire'><scan_resolution_x>9</scan_resolution_x></scan_parameters></root>";

Deno.test("EMPAD: XML with comments, quotes, escapes and encodings of any kind", async () => {
  const utf16 = (text: string) =>
    join(Uint8Array.of(0xff, 0xfe), new Uint8Array(Uint16Array.from(text, (c) => c.charCodeAt(0)).buffer));
  const texts: readonly [string, Uint8Array][] = [
    ["a b.raw", ascii(XML(`"C:\\data\\a b.raw"`))],
    [
      "a & b\u00f6.raw",
      ascii(`\uFEFF<!-- <raw_file filename="no.raw"/> -->\r\n${XML("'a &amp; b&#xf6;.raw'")}`),
    ],
    ["\u00f6.raw", utf16(XML('"\u00f6.raw"'))],
    ["x.RAW", ascii(XML('"X.raw"'))],
  ];
  const latin = `<?xml version="1.0" encoding="ISO-8859-1"?>${XML('"\u00f6.raw"')}`;
  const all = [...texts, ["\u00f6.raw", Uint8Array.from(latin, (c) => c.charCodeAt(0))] as const];
  for (const [name, xml] of all) {
    const files = [new File([join(xml)], "scan.xml"), new File([new Uint8Array(2 * 66560)], name)];
    assertEquals((await open(files)).shape, [1, 2, 128, 128], name);
  }
});

Deno.test("descriptions made to take long do not", async () => {
  const long = (piece: string) => piece.repeat(Math.floor(2 ** 20 / piece.length) - 200);
  const seq = head(8192 + 24, {
    0: 0xfeed,
    28: 5,
    548: 4,
    552: 3,
    556: 8,
    564: 12,
    568: 100,
    572: 1,
    580: 24,
  });
  const cases: File[][] = [
    ...["<raw_file ", "<!--", "<scan_parameters ", "<full_scan_field_of_view>", "<pix_x "].map((piece) => [
      new File([`<raw_file filename="q.raw"/>${long(piece)}`], "a.xml"),
      new File([new Uint8Array(66560)], "q.raw"),
    ]),
    ...["<BadPixelMap>", "<BadPixelMap ", "<!--", "<Defect "].map((piece) => [
      new File([join(seq)], "x.seq"),
      new File([new Uint8Array(4096)], "x.seq.metadata"),
      new File([long(piece)], "x.seq.Config.Metadata.xml"),
    ]),
    [new File([`[measurementInfo]\nreadoutMode=x\na${long(" ")}x`], "x.hdr")],
    [new File([`${RPL.join("\n")}\nkey\ta${" ".repeat(60000)}x`], "x.rpl")],
  ];
  for (const files of cases) {
    const spent = measured();
    await open(files).catch(() => undefined);
    assert(spent().milliseconds < 2000, `${files.map(({ name }) => name)}`);
  }
});

Deno.test("files beside others are found in upper and lower case", async () => {
  const init: Frms6Init = { files: [1, 2] };
  const list = [...frms6Files(init)].map(([name, bytes]) => new File([bytes], name.toUpperCase()));
  for (const first of list) {
    const dataset = await open([first, ...list.filter((file) => file !== first)]);
    assertEquals(await values(dataset), [0, 1].flatMap((image) => frms6Frame(image, init)));
  }
});

Deno.test("DM: each array has its own name, with a number where names repeat", async () => {
  const options: OpenOptions = { array: "HAADF" };
  const url = new URL("../../../../shared/data/dm/2D_multi_signal.dm3", import.meta.url);
  try {
    Deno.statSync(url);
  } catch {
    return; // ../shared is not beside this checkout
  }
  assertEquals((await open(url, options)).shape, [512, 512]);
  assertEquals((await open(url, { array: "Plot" })).shape, [512]);
});

/** A TVIPS file of uint8 frames of 2 × 2, with or without the head of the series. */
function tvips(frames: number, first: number, isFirst: boolean): Uint8Array {
  const start = head(256, { 0: 256, 4: 1, 8: 2, 12: 2, 16: 8 });
  const all = Array.from({ length: frames }, (_, i) => join(new Uint8Array(12), counting(4, first + 4 * i)));
  return join(...(isFirst ? [start] : []), ...all);
}

Deno.test("over HTTP, names have no escapes, and servers are asked for the files of a series", async () => {
  const files = new Map<string, Uint8Array>([
    ["a b\u00f6_000.tvips", tvips(2, 0, true)],
    ["a b\u00f6_001.tvips", tvips(1, 8, false)],
    ["scan 1.xml", ascii(XML('"\u00f6 1.raw"'))],
    ["\u00f6 1.raw", new Uint8Array(2 * 66560)],
  ]);
  await using server = serve((question) => {
    const bytes = files.get(decodeURIComponent(question.path.replace(/^\//, "")));
    return bytes ? rightAnswer(bytes, question) : { status: 404, body: new Uint8Array() };
  });
  const url = (name: string) => new URL(encodeURIComponent(name), new URL(".", server.url));
  assertEquals(await values(await open(url("a b\u00f6_000.tvips"))), numbersFrom(0, 12));
  assertEquals((await open([url("scan 1.xml"), url("\u00f6 1.raw")])).shape, [1, 2, 128, 128]);
});

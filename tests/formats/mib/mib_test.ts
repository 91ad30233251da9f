import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import { mibImage, parseMibHdr, parseMibHeader } from "../../../src/formats/mib/header.ts";
import { mibFrameHeader, type MibOptions } from "./mib_files.ts";
import { ascii, failure, join, mibBytes } from "../helpers.ts";
import { numbers, readAll } from "../read_all.ts";

const SIG: MibOptions = { sig: [4, 6] };

/** A header with other fields, by their number. */
function header(changes: Readonly<Record<number, string>>, bits = 12): Uint8Array<ArrayBuffer> {
  const fields = new TextDecoder().decode(mibFrameHeader(2, 1, { sig: [4, 6], counterBits: bits }))
    .replace(/\0+$/, "").split(",");
  for (const [n, text] of Object.entries(changes)) fields[Number(n)] = text;
  const bytes = new Uint8Array(384);
  bytes.set(ascii(fields.join()));
  return bytes;
}

Deno.test("big-endian samples of 1, 2 and 4 bytes", async () => {
  const makes = [
    (n: number) => new Uint8Array(n),
    (n: number) => new Uint16Array(n),
    (n: number) => new Uint32Array(n),
  ];
  for (const [i, make] of makes.entries()) {
    const scan = await open(await mibBytes(2, SIG, make));
    assertEquals([scan.shape, scan.dtype, scan.byteOrder], [
      [2, 4, 6],
      (["uint8", "uint16", "uint32"] as const)[i]!,
      "big",
    ]);
    const expected = Array.from({ length: 48 }, (_, p) => Math.floor(p / 24) * 100 + p % 24);
    assertEquals(numbers(await readAll(scan), scan.dtype), expected);
    assertEquals(scan.metadata["counterBits"], [6, 12, 24][i]);
  }
});

Deno.test("nav, sig and sync offset reshape what is there", async () => {
  const bytes = await mibBytes(6, SIG);
  assertEquals((await open(bytes, { nav: [2, 3], sig: [24] })).shape, [2, 3, 24]);
  const scan = await open(bytes, { nav: [2, 4], syncOffset: 1 });
  assertEquals([scan.frames, scan.images, scan.warnings.length], [8, 6, 1]);
  assertEquals(numbers(await readAll(scan), "uint16")[0], 100);
  assertStringIncludes((await failure(open(bytes, { sig: [5, 5] }), "invalid")).message, "25 samples");
});

Deno.test("a file that ends inside a frame is truncated, and its complete frames can be had", async () => {
  const bytes = (await mibBytes(3, SIG)).subarray(0, -1);
  const error = await failure(open(bytes), "truncated");
  assertEquals([error.details["completeFrames"], error.details.offset], [2, 2 * (384 + 48)]);
  const scan = await open(bytes, { allowTruncated: true });
  assertEquals([scan.navShape, scan.warnings.length], [[2], 1]);
  await failure(open(bytes.subarray(0, 400), { allowTruncated: true }), "truncated");
});

Deno.test("absurd headers are refused with place, expectation and finding", async () => {
  const wrong: [number, string][] = [
    [1, "x"],
    [2, "00000"],
    [2, "99999"],
    [2, "-0384"],
    [3, "00"],
    [4, "0000"],
    [4, "99999999"],
    [5, ""],
    [6, "F32"],
    [6, "U64"],
  ];
  for (const [field, text] of wrong) {
    const { details } = await failure(open(join(header({ [field]: text }), new Uint8Array(48))), "malformed");
    assert(
      details.offset! > 0 && details.expected !== undefined && details.found === text,
      `${field} ${text}`,
    );
  }
  await failure(open(ascii("MQ1,")), "malformed");
  await failure(open(join(header({ 4: "0007" }), new Uint8Array(48))), "truncated");
});

Deno.test("a last header that differs from the first is refused", async () => {
  const bytes = await mibBytes(3, SIG);
  const other = bytes.slice();
  other.set(header({ 5: "0006", 4: "0004" }), 2 * 432);
  assertEquals((await failure(open(other), "malformed")).details.offset, 864);
  bytes.fill(0, 864, 868);
  assertEquals((await failure(open(bytes), "malformed")).details.offset, 864);
});

Deno.test("raw mode: shapes, types and stored bytes of what we read; the rest is not supported", () => {
  const image = (bits: number, chips: string, sensor: string, width: string, height: string) =>
    mibImage(
      parseMibHeader(header({ 3: chips, 4: width, 5: height, 6: "R64", 7: sensor }, bits), "x.mib"),
      "x.mib",
    );
  const facts = (...args: Parameters<typeof image>) => {
    const { sigShape, dtype, storedBytes } = image(...args);
    return [...sigShape, dtype, storedBytes];
  };
  assertEquals(facts(1, "01", "   1x1", "0256", "0256"), [256, 256, "uint8", 8192]);
  assertEquals(facts(6, "01", "   1x1", "0256", "0128"), [128, 256, "uint8", 32768]);
  assertEquals(facts(12, "01", "   1x1", "0256", "0256"), [256, 256, "uint16", 131072]);
  assertEquals(facts(24, "01", "   1x1", "0512", "0256"), [256, 256, "uint32", 262144]);
  assertEquals(facts(1, "04", "   2x2", "1024", "0256"), [512, 512, "uint8", 32768]);
  assertEquals(facts(12, "04", "  2x2G", "1024", "0256"), [512, 512, "uint16", 524288]);
  const refused: Parameters<typeof image>[] = [
    [24, "04", "   2x2", "2048", "0256"],
    [7, "01", "   1x1", "0256", "0256"],
    [12, "02", "   2x1", "0512", "0256"],
    [12, "04", "  Nx1", "1024", "0256"],
  ];
  for (const args of refused) {
    const error = assertThrows(() => image(...args), TilewiseError);
    assertEquals((error as TilewiseError).code, "unsupported");
  }
  assertThrows(() => image(1, "01", "   1x1", "0100", "0003"), TilewiseError, "whole 64-bit words");
});

Deno.test("raw mode through open: pixels of one chip with 24 bits", async () => {
  const words = Uint8Array.of(0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8);
  const scan = await open(join(header({ 4: "0008", 5: "0001", 6: "R64" }, 24), words));
  assertEquals([scan.shape, scan.dtype], [[1, 1, 4], "uint32"]);
  assertEquals(numbers(await readAll(scan), "uint32"), [16392, 12295, 8198, 4101]);
  assertEquals(
    (await open(join(header({ 4: "0008", 5: "0001", 6: "R64" }, 24), words), { sig: [2, 2] })).sigShape,
    [2, 2],
  );
});

Deno.test("the .hdr tells the scan by ScanX and ScanY, else by frames per trigger", () => {
  const nav = (...lines: string[]) => parseMibHdr(["HDR,\t", ...lines, "End\t"].join("\r\n"))?.navShape;
  const frames = "Frames in Acquisition (Number):\t";
  const line = "Frames per Trigger (Number):\t";
  assertEquals(nav("ScanX:\t4", "ScanY:\t2", `${frames}99`, `${line}9`), [2, 4]);
  assertEquals(nav(`${frames}12`, `${line}4`), [3, 4]);
  assertEquals(nav(`${frames}12`, `${line}1`), undefined);
  assertEquals(nav(`${frames}12`, `${line}12`), undefined);
  assertEquals(nav(`${frames}12`, `${line}5`), undefined);
  assertEquals(nav("ScanX:\t0", "ScanY:\t2"), undefined);
  assertEquals(nav("End\t", "ScanX:\t4", "ScanY:\t2"), undefined);
  assertEquals(parseMibHdr("[measurementInfo]\n"), undefined);
});

Deno.test("thresholds are metadata, and colour mode is told", async () => {
  const energies = ",4.000000E+1,5.110000E+2,0,0,0,0,0,0,3RX"; // as in the files of a detector
  const bytes = (colour: number) =>
    join(header({ 12: String(colour), 13: `0${energies}` }), new Uint8Array(48));
  const plain = await open(bytes(0)), colour = await open(bytes(1));
  assertEquals([plain.metadata["thresholds"], plain.warnings], [[40, 511, 0, 0, 0, 0, 0, 0], []]);
  assertEquals(colour.warnings, [
    "Pixels of several thresholds lie side by side (colour mode): they are not told apart",
  ]);
});

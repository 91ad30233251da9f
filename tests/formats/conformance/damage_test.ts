/**
 * Damaged files: cut anywhere, or with any byte of a header changed, they end in a typed error or in samples that
 * are in the file.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { framePitch } from "../../../src/dataset/layout/layout.ts";
import { isTilewiseError } from "../../../src/errors.ts";
import { type OpenInput, type OpenOptions, openStored as open } from "../../../src/formats/open.ts";
import { mibFrameHeader, mibHdr } from "../mib/mib_files.ts";
import { npyHeader } from "../../../src/sinks/npy/npy_header.ts";
import { ascii, counting, join, mibBytes } from "../helpers.ts";
import { cases, share } from "../../suite/cases.ts";
import { readAll } from "../read_all.ts";

interface Sample {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Bytes that are header. */
  readonly header: number;
  readonly options?: OpenOptions;
  /** What is opened; default: the bytes. */
  readonly input?: (bytes: Uint8Array<ArrayBuffer>) => OpenInput;
}

const RPL = ascii(
  "key\tvalue\nwidth\t4\nheight\t3\ndepth\t2\noffset\t0\ndata-length\t2\ndata-type\tsigned\n" +
    "byte-order\tbig-endian\nrecord-by\timage\n",
) as Uint8Array<ArrayBuffer>;
const HDR = ascii(mibHdr([2, 3], 12).trimEnd()) as Uint8Array<ArrayBuffer>;
const SIX = await mibBytes(6, { sig: [2, 3] });

const SAMPLES: readonly Sample[] = [
  { name: "npy", bytes: join(npyHeader("uint16", [3, 2, 5]), counting(60)), header: 128 },
  { name: "npy float", bytes: join(npyHeader("float32", [12]), counting(48)), header: 128 },
  { name: "npy Fortran", bytes: fortran(join(npyHeader("int16", [3, 2, 5]), counting(60))), header: 128 },
  { name: "MIB", bytes: await mibBytes(3, { sig: [4, 6] }), header: 384 },
  {
    name: "MIB of one frame",
    bytes: await mibBytes(1, { sig: [4, 6] }, (n) => new Uint8Array(n)),
    header: 384,
  },
  { name: "MIB raw mode", bytes: rawMode(), header: 384 },
  {
    name: "MIB .hdr",
    bytes: HDR,
    header: HDR.length,
    input: (bytes) => [new File([bytes], "scan.hdr"), new File([SIX], "scan.mib")],
  },
  {
    name: "Ripple",
    bytes: RPL,
    header: RPL.length,
    input: (bytes) => [new File([bytes], "map.rpl"), new File([counting(48)], "map.raw")],
  },
  { name: "raw", bytes: counting(96), header: 0, options: { dtype: "uint16", sig: [2, 4], nav: [2, 3] } },
];

function fortran(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const at = new TextDecoder("latin1").decode(bytes).indexOf("False");
  bytes.set(ascii("True "), at);
  return bytes;
}

function rawMode(): Uint8Array<ArrayBuffer> {
  const header = new TextDecoder().decode(mibFrameHeader(2, 1, { sig: [3, 64], counterBits: 1 }));
  const frame = join(ascii(header.replace("U16", "R64")), counting(24));
  return join(frame, frame);
}

/** Opens and, unless that was refused, reads; anything but a typed error comes through. */
async function attempt(
  { input, options = {} }: Sample,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<StoredDataset | string> {
  try {
    const dataset = await open(input ? input(bytes) : bytes, options);
    assert(dataset.images * dataset.pixels <= 8 * (bytes.length + SIX.length), "more samples than bits");
    if (dataset.frames <= 10_000) await readAll(dataset);
    return dataset;
  } catch (error) {
    if (isTilewiseError(error) && error.code !== "corrupt") return error.code;
    throw error;
  }
}

/** At most `count` whole numbers from 0 to `end`, evenly spread. */
function places(end: number, count: number): number[] {
  const step = Math.max(1, end / count);
  return Array.from({ length: Math.min(count, end) }, (_, i) => Math.floor(i * step));
}

for (const sample of SAMPLES) {
  const { name, bytes, header } = sample;

  Deno.test(`${name}: undamaged it is read without a warning`, async () => {
    const dataset = await attempt(sample, bytes);
    assert(typeof dataset === "object" && dataset.warnings.length === 0, String(dataset));
  });

  Deno.test(`${name}: cut at many places it is refused, or read as far as it goes`, async () => {
    for (const end of places(bytes.length, cases(100, 200))) {
      const found = await attempt(sample, bytes.slice(0, end));
      if (typeof found === "string" || sample.input) continue; // a description may do without its last lines
      const whole = await attempt(sample, bytes) as StoredDataset;
      assert(found.images < whole.images, `cut at ${end}: ${found}`);
      const between = end % framePitch(found.layout) === 0; // then nothing tells that there were more
      assert(between || found.warnings.length === 1);
      const [part, all] = [await readAll(found), await readAll(whole)];
      const shown = found.images * whole.byteLength / whole.frames;
      assertEquals(part.subarray(0, shown), all.subarray(0, shown));
    }
  });

  Deno.test(`${name}: with any byte of its header changed it is refused or read`, async () => {
    const whole = await readAll(await attempt(sample, bytes) as StoredDataset);
    for (let at = 0; at < header; at++) {
      for (const value of share([0, 0x20, 0x30, 0x39, 0xff, bytes[at]! ^ 1, bytes[at]! ^ 0x80], 3, at)) {
        const damaged = bytes.slice();
        damaged[at] = value;
        const found = await attempt(sample, damaged);
        if (typeof found === "object" && name.startsWith("MIB") && !sample.input) {
          assertEquals(await readAll(found), whole);
        }
      }
    }
  });
}

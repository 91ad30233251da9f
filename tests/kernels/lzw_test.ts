/**
 * LZW of TIFF against its twin: long streams, in which codes of all widths come, whole and damaged.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { LZW_BYTES } from "../../src/kernels/families/filters.ts";
import { lzw, lzwOld } from "../oracles/twins/filters/lzw.ts";
import { lzwOldPacked, lzwPacked } from "../oracles/rows/common/segments_packed.ts";
import { instantiateKernels, loadKernels } from "../../src/kernels/wasm.ts";
import { mulberry32, sizes } from "./call.ts";

await loadKernels();

const memory = new WebAssembly.Memory({ initial: 8, maximum: 8 });
const { exports } = instantiateKernels(memory);
const [STATUS, TABLES, SRC, DST] = [64, 128, 65536, 1 << 18];

const WAYS = {
  "highest bit first": [exports.lzw_u8, lzw(memory), lzwPacked],
  "lowest bit first": [exports.lzw_old_u8, lzwOld(memory), lzwOldPacked],
} as const;

type Kernel = (...args: [number, number, number, number, number, number]) => void;

/** Status and output of a kernel. */
function unpack(kernel: Kernel, packed: Uint8Array, room: number): { status: number[]; output: Uint8Array } {
  const bytes = new Uint8Array(memory.buffer);
  bytes.set(packed, SRC);
  bytes.fill(0xa5, DST - 64, DST + room + 64);
  bytes.fill(0xff, TABLES, TABLES + LZW_BYTES);
  bytes.fill(0xa5, TABLES + LZW_BYTES, TABLES + LZW_BYTES + 64);
  kernel(STATUS, DST, room, SRC, packed.length, TABLES);
  const isWhole = [DST - 64, DST + room, TABLES + LZW_BYTES].every((start) =>
    bytes.subarray(start, start + 64).every((byte) => byte === 0xa5)
  );
  assert(isWhole, "nothing is written outside of the room");
  return {
    status: [...new Int32Array(memory.buffer, STATUS, 2)],
    output: bytes.slice(DST, DST + room),
  };
}

for (const [way, [kernel, twin, write]] of Object.entries(WAYS)) {
  Deno.test(`long streams, ${way}, end as those of the twin do`, () => {
    const random = mulberry32(3);
    let [read, refused] = [0, 0];
    for (let seed = 1; seed < 40; seed++) {
      const { bytes, packed } = write(sizes({ rowLength: 2000 + 400 * seed, seed }));
      const damaged = Uint8Array.from(packed);
      for (let flips = seed % 4 === 0 ? 3 : 0; flips > 0; flips--) {
        damaged[Math.floor(random() * damaged.length)]! ^= 1 << Math.floor(random() * 8);
      }
      for (const room of [bytes, bytes + 700, bytes - 300]) {
        const found = unpack(kernel, damaged, room), expected = unpack(twin, damaged, room);
        assertEquals(found.status, expected.status, `seed ${seed}, room for ${room}`);
        assert(found.output.every((byte, at) => byte === expected.output[at]), `seed ${seed}`);
        if (found.status[0]! < 0) refused++;
        else read++;
      }
    }
    assert(read > 60 && refused > 5, `${read} read, ${refused} refused`);
  });
}

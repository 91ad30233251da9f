/** Any sequence of calls gives what a file in plain TypeScript gives, whichever route it takes. */

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { fileOf, type KernelSide, WAYS, withKernelSide } from "../kernel_side.ts";

type Step = { write: boolean; count: number; whence: number; offset: number };

const step: fc.Arbitrary<Step> = fc.record({
  write: fc.boolean(),
  count: fc.nat(6),
  whence: fc.nat(2),
  offset: fc.integer({ min: -4, max: 12 }),
});

/** What a file of 16-bit elements does: `[result, cursor]` per step, and the file at the end. */
function model(steps: readonly Step[], start: readonly number[]) {
  const file = [...start];
  let cursor = 0;
  const results = steps.map(({ write, count, whence, offset }, i) => {
    const place = [0, file.length, cursor][whence]! + offset;
    if (place < 0) return write ? 0 : [];
    cursor = place;
    if (!write) {
      const got = file.slice(place, place + count);
      cursor = place + got.length;
      return got;
    }
    for (let k = 0; k < count; k++) {
      while (file.length < place + k) file.push(0);
      file[place + k] = 100 * i + k;
    }
    cursor = place + count;
    return count;
  });
  return { results, file };
}

function real(side: KernelSide, path: string, steps: readonly Step[], start: readonly number[]) {
  Deno.writeFileSync(path, fileOf(...start));
  const file = side.open("read_write", path);
  const results = steps.map(({ write, count, whence, offset }, i) => {
    if (!write) return side.read(file, count, whence, offset);
    return side.write(file, Array.from({ length: count }, (_, k) => 100 * i + k), whence, offset);
  });
  side.fs.fs_close(file);
  return { results, file: [...new Uint16Array(Deno.readFileSync(path).buffer)] };
}

for (const way of WAYS) {
  Deno.test(`${way}: any sequence of reads and writes agrees with a plain model`, () =>
    withKernelSide(way, (side, folder) => {
      const steps = fc.array(step, { maxLength: 12 }), start = fc.array(fc.nat(65535), { maxLength: 8 });
      fc.assert(
        fc.property(steps, start, (steps, start) => {
          assertEquals(real(side, `${folder}/file`, steps, start), model(steps, start));
        }),
        { numRuns: 200, seed: 11 },
      );
    }));
}

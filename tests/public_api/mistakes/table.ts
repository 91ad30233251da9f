/**
 * Mistakes that users of the API make, and what each is answered: an error with a code, which says what is wrong and what to do.
 *
 * @module
 */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { createContext, type Dataset, open, plan, run, TilewiseError, udf } from "@tilewise/tilewise";
import { mapViews, type ViewOperation } from "@tilewise/tilewise/views";
import type { ErrorCode } from "@tilewise/tilewise/run";

/** What a user did, the call, the code of the error, and what its message must say. */
export type Mistake = readonly [done: string, make: () => unknown, code: ErrorCode, says: string];

/** What most calls have: a small scan, an image, a context without workers. */
const samples = Uint16Array.from({ length: 8 * 8 * 8 * 8 }, (_, i) => i * 7919 % 509);
export const inMemory = { data: samples, shape: [8, 8, 8, 8] };
export const scan: Dataset = await open(inMemory);
export const image: Dataset = await open({ data: samples.slice(0, 256), shape: [16, 16] });
export const context = createContext({ memory: "16MiB", workers: 0 });

/** Runs a UDF that is written without types; it has one buffer, `sum`, unless it says others. */
export async function runUdf(members: object): Promise<unknown> {
  const buffers = { sum: { kind: "nav", dtype: "float64" } };
  const it = udf({ name: "mine", buffers, processFrame() {}, ...members } as never);
  return await run(await plan(scan, { it }, { context, partitions: 2 }));
}

/** Filters the image. */
export async function filtered(operation: unknown, options: object = {}): Promise<unknown> {
  return await mapViews(image, operation as ViewOperation, { context, ...options } as never);
}

/** Makes a test of each row. `FOLDER` in a message is the folder that `folder` gives. */
export function testMistakes(group: string, mistakes: readonly Mistake[], folder = ""): void {
  Deno.test(`${group}: each of ${mistakes.length} mistakes is answered with what is wrong and what to do`, async (test) => {
    const names = new Set(mistakes.map(([done]) => done));
    assertEquals(names.size, mistakes.length);
    for (const [done, make, code, says] of mistakes) {
      await test.step(done, async () => {
        const error = await assertRejects(async () => void await make(), TilewiseError);
        assertEquals(error.code, code, error.message);
        assertStringIncludes(error.message, says.replaceAll("FOLDER", folder));
        assert(!/\[object|undefined is not|Cannot read prop/.test(error.message), error.message);
      });
    }
  });
}

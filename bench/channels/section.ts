/**
 * The bench of channels as a section: limits and kernels take turns, over one file of positions, in one run.
 *
 * @module
 */

import { createContext } from "@tilewise/tilewise";
import { startHost } from "@tilewise/tilewise/channels";
import type { Section, SectionRow } from "../sections/section.ts";
import { fileRow } from "./file_row.ts";
import { kernelWorks } from "./kernels.ts";
import { limitsOf } from "./limits.ts";
import { sleepRow } from "./sleep.ts";
import { BARS, FULL, type Sizes, WORKS } from "./works.ts";

/** 64-bit positions in the file. */
const positionsFor = ({ blocks }: Sizes) => blocks * 2 ** 20 / 8;

/** Limits, reads by kernels, files that are written and read back, and calls that sleep. */
export const channelSection: Section = async ({ repeats, folder }) => {
  const positions = randomPositions(positionsFor(FULL));
  const path = `${folder}/positions.bin`;
  await Deno.writeFile(path, new Uint8Array(positions.buffer));
  const failures: string[] = [];
  const rows = await reads(path, positions, repeats, failures);
  rows.push(await fileRow(folder, FULL, repeats), await sleepRow());
  return { rows, skipped: [], failures };
};

async function reads(
  path: string,
  positions: BigInt64Array,
  repeats: number,
  failures: string[],
): Promise<SectionRow[]> {
  await using context = createContext({ memory: "4MiB", workers: 1 });
  await using host = await startHost(context, { channels: 2, bufferLength: 2 ** 17, type: "int64" });
  const works = kernelWorks(host, path, FULL);
  await using limits = await limitsOf(path, FULL);
  const expected = expectedOf(positions, FULL);
  for (const { name, by, check } of works) {
    const [found, wanted] = [await check(), expected.get(name)];
    if (found !== wanted) failures.push(`${name}, ${by}: ${found}, not ${wanted}`);
  }
  for (let i = 0; i < repeats; i++) {
    for (const work of [...limits.limits, ...works]) await work.once();
  }
  return [...limits.limits, ...works].map((work) => work.row());
}

/** What each work must find, computed in memory. */
function expectedOf(positions: BigInt64Array, { walk, blocks, small }: Sizes): Map<string, bigint> {
  let position = 0n;
  for (let i = 0; i < walk; i++) position = positions[Number(position)]!;
  const sum = (count: number) => {
    let total = 0n;
    for (let i = 0; i < count; i++) total += positions[i]!;
    return BigInt.asIntN(64, total);
  };
  return new Map([
    [WORKS.walk, position],
    [WORKS.blocks, sum(blocks * 2 ** 20 / 8)],
    [WORKS.small, sum(small * 2)],
  ]);
}

/** Each bar, what was measured, and whether it is met. */
export function verdicts(rows: readonly SectionRow[]): { readonly met: boolean; readonly text: string }[] {
  return BARS.flatMap(({ name, by, seconds, total, share }) => {
    const row = rows.find((row) => row.name === name && row.by === by);
    const limit = rows.find((row) => row.name === name && row.by === "limit");
    if (!row) return [];
    const said = (met: boolean, found: string, bar: string) => ({
      met,
      text: `${name}, ${by}: ${found}, bar ${bar}`,
    });
    if (seconds !== undefined) {
      const each = row.min / Number(row.calls);
      return [said(each <= seconds, `${micro(each)} per call`, `at most ${micro(seconds)}`)];
    }
    if (total !== undefined) return [said(row.min <= total, `${row.min.toFixed(2)} s`, `at most ${total} s`)];
    if (!limit) return [];
    const part = limit.min / row.min;
    return [said(part >= share!, percent(part), `at least ${percent(share!)} of the limit`)];
  });
}

const micro = (seconds: number) => `${(seconds * 1e6).toFixed(2)} µs`;
const percent = (part: number) => `${Math.round(part * 100)} %`;

/** The same random positions in every run. */
function randomPositions(length: number): BigInt64Array<ArrayBuffer> {
  const positions = new BigInt64Array(length);
  const numbers = new Uint32Array(positions.buffer); // low halves come first
  let state = 1;
  for (let i = 0; i < length; i++) {
    state = Math.imul(state, 1664525) + 1013904223 | 0;
    numbers[2 * i] = Math.floor((state >>> 0) / 2 ** 32 * length);
  }
  return positions;
}

/** Any sequence of calls, in any mode, gives what `node:fs` gives, whichever way it takes; and what a plain array gives. */

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { MODE_NAMES, type ModeName } from "../../../src/channels/files/modes.ts";
import { memoryFiles } from "../../../src/channels/backends/stores.ts";
import type { HostOptions } from "../../../src/channels/host/options.ts";
import { type KernelSide, type Way, WAYS, withKernelSide } from "../kernel_side.ts";
import { cases } from "../../suite/cases.ts";

type Step = { act: "read" | "write" | "seek" | "truncate"; count: number; whence: number; offset: number };

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom("read", "read", "write", "write", "seek", "truncate"),
  count: fc.nat(10),
  whence: fc.nat(3),
  offset: fc.integer({ min: -4, max: 12 }),
});

/** Bytes that step `i` writes. */
function bytesOf(i: number, count: number, size: number): number[] {
  return Array.from({ length: count * size }, (_, k) => (16 * i + k) % 251);
}

/** What a call gave, and what is known of the file afterwards. */
interface Seen {
  readonly result: number | readonly number[];
  readonly status: string;
  readonly cursor: number;
  readonly size: number;
}

const FLAGS: Readonly<Record<ModeName, string>> = {
  read_only: "r",
  write_only: "w",
  append_only: "a",
  read_write: "r+",
  erase_read_write: "w+",
  append_read: "a+",
};

/** The calls as `node:fs` does them, at positions that are counted here. */
class Oracle {
  readonly #file: number;
  #cursor = 0;

  constructor(path: string, private readonly mode: ModeName, private readonly size: number) {
    this.#file = openSync(path, FLAGS[mode]);
  }

  step(step: Step, i: number): Seen {
    const [result, status] = this.#act(step, i);
    const bytes = fstatSync(this.#file).size;
    return {
      result,
      status,
      cursor: Math.floor(this.#cursor / this.size),
      size: Math.floor(bytes / this.size),
    };
  }

  #act({ act, count, whence, offset }: Step, i: number): [number | number[], string] {
    const { size } = this, empty = act === "read" ? [] : 0;
    const readable = /read/.test(this.mode), writable = this.mode !== "read_only";
    if (act === "read" && !readable || (act === "write" || act === "truncate") && !writable) {
      return [empty, "access"];
    }
    if (act === "truncate") return [(ftruncateSync(this.#file, count * size), 0), "ok"];
    const origin = [0, fstatSync(this.#file).size, this.#cursor][whence];
    if (origin === undefined || origin + offset * size < 0) return [empty, "invalid"];
    const place = origin + offset * size;
    if (act === "seek") return [Math.floor((this.#cursor = place) / size), "ok"];
    if (act === "read") return [this.#read(place, count), "ok"];
    return [this.#write(place, bytesOf(i, count, size)), "ok"];
  }

  #read(place: number, count: number): number[] {
    const bytes = new Uint8Array(count * this.size);
    const got = count === 0 ? 0 : readSync(this.#file, bytes, 0, bytes.length, place);
    const elements = Math.floor(got / this.size);
    this.#cursor = place + elements * this.size;
    return [...bytes.subarray(0, elements * this.size)];
  }

  #write(place: number, bytes: readonly number[]): number {
    const append = this.mode.startsWith("append");
    if (bytes.length > 0) {
      writeSync(this.#file, Uint8Array.from(bytes), 0, bytes.length, append ? null : place);
    }
    this.#cursor = append && bytes.length > 0 ? fstatSync(this.#file).size : place + bytes.length;
    return bytes.length / this.size;
  }

  close(): void {
    closeSync(this.#file);
  }
}

function ours(
  side: KernelSide,
  file: number,
  size: number,
  { act, count, whence, offset }: Step,
  i: number,
): Seen {
  const { fs } = side;
  const run = () => {
    if (act === "read") return side.readBytes(file, count, size, whence, offset);
    if (act === "write") return side.writeBytes(file, bytesOf(i, count, size), size, whence, offset);
    return act === "seek" ? fs.fs_seek(file, whence, offset) : fs.fs_truncate(file, count);
  };
  const found = run(), status = side.status();
  const result = typeof found === "number" ? Math.max(0, found) : found;
  return { result, status, cursor: fs.fs_seek(file, 2, 0), size: fs.fs_size(file) };
}

/** Sizes of elements that fit the buffer, and its guards. */
const SIZES: Readonly<Record<Way, readonly number[]>> = {
  "rpc": [1, 2, 3, 8],
  "direct": [1, 2, 3, 8],
  "chunk": [1, 2, 3],
  "pinned": [1, 2, 8],
  "direct pinned": [1, 2, 8],
  "group": [1, 2, 3, 8],
};

for (const way of WAYS) {
  Deno.test(`${way}: any sequence of calls in any mode agrees with node:fs`, () =>
    withKernelSide(way, (side, folder) => {
      const steps = fc.array(step, { maxLength: 10 });
      const start = fc.uint8Array({ maxLength: 40 });
      const mode = fc.constantFrom(...MODE_NAMES), size = fc.constantFrom(...SIZES[way]);
      const runs = fc.property(steps, start, mode, size, (steps, start, mode, size) => {
        const [mine, theirs] = [`${folder}/mine`, `${folder}/theirs`];
        for (const path of [mine, theirs]) Deno.writeFileSync(path, start);
        const oracle = new Oracle(theirs, mode, size), file = side.open(mode, mine, 0, size);
        for (const [i, step] of steps.entries()) {
          assertEquals(ours(side, file, size, step, i), oracle.step(step, i));
        }
        oracle.close();
        assertEquals(side.fs.fs_close(file), 0);
        assertEquals(Deno.readFileSync(mine), Deno.readFileSync(theirs));
      });
      fc.assert(runs, { numRuns: cases(40, 120), seed: 11 });
    }));
}

/** What a file of 16-bit elements does: the result of each step, and the file at the end. */
function model(steps: readonly Step[], start: readonly number[]) {
  let file = [...start], cursor = 0;
  const results = steps.map(({ act, count, whence, offset }, i) => {
    if (act === "truncate") {
      file = Array.from({ length: count }, (_, k) => file[k] ?? 0);
      return 0;
    }
    const place = ([0, file.length, cursor][whence] ?? NaN) + offset;
    if (!(place >= 0)) return act === "read" ? [] : 0;
    cursor = place;
    if (act === "seek") return cursor;
    if (act === "read") {
      const got = file.slice(place, place + count);
      cursor += got.length;
      return got;
    }
    const values = Array.from({ length: count }, (_, k) => 100 * i + k);
    if (count > 0) { while (file.length < place) file.push(0); }
    file.splice(place, count, ...values);
    cursor += count;
    return count;
  });
  return { results, file };
}

/** The steps on a file that was made, and is read in the end, by calls as well: any store has it. */
function real(side: KernelSide, path: string, steps: readonly Step[], start: readonly number[]) {
  const made = side.open("erase_read_write", path);
  side.write(made, start);
  side.fs.fs_close(made);
  const file = side.open("read_write", path);
  const results = steps.map(({ act, count, whence, offset }, i) => {
    if (act === "truncate") return side.fs.fs_truncate(file, count);
    if (act === "seek") return Math.max(0, side.fs.fs_seek(file, whence, offset));
    if (act === "read") return side.read(file, count, whence, offset);
    return side.write(file, Array.from({ length: count }, (_, k) => 100 * i + k), whence, offset);
  });
  side.fs.fs_close(file);
  return { results, file: whole(side, path) };
}

/** All elements of a file, a few at a time. */
function whole(side: KernelSide, path: string): number[] {
  const file = side.open("read_only", path), found: number[] = [];
  for (let some = side.read(file, 40); some.length > 0; some = side.read(file, 40)) found.push(...some);
  side.fs.fs_close(file);
  return found;
}

const USER = import.meta.resolve("../backends/user_files.ts");

/** Where files are: in the system, in memory, and in modules of users whose calls answer at once or late. */
const STORES: Readonly<Record<string, Pick<HostOptions, "backEnd">>> = {
  "system": {},
  "memory": { backEnd: memoryFiles({ bytes: "32KiB", names: 8 }) },
  "module": { backEnd: { module: USER, export: "mapFiles", shared: { late: false } } },
  "late module": { backEnd: { module: USER, export: "mapFiles", shared: { late: true } } },
};

for (const [store, options] of Object.entries(STORES)) {
  for (const way of WAYS) {
    if (store === "late module" && way.startsWith("direct")) continue; // a kernel cannot wait for promises
    Deno.test(`${store}, ${way}: any sequence of calls agrees with a plain array`, () =>
      withKernelSide(way, (side, folder) => {
        const steps = fc.array(step, { maxLength: 12 }), start = fc.array(fc.nat(65535), { maxLength: 8 });
        const path = store === "system" ? `${folder}/file` : "file";
        fc.assert(
          fc.property(steps, start, (steps, start) => {
            assertEquals(real(side, path, steps, start), model(steps, start));
          }),
          { numRuns: cases(20, 50), seed: 12 },
        );
      }, options));
  }
}

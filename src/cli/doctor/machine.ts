/**
 * The runtime and the machine: version, WebAssembly, memory, threads.
 *
 * @module
 */

import { open } from "../../formats/open.ts";
import { processors } from "../../portable.ts";
import { createContext } from "../../runner/context.ts";
import { formatBytes } from "../../space/size.ts";
import { builtin } from "../../udf/interface/udf_ref.ts";
import { udfPlan } from "../../udf/run/plan.ts";
import { reportOf } from "../flags/option_flags.ts";
import { isGranted } from "../shell/permissions.ts";
import { type Runtime, runtimeHere, system, tooOld } from "../shell/system.ts";
import { type Check, needed, optional } from "./check.ts";

/** Whether the runtime is new enough. */
export function runtimeCheck(runtime: Runtime = runtimeHere()): Check {
  const old = tooOld(runtime);
  return needed(
    "runtime",
    old === undefined,
    `${runtime.name} ${runtime.version} on ${placeHere()}`,
    old ?? "",
  );
}

/** A module whose only function adds two vectors: it is valid where WebAssembly has SIMD. */
const SIMD = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0], // magic number, version
  ...[1, 5, 1, 96, 0, 1, 123], // types: () → v128
  ...[3, 2, 1, 0], // functions
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11], // i8x16.splat(0), popcnt
);

/** Whether WebAssembly has SIMD: `knows` says whether it accepts a module. */
export function simdCheck(knows: (module: Uint8Array<ArrayBuffer>) => boolean = WebAssembly.validate): Check {
  const ok = knows(SIMD);
  return needed(
    "SIMD",
    ok,
    `WebAssembly ${ok ? "has" : "lacks"} SIMD`,
    "use a later version of this runtime",
  );
}

/** Whether threads share memory; without it they copy. */
export function sharedCheck(): Check {
  const ok = sharesMemory();
  return optional(
    "shared",
    ok,
    ok ? "threads share memory" : "threads cannot share memory: each copies what it reads",
    "use a later version of this runtime; there may be a limit on the addresses of a process (ulimit -v)",
  );
}

function sharesMemory(): boolean {
  try {
    const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true });
    return buffer instanceof SharedArrayBuffer;
  } catch {
    return false;
  }
}

/** The memory of the machine, where it may be known. */
export async function memoryCheck(): Promise<Check> {
  const usual = "a command holds at most 512 MiB in buffers unless --memory says another size";
  const { total, free } = await memoryHere();
  if (total === undefined) return optional("memory", true, `unknown, as Deno may not say; ${usual}`, "");
  const found = `${formatBytes(total)}${
    free === undefined ? "" : `, ${formatBytes(free)} of it free`
  }; ${usual}`;
  return optional(
    "memory",
    free === undefined || free > 2 ** 30,
    found,
    "give --memory 256MiB, or end other programs",
  );
}

async function memoryHere(): Promise<{ total?: number; free?: number }> {
  if (!isGranted({ name: "sys", kind: "systemMemoryInfo" })) return {};
  if ("Deno" in globalThis) {
    const { total, available } = Deno.systemMemoryInfo();
    return { total, free: available };
  }
  const { totalmem, freemem } = await import("node:os");
  return { total: totalmem(), free: freemem() };
}

/** The processors. */
export function coresCheck(): Check {
  const count = processors();
  return optional(
    "cores",
    true,
    `${count}, and as many workers up to 8, unless --workers says another number`,
    "",
  );
}

/** Sums frames with a known sum: modules and kernels as in every run. */
export async function kernelCheck(): Promise<Check> {
  const { ok, found } = await trial(0);
  return needed("kernels", ok, found, "download Tilewise again, or report this");
}

/** The same on a worker; without workers the calling thread computes. */
export async function workerCheck(): Promise<Check> {
  const { ok, found } = await trial(1);
  return optional("worker", ok, found, "until then one thread computes");
}

async function trial(workers: number): Promise<Pick<Check, "ok" | "found">> {
  const started = performance.now();
  try {
    const sum = await sumOn(workers);
    const seconds = (performance.now() - started) / 1000;
    const ok = sum === SUM;
    return {
      ok,
      found: ok ? `added up ${FRAMES} frames in ${seconds.toFixed(2)} s` : `counted ${sum} instead of ${SUM}`,
    };
  } catch (error) {
    return { ok: false, found: reportOf(error).message };
  }
}

const FRAMES = 64;
const SIDE = 16;
const SUM = FRAMES * SIDE * SIDE * 3;

async function sumOn(workers: number): Promise<number> {
  const data = new Uint16Array(FRAMES * SIDE * SIDE).fill(3);
  await using context = createContext({ memory: "16MiB", workers });
  const scan = await open({ data, shape: [FRAMES, SIDE, SIDE] });
  const plan = await udfPlan(scan, { sum: builtin("sum_frames") }, { context });
  const { sum } = await plan.run();
  return Array.from(sum!["intensity"]!.data as Float64Array).reduce((all, one) => all + one, 0);
}

/** The operating system, and what else decides which programs it runs. */
function placeHere(): string {
  return "Deno" in globalThis
    ? `${Deno.build.os}, ${Deno.build.arch}${Deno.build.standalone ? ", compiled into this program" : ""}`
    : `${system.platform}, ${globalThis.process.arch}`;
}

/**
 * What kernels do with files, in every runtime: the same compiled kernel walks through files of the platform, and through files in
 * memory by both routes.
 */

import { createContext } from "@tilewise/tilewise";
import { type HostOptions, launchKernel, memoryFiles, startHost } from "@tilewise/tilewise/channels";

/** Files of the platform. */
export interface PlatformFiles {
  /** How a host uses them. */
  readonly options: Pick<HostOptions, "roots" | "backEnd">;
  /** Makes a file in them. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** What is in a file of them. */
  get(name: string): Promise<Uint8Array>;
}

const WALKERS = 40, STEPS = 300, POSITIONS = 20_011;

/** Positions that lead through a file of 160 kB, the same everywhere. */
function positions(): BigInt64Array<ArrayBuffer> {
  return BigInt64Array.from(
    { length: POSITIONS },
    (_, i) => BigInt((Math.imul(i, 2654435761) >>> 8) % POSITIONS),
  );
}

/** The walk in memory: where each walker ends. */
function expected(): string {
  const all = positions();
  return Array.from({ length: WALKERS }, (_, w) => {
    let position = w * 7919 % POSITIONS;
    for (let s = 0; s < STEPS; s++) position = Number(all[position]!);
    return position;
  }).join();
}

/** Where the walkers of `wasm` end, by store and route; each must be where the walk in memory ends. */
export async function channels(wasm: Uint8Array, platform: PlatformFiles): Promise<Record<string, string>> {
  const start = new Uint8Array(positions().buffer);
  await platform.put("positions.bin", start);
  await platform.put("ends.bin", new Uint8Array(0));
  const files = await walk(wasm, "rpc", platform.options, () => platform.get("ends.bin"));
  const backEnd = memoryFiles({
    bytes: "512KiB",
    contents: { "positions.bin": start, "ends.bin": new Uint8Array(0) },
  });
  const memory = await walk(wasm, "rpc", { backEnd });
  const direct = await walk(wasm, "direct", { backEnd });
  for (const [name, ends] of Object.entries({ files, memory, direct })) {
    if (ends !== expected()) throw new Error(`${name}: walkers end at ${ends}, not ${expected()}`);
  }
  return { files, memory, direct };
}

async function walk(
  wasm: Uint8Array,
  route: "rpc" | "direct",
  options: PlatformFiles["options"],
  get?: () => Promise<Uint8Array>,
): Promise<string> {
  await using context = createContext({ memory: "2MiB", workers: 2 });
  let ends: Uint8Array;
  {
    await using host = await startHost(context, { channels: 2, bufferLength: 1, elementSize: 8, ...options });
    const args = ["positions.bin", "ends.bin", WALKERS, STEPS];
    const { status } = await launchKernel(host, { wasm, export: "walk" }, { groups: 2, route, args });
    if (status !== 0) throw new Error(`the kernel ended with the status ${status}`);
    ends = get ? new Uint8Array(0) : await host.readFile("ends.bin");
  }
  if (get) ends = await get();
  return new BigInt64Array(ends.slice().buffer).join();
}

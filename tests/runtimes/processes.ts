/**
 * Programs that are processes of their own.
 *
 * @module
 */

import { join } from "@std/path";
import { plainPrograms } from "./plain.ts";
import { type DataPaths, PROGRAMS, type Room } from "./room.ts";
import { toolPath } from "../../assembly/tools.ts";

/** Milliseconds that a program may take. */
const LIMIT = 120_000;

/** What a runtime has found. */
export interface Found {
  /** Digests of a run inline. */
  readonly inline: Readonly<Record<string, string>>;
  /** Digests of a run on 2 workers. */
  readonly workers: Readonly<Record<string, string>>;
  /** Digests of a run inline where there is no shared memory. */
  readonly unshared?: Readonly<Record<string, string>>;
  /** Digests of a run on 2 workers that share no memory. */
  readonly unsharedWorkers?: Readonly<Record<string, string>>;
  /** What came of accidents, where they can be made. */
  readonly control?: Readonly<Record<string, string>>;
  /** What kernels of the examples find in files, by what they do. */
  readonly channels?: Readonly<Record<string, string>>;
}

/** What Deno finds, by the modules of the checkout. */
export function byDeno(data: DataPaths): Promise<Found> {
  return program([Deno.execPath(), "run", "-A", "--no-check"], join(PROGRAMS, "program.ts"), data, "heaps");
}

/** What Deno finds, by the package. */
export function byDenoPackage({ folder, data }: Room): Promise<Found> {
  return program([Deno.execPath(), "run", "-A", "--no-check"], join(folder, "program.ts"), data, "heaps");
}

/** What Node finds, by the package. Older ones read no types: they run the programs as JavaScript. */
export async function byNode(room: Room, tool: "node" | "node22" | "node20"): Promise<Found> {
  const path = tool === "node"
    ? join(room.folder, "program.ts")
    : join(await plainPrograms(room), "program.js");
  return await program([await toolPath(tool)], path, room.data, "heaps");
}

/** What Bun finds, by the package; heaps of its threads have no limits. */
export async function byBun({ folder, data }: Room): Promise<Found> {
  return await program([await toolPath("bun")], join(folder, "program.ts"), data, "no limits");
}

async function program(
  command: readonly string[],
  path: string,
  data: DataPaths,
  heaps: string,
): Promise<Found> {
  const found: Found = JSON.parse(await output([...command, path, JSON.stringify(data), heaps]));
  return { ...found, channels: await channelsBy(command, path, data) };
}

/** What kernels find in files; the program lies beside `path`. */
async function channelsBy(
  command: readonly string[],
  path: string,
  { kernels }: DataPaths,
): Promise<Record<string, string>> {
  return JSON.parse(
    await output([...command, path.replace(/program\.(\w+)$/, "channels_program.$1"), kernels]),
  );
}

/** What a command prints. */
export async function output([path, ...args]: readonly string[], cwd?: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(path!, {
    args,
    ...(cwd === undefined ? {} : { cwd }),
    signal: AbortSignal.timeout(LIMIT),
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)) as [string, string];
  if (!success) throw new Error(`${path} failed:\n${out}${err}`);
  return out.trim();
}

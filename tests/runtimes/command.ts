/**
 * The command `tilewise`, as it is installed: what it prints and writes.
 *
 * @module
 */

import { fromFileUrl, join } from "@std/path";
import { output } from "./processes.ts";
import type { DataPaths, Room } from "./room.ts";
import { toolPath } from "./tools.ts";

const MAIN = fromFileUrl(new URL("../../src/cli/main.ts", import.meta.url));

/** Lines of JSON per command. */
export type Lines = Readonly<Record<string, string>>;

/** What the command prints where Deno runs it from the checkout, in a room. */
export function commandByDeno(room: Room): Promise<Lines> {
  return lines([Deno.execPath(), "run", "-A", "--no-check", MAIN], room);
}

/** What it prints where `runtime` runs it from the package. */
export async function commandBy(
  runtime: "node" | "node22" | "node20" | "bun",
  room: Room,
): Promise<Lines> {
  const command = [await toolPath(runtime), join(room.folder, "node_modules/.bin/tilewise")];
  return await lines(command, room, runtime === "node20" ? "./plain/own_udf.js" : OWN);
}

/** The UDF of a user; Node 20 reads no types. */
const OWN = "./own_udf.ts";

async function lines(command: readonly string[], { folder, data }: Room, own = OWN): Promise<Lines> {
  const found: Record<string, string> = {};
  for (const [name, words] of Object.entries(commandsOn(data, own))) {
    found[name] = await output([...command, ...words, "--json"], folder);
  }
  return found;
}

/** Words of commands; the plan of the first one tells of a buffer per worker. */
function commandsOn(
  { raw, filters }: DataPaths,
  own: string,
): Readonly<Record<string, readonly string[]>> {
  const scan = [raw, "--dtype", "uint16", "--nav", "64x64", "--sig", "32x32"];
  return {
    plan: ["run", "sum", ...scan, "--workers", "2", "--dry-run"],
    run: ["run", "sum", "stddev", `${own}:exponent=2`, ...scan, "--workers", "2", "-o", "out/"],
    results: ["stats", "--sha256", "out/sum.npy", "out/stddev-std.npy", "out/own_udf.npy"],
    stats: ["stats", "--sha256", filters, "--array", "/lzf"],
  };
}

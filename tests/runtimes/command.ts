/**
 * The command `tilewise`, as it is installed: what every verb prints and writes.
 *
 * @module
 */

import { fromFileUrl, join } from "@std/path";
import { HEADS } from "../../src/cli/shell/heads.ts";
import { plainPrograms } from "./plain.ts";
import { output } from "./processes.ts";
import { type DataPaths, PROGRAMS, type Room } from "./room.ts";
import { served, WITH_SERVERS } from "./served.ts";
import { toolPath } from "./tools.ts";

const MAIN = fromFileUrl(new URL("../../src/cli/main.ts", import.meta.url));

/** Lines of JSON per command. */
export type Lines = Readonly<Record<string, string>>;

/** What the command prints where Deno runs it from the checkout, in a room. */
export function commandByDeno(room: Room): Promise<Lines> {
  return lines([Deno.execPath(), "run", "-A", "--no-check", MAIN], room, "checkout");
}

/** What it prints where `runtime` runs it from the package. */
export async function commandBy(
  runtime: "node" | "node22" | "node20" | "bun",
  room: Room,
): Promise<Lines> {
  const command = [await toolPath(runtime), join(room.folder, "node_modules/.bin/tilewise")];
  return await lines(command, room, runtime);
}

/** Commands with numbers that the mathematics of the runtime or its compressors decide: only their form is compared. */
const IN_FORM = new Set(["demo", "radio", "predict", "image", "uvplot", "convert"]);

/** Runs all commands in a folder of their own, beside the modules of a user; Node 20 gets those without types. */
async function lines(command: readonly string[], room: Room, name: string): Promise<Lines> {
  const modules = name === "node20" ? await plainPrograms(room) : PROGRAMS;
  const folder = join(room.folder, `command-${name}`);
  await Deno.mkdir(folder);
  for (const { name } of Deno.readDirSync(modules)) {
    if (name.startsWith("own_")) await Deno.copyFile(join(modules, name), join(folder, name));
  }
  const found: Record<string, string> = {};
  for (const [name, words] of Object.entries(commandsOn(room.data, modules === PROGRAMS ? "ts" : "js"))) {
    const line = (await output([...command, ...words, "--json"], folder)).replaceAll(folder, ".");
    if (name === "doctor") continue; // says what this runtime has; it has failed if something is missing
    found[name] = IN_FORM.has(name) ? line.replaceAll(/-?\d+(\.\d+)?(e[-+]?\d+)?/g, "0") : line;
  }
  return { ...found, ...await served(command, scanOf(room.data), folder) };
}

/** The scan, as words. */
function scanOf({ raw }: DataPaths): readonly string[] {
  return [raw, "--dtype", "uint16", "--nav", "64x64", "--sig", "32x32"];
}

/** Words of commands, one after another; the plan of `plan` tells of a buffer per worker. `ending`: that of modules of a user. */
function commandsOn(data: DataPaths, ending: string): Readonly<Record<string, readonly string[]>> {
  const { filters } = data;
  const scan = scanOf(data);
  const own = [`./own_udf.${ending}:exponent=2`, `./own_kernel.${ending}:least=100`];
  const commands = {
    info: ["info", filters, "--array", "/lzf"],
    stats: ["stats", "--sha256", filters, "--array", "/lzf"],
    plan: ["run", "sum", ...scan, "--workers", "2", "--dry-run"],
    run: ["run", "sum", "stddev", ...own, ...scan, "--workers", "2", "-o", "out/"],
    results: [
      "stats",
      "--sha256",
      "out/sum.npy",
      "out/stddev-std.npy",
      "out/own_udf.npy",
      "out/own_kernel.npy",
    ],
    "run as it likes": ["run", ...own, ...scan, "-o", "own/"], // with as many workers as there are processors
    "replay a run": ["replay", "own/own_udf+own_kernel.run.json", "--allow-modules"],
    pick: ["pick", ...scan, "--at", "3,5", "-o", "frame.npy"],
    map: [
      "map",
      `./own_filter.${ending}#step:radius=1`,
      "./own_plane.as.ts:radius=1",
      "frame.npy",
      "-o",
      "steps.npy",
    ],
    replay: ["replay", "steps.run.json", "--allow-modules"],
    convert: ["convert", "frame.npy", "frame.ome.zarr"],
    converted: ["stats", "--sha256", "frame.ome.zarr"],
    shard: ["run", "sum", ...scan, "--store", "dir:parts", "--shard", "1/1"],
    merge: ["merge", "dir:parts", "-o", "merged.npy"],
    submit: ["submit", "slurm", "sum", ...scan, "--store", "dir:others", "-o", "sum.npy"],
    demo: ["demo", "-o", "demo"],
    radio: ["demo", "radio", "-o", "radio"],
    predict: ["predict", "radio/sky.csv", "radio/day.zarr", "-o", "model.zarr"],
    image: ["image", "radio/day.zarr", "-o", "day.fits", "--pixels", "64"],
    uvplot: ["uvplot", "radio/day.zarr", "-o", "uv.png"],
    new: ["new", "udf", "fresh", "--kernel"],
    doctor: ["doctor"],
    completions: ["completions", "bash"],
  };
  const verbs = new Set([...Object.values(commands).map(([verb]) => verb), ...WITH_SERVERS]);
  const missing = Object.keys(HEADS).filter((verb) => !verbs.has(verb));
  if (missing.length > 0) throw new Error(`no command runs ${missing.join(", ")}`);
  return commands;
}

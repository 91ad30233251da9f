/**
 * The command `tilewise`, as it is installed: what every verb prints and writes.
 *
 * @module
 */

import { join } from "@std/path";
import { HEADS } from "../../src/cli/shell/heads.ts";
import { plainPrograms } from "./plain.ts";
import { output } from "./processes.ts";
import { type DataPaths, PROGRAMS, type Room } from "./room.ts";
import { served, WITH_SERVERS } from "./served.ts";
import { toolPath } from "../../assembly/tools.ts";

/** Lines of JSON per command. */
export type Lines = Readonly<Record<string, string>>;

/** What is a process of its own, started as users start it; all other commands run in one process, which takes a third of the time. */
const ALONE = ["run", "results", "demo", "doctor"];

/** What the command prints where Deno runs it from the checkout, in a room: the reference. */
export async function commandByDeno(room: Room): Promise<Lines> {
  const deno = [Deno.execPath(), "run", "-A", "--no-check"];
  const { folder, commands } = await homeOf("checkout", room, PROGRAMS);
  return inForm(await together([...deno, join(PROGRAMS, "commands.ts")], commands, folder), folder);
}

/** What it prints where `runtime` runs it from the package. Node 20 gets modules without types. */
export async function commandBy(
  runtime: "node" | "node22" | "node20" | "bun",
  room: Room,
): Promise<Lines> {
  const path = await toolPath(runtime);
  const isPlain = runtime === "node20";
  const modules = isPlain ? await plainPrograms(room) : PROGRAMS;
  const program = isPlain ? join(modules, "commands.js") : join(room.folder, "commands.ts");
  const { folder, commands } = await homeOf(runtime, room, modules);
  const command = [path, join(room.folder, "node_modules/.bin/tilewise")];
  const alone: Record<string, string> = {};
  for (const name of ALONE) alone[name] = await output([...command, ...commands[name]!], folder);
  const others = Object.entries(commands).filter(([name]) => !ALONE.includes(name));
  const lines = { ...alone, ...await together([path, program], Object.fromEntries(others), folder) };
  await served(command, analysesOn(room.data, isPlain ? "js" : "ts"), folder);
  return inForm(lines, folder);
}

type Commands = Readonly<Record<string, readonly string[]>>;

/** A folder for commands, beside the modules of a user; and the commands. */
async function homeOf(
  name: string,
  room: Room,
  modules: string,
): Promise<{ folder: string; commands: Commands }> {
  const folder = join(room.folder, `command-${name}`);
  await Deno.mkdir(folder);
  for (const { name } of Deno.readDirSync(modules)) {
    if (name.startsWith("own_")) await Deno.copyFile(join(modules, name), join(folder, name));
  }
  return { folder, commands: commandsOn(room.data, modules === PROGRAMS ? "ts" : "js") };
}

/** What commands print that `program` runs, one after another. */
async function together(program: readonly string[], commands: Commands, folder: string): Promise<Lines> {
  return JSON.parse(await output([...program, JSON.stringify(commands)], folder));
}

/** Commands with numbers that the mathematics of the runtime or its compressors decide: only their form is compared. */
const IN_FORM = new Set(["demo", "radio", "predict", "image", "uvplot", "convert"]);

/** What can be compared: `doctor` says what this runtime has, and has failed if something is missing. */
function inForm(lines: Lines, folder: string): Lines {
  const rows = Object.entries(lines).filter(([name]) => name !== "doctor").map(([name, text]) => {
    const line = text.replaceAll(folder, ".");
    return [name, IN_FORM.has(name) ? line.replaceAll(/-?\d+(\.\d+)?(e[-+]?\d+)?/g, "0") : line];
  });
  return Object.fromEntries(rows);
}

/** The scan, as words. */
function scanOf({ raw }: DataPaths): readonly string[] {
  return [raw, "--dtype", "uint16", "--nav", "64x64", "--sig", "32x32"];
}

/** What `run` computes, as words. `ending`: that of modules of a user. */
function analysesOn(data: DataPaths, ending: string): readonly string[] {
  return [
    "sum",
    "stddev",
    `./own_udf.${ending}:exponent=2`,
    `./own_kernel.${ending}:least=100`,
    ...scanOf(data),
  ];
}

/** Words of commands, one after another; the plan of `plan` tells of a buffer per worker. */
function commandsOn(data: DataPaths, ending: string): Commands {
  const { filters } = data;
  const scan = scanOf(data);
  const own = [`./own_udf.${ending}:exponent=2`, `./own_kernel.${ending}:least=100`];
  const commands = {
    info: ["info", filters, "--array", "/lzf"],
    stats: ["stats", "--sha256", filters, "--array", "/lzf"],
    plan: ["run", "sum", ...scan, "--workers", "2", "--dry-run"],
    run: ["run", ...analysesOn(data, ending), "--workers", "2", "-o", "out/"],
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
    demo: ["demo", "--scan", "24x24", "--side", "64", "-o", "demo"],
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
  return Object.fromEntries(Object.entries(commands).map(([name, words]) => [name, [...words, "--json"]]));
}

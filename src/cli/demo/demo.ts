/**
 * `tilewise demo`: makes a scan with a known answer, computes it through the ordinary path, compares, and shows it.
 *
 * @module
 */

import { CONTEXT_FLAGS } from "../flags/run_flags.ts";
import { wantsPictures } from "../flags/look.ts";
import { HEADS } from "../shell/heads.ts";
import { join } from "node:path";
import { throwIfAborted } from "../../errors.ts";
import { open } from "../../formats/open.ts";
import { stemOf } from "../../io/file/names.ts";
import { writeFilesAtomic } from "../../io/write/write.ts";
import { rowTarget } from "../../sinks/rows/registry.ts";
import { besideRows, RowStream } from "../../sinks/rows/stream.ts";
import { terminalPicture } from "../../pictures/terminal.ts";
import { parseShape, sizeOf } from "../../space/shape.ts";
import { formatBytes, parseBytes } from "../../space/size.ts";
import type { Results } from "../../udf/interface/buffer_types.ts";
import type { Context } from "../../runner/context.ts";
import { builtin } from "../../udf/interface/udf_ref.ts";
import { udfPlan } from "../../udf/run/plan.ts";
import type { PartialResults, Progress } from "../../udf/plan/plan_facts.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { type Check, checkDemo } from "./demo_check.ts";
import { checkCrystal, crystalStrain } from "./demo_crystal.ts";
import { demoPictures, sideBySide } from "./demo_pictures.ts";
import { refuseForeign } from "./demo_folder.ts";
import { DemoScan } from "../../samples/scan.ts";
import { type CliIo, outJson, outTable } from "../shell/io.ts";
import { prepareOutputs } from "../outputs/outputs.ts";
import { doneText, ProgressBar } from "../shell/progress.ts";
import { contextOf, threadsFor, workersAsked } from "../shell/threads.ts";
import type { Verb } from "../shell/verb.ts";

/** Prints a line. */
type Say = (name: string, value: string) => unknown;

/** Files of the series. */
const FILES = 4;

/** The verb. */
export const DEMO: Verb = {
  ...HEADS.demo,
  least: 0,
  most: 1,
  flags: [
    {
      name: "output",
      short: "o",
      value: "FOLDER",
      help: "where the scan and the pictures go; default demo-output",
    },
    { name: "scan", value: "AxB", help: "scan positions; default 64x64" },
    { name: "side", value: "N", help: "pixels of a frame along both sides; default 128" },
    { name: "seed", value: "N", help: "seed of the noise; default 1" },
    ...CONTEXT_FLAGS,
  ],
  words: { radio: "an observation instead of a scan" },
  notes: [
    "A wedge of crystal with three charges in it: they deflect the beam, so that the centre of mass of the direct disk",
    "shows their field; the wedge swaps electrons between the direct and the Bragg disks, so that the ring detector",
    "shows stripes. Deflections, counts in the ring and the sum of all frames are known and are compared. So are strain",
    "and rotation of a second crystal, which is stretched from left to right and turned from top to bottom.",
    "",
    "With radio: an array of antennas observes a few points. Their visibilities with noise are written as a Measurement Set",
    "of version 4, imaged, and the brightest pixels become sources that are fitted until nothing but noise is left. What",
    "was found is compared with what was simulated. The default folder is demo-radio; it takes -o, --seed, --workers, --memory.",
  ],
  examples: [
    ["tilewise demo", "64 × 64 frames of 128 × 128 pixels: 128 MiB in demo-output/."],
    ["tilewise demo --scan 128x128 -o big", "Four times as much."],
    ["tilewise demo radio", "An observation of four sources, imaged and fitted: 3 MiB in demo-radio/."],
  ],
  writes: () => true,
  run: demonstrate,
};

async function demonstrate(args: Arguments, io: CliIo): Promise<number> {
  if (args.positionals.length > 0) return await demonstrateRadio(args, io);
  const folder = args.text("output") ?? "demo-output";
  const quiet = args.has("quiet") || args.has("json");
  const scan = new DemoScan(specOf(args));
  const say = (name: string, value: string) => quiet || outTable(io, [[name.padEnd(9), value]]);
  const path = join(folder, "scan.mib");
  await refuseForeign(folder);
  await prepareOutputs([path], args);

  const written = await writeScan(scan, path, io.signal);
  const { files, frames, bytes, seconds } = written;
  say(
    "scan",
    `${frames} frames in ${files.length} MIB files, ${formatBytes(bytes)}, drawn in ${seconds.toFixed(2)} s`,
  );

  await using context = contextOf(args, threadsFor(args, io, bytes));
  const { results, progress } = await analyse(files[0]!, scan, context, args, io);
  say("computed", `sum, ring detector, centre of mass: ${doneText(progress)}`);
  const strain = await crystalStrain(scan.spec.seed, context, io.signal);
  const checks = [...checkDemo(results, scan), ...checkCrystal(strain)];
  for (const { name, text, ok } of checks) say(name, `${text}  ${ok ? "✓" : "✗ WRONG"}`);

  const pictures = await demoPictures(results, strain, scan, folder, wantsPictures(args));
  if (!quiet) {
    const columns = Math.min(io.columns, 100);
    io.out("\n" + terminalPicture(sideBySide(pictures.shown), { columns, colour: io.colour }) + "\n\n");
    say("pictures", "field (hue: direction), counts in the ring, sum of all frames");
    say("files", pictures.files.join(" "));
    next(join(folder, "scan.hdr"), scan, folder, say);
  }
  const ok = checks.every((check) => check.ok);
  if (args.has("json")) {
    outJson(io, {
      ok,
      ...jsonOf(checks),
      seconds: progress.seconds,
      bytesPerSecond: progress.bytesPerSecond,
      files: pictures.files,
    });
  }
  if (!ok) io.err("tilewise: the result is not what was simulated\n");
  return ok ? 0 : 1;
}

/** Three commands on what the demo has made. */
function next(source: string, { geometry: { centre, inner } }: DemoScan, folder: string, say: Say): void {
  const centred = `${centre},${centre},${inner}`;
  say("next", `tilewise info ${source}`);
  say("", `tilewise run sum com:${centred} ${source} -o ${join(folder, "own")}/`);
  say("", `tilewise view ${source}`);
}

/** The demo of another field; the only one has the name radio. */
async function demonstrateRadio(args: Arguments, io: CliIo): Promise<number> {
  const [name] = args.positionals;
  if (name !== "radio") throw new UsageError(`there is no demo "${name}"; write demo, or demo radio`);
  const unused = ["scan", "side"].find((flag) => args.has(flag));
  if (unused) throw new UsageError(`demo radio: --${unused} is for the demo of a scan`);
  workersAsked(args); // refused before anything is written
  args.value("memory", parseBytes);
  const { demoRadio } = await import("../radio/demo_radio.ts");
  return await demoRadio(args, io);
}

function jsonOf(checks: readonly Check[]): Record<string, unknown> {
  return { checks: checks.map(({ name, found, bound, ok }) => ({ name, found, bound, ok })) };
}

function specOf(args: Arguments) {
  workersAsked(args); // refused before anything is written
  const scan = args.value("scan", parseShape) ?? [64, 64];
  const side = args.count("side", 64) ?? 128;
  if (scan.length !== 2 || scan.some((n) => n < 1)) {
    throw new UsageError("--scan needs two sizes, such as 64x64");
  }
  if (side % 8 !== 0 || side > 1024) throw new UsageError("--side needs a multiple of 8 from 64 to 1024");
  return { scan: [scan[0]!, scan[1]!] as const, side, seed: args.count("seed", 1) ?? 1 };
}

/** Draws the frames and writes them as a MIB series, a quarter of them per file. */
async function writeScan(scan: DemoScan, path: string, signal: AbortSignal) {
  const { scan: nav, side } = scan.spec, each = Math.ceil(nav[0] / FILES) * nav[1];
  const started = performance.now();
  const frames = { nav, sig: [side, side], dtype: "uint16", stem: "scan" } as const;
  const layout = (await rowTarget("mib")).layout(frames);
  const stream = new RowStream(layout, frames), drawn = untilAborted(scan.frames(), signal);
  const content = function* (count: number) {
    for (let n = 0; n < count; n++) yield* stream.put(new Uint8Array(drawn.next().value!.buffer));
  };
  const all = sizeOf(nav),
    names = Array.from(
      { length: Math.ceil(all / each) },
      (_, i) => `${stemOf(path)}_${String(i).padStart(3, "0")}.mib`,
    );
  const series = names.map((path, i) => ({ path, content: () => content(Math.min(each, all - i * each)) }));
  const sizes = await writeFilesAtomic([...series, ...besideRows(layout, path)]);
  const bytes = sizes.slice(0, names.length).reduce((sum, size) => sum + size, 0);
  return { files: names, frames: all, bytes, seconds: (performance.now() - started) / 1000 };
}

function* untilAborted<T>(items: Iterable<T>, signal: AbortSignal): Generator<T> {
  for (const item of items) {
    throwIfAborted(signal);
    yield item;
  }
}

/** Sum, ring and centre of mass in one pass over the files. */
async function analyse(
  path: string,
  scan: DemoScan,
  context: Context,
  args: Arguments,
  io: CliIo,
): Promise<{ results: Results; progress: Progress }> {
  const dataset = await open(path);
  const { centre, inner, ring: [ri, ro] } = scan.geometry;
  const centred = { cy: centre, cx: centre };
  const plan = await udfPlan(dataset, {
    sum: builtin("sum_frames"),
    ring: builtin("annular_detector", { ...centred, ri, ro }),
    com: builtin("centre_of_mass", { ...centred, r: inner }),
  }, { context });
  const bar = new ProgressBar(io, "demo", args.has("quiet"));
  let last: PartialResults | undefined;
  try {
    for await (last of plan.run({ signal: io.signal })) bar.update(last.progress);
  } finally {
    bar.clear();
  }
  return { results: last!.results, progress: last!.progress };
}

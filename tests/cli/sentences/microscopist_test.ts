/**
 * A microscopist's sentence: `run bf com FILES --each -o out/ --as hspy` over files of four formats gives maps with names, in the
 * unit of the scan, and shifts in that of the detector, a file of signals for each; HyperSpy says so too where there is a Python
 * with it.
 */

import "../../fences/mod.ts";
import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { open } from "../../../src/formats/open.ts";
import { createContext } from "../../../src/runner/context.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { fileSink } from "../../../src/views/sinks/registry.ts";
import { DESCRIBED, describedArray } from "../../sinks/described.ts";
import { python, READ_TARGETS } from "../../sinks/python.ts";
import { FOLDER } from "../../formats/conformance/samples.ts";
import { cli, withFolder } from "../harness.ts";

const { error: missing } = await python("-c", "import hyperspy.api");

/** What a source says: names of the scan, its unit and steps, the unit of the detector. */
interface Said {
  readonly path: string;
  readonly names: readonly string[];
  readonly unit: string;
  readonly steps: readonly number[];
  readonly detector: string;
}

/** Files of other programs, where they are. */
const FOUND: readonly Said[] = [
  { path: "dm/4d_stem_uint16_c_order.dm4", names: ["y", "x"], unit: "nm", steps: [4, 3], detector: "1/nm" },
  { path: "blo/test1.blo", names: ["y", "x"], unit: "nm", steps: [12.8, 12.8], detector: "cm" },
  { path: "emd/Si100_4D.emd", names: ["R_x", "R_y"], unit: "nm", steps: [0.5, 0.5], detector: "1/nm" },
  {
    path: "emd/py4DSTEM_size2x3x4x5.h5",
    names: ["Rx", "Ry"],
    unit: "nm",
    steps: [0.126796875, 0.126796875],
    detector: "1/A",
  },
].map((one) => ({ ...one, path: fromFileUrl(new URL(one.path, FOLDER)) }));

/** Files of four formats of our own, with angles. */
async function written(folder: string): Promise<Said[]> {
  await using context = createContext({ workers: 0 });
  const scan = DESCRIBED["a scan of diffraction patterns"]!;
  const axes = scan.axes.map((axis) => axis.kind === "detector" ? { ...axis, unit: "mrad" } : axis);
  const said: Said[] = [];
  for (const [n, ending] of [".hspy", ".zspy", ".nxs", ".emd"].entries()) {
    const path = `${folder}/scan${n}${ending}`;
    await mapViews(await describedArray({ ...scan, axes }, "uint16"), copySamples(), {
      sink: fileSink(path),
      context,
    });
    said.push({ path, names: ["y", "x"], unit: "nm", steps: [0.5, 0.25], detector: "mrad" });
  }
  return said;
}

/** Name of a source without folder and ending. */
const stemOf = (path: string) => path.replace(/^.*\//, "").replace(/\.\w+$/, "");

/** Results that are images, and vectors, with the unit of their samples. */
const MAPS = ["bf", "com-field_y", "com-field_x", "com-magnitude"], VECTORS = ["com-field", "com-calibrated"];

async function check(sources: readonly Said[], folder: string): Promise<void> {
  const out = `${folder}/out/`;
  const told = await cli([
    "run",
    "bf",
    "com",
    ...sources.map(({ path }) => path),
    "--each",
    "-o",
    out,
    "--as",
    "hspy",
    "-q",
  ]);
  assertEquals(told.code, 0, told.err);
  const all = sources.flatMap((said) =>
    [...MAPS, ...VECTORS].map((result) => ({
      said,
      result,
      path: `${out}${stemOf(said.path)}.hspy`,
    }))
  );
  for (const { said, result, path } of all) {
    const { axes, values } = await open(path, { array: `Experiments/${result}/data` });
    assertEquals(
      axes.slice(0, 2).map(({ name, unit, scale }) => ({ name, unit, scale })),
      said.names.map((name, d) => ({ name, unit: said.unit, scale: said.steps[d]! })),
      path,
    );
    if (result === "com-calibrated") assertEquals(values.unit, said.detector, path);
    else if (result.startsWith("com")) assertEquals(values.unit, "px", path);
  }
  if (missing !== "") return;
  const { out: lines, error } = await python(
    READ_TARGETS,
    ...all.map(({ path, result }) => `${path}#${result}`),
  );
  assertEquals(error, "");
  const read = lines.trim().split("\n").filter((line) => line.startsWith("{")).map((line) =>
    JSON.parse(line)
  );
  for (const [i, { said, result, path }] of all.entries()) {
    const { axes, title } = read[i];
    const isVector = VECTORS.includes(result);
    const found = axes.slice(0, 2).map((one: Record<string, unknown>) => [one.name, one.units, one.navigate]);
    assertEquals(found, said.names.map((axis) => [axis, said.unit, isVector]), path);
    assertEquals(title, result);
    const steps = axes.slice(0, 2).map(({ values: [a, b] }: { values: number[] }) => b! - a!);
    assertEquals(steps.map((n: number) => n.toFixed(6)), said.steps.map((n) => n.toFixed(6)), path);
  }
}

Deno.test("files of four formats become maps in nm and shifts in mrad", () =>
  withFolder(async (folder) => check(await written(folder), folder)));

Deno.test({
  name: "files of four formats of other programs become maps in their units",
  ignore: FOUND.some(({ path }) => !exists(path)),
  fn: () => withFolder((folder) => check(FOUND, folder)),
});

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

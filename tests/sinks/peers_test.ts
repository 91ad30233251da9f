/**
 * HyperSpy opens `.hspy` and `.zspy`, emdfile `.emd`, nexusformat `.nxs` and astropy `.fits`, with values, names, scales, units and navigation,
 * where there is a Python with them (PYTHON=…, or python3).
 */

import "../fences/mod.ts";
import { assertEquals } from "@std/assert";
import { createContext } from "../../src/runner/context.ts";
import { FITS_TYPES } from "../../src/sinks/fits/head.ts";
import { type DType, DTYPES } from "../../src/space/dtype.ts";
import { mapViews } from "../../src/views/map/map_views.ts";
import { copySamples } from "../../src/views/operations/copy_samples.ts";
import { fileSink } from "../../src/views/sinks/registry.ts";
import { withFolder } from "../cli/harness.ts";
import { counted, DESCRIBED, type Described, describedArray } from "./described.ts";
import { python, READ_TARGETS } from "./python.ts";

const { error: missing } = await python("-c", "import hyperspy.api, emdfile, nexusformat, astropy");

/** What a package says of an axis, in our words. */
interface Found {
  readonly name: string;
  readonly size: number;
  readonly navigate?: boolean;
  readonly units: string;
  readonly values: readonly number[];
  /** What HyperSpy calls the signal, whichever axis it is. */
  readonly signal?: string;
}

function compareAxes({ axes, shape, nav }: Described, found: readonly Found[], path: string): void {
  const signal = axes.at(-1)!.signal ?? "";
  for (const one of found) assertEquals(one.signal ?? signal, signal, path);
  for (const [d, axis] of axes.entries()) {
    const { name, scale = 1, offset = 0, unit, positions } = axis;
    const one = found[d]!;
    assertEquals([one.name, one.size], [name!, shape[d]!], path);
    const isFits = path.endsWith("fits");
    const unset = path.endsWith("emd") ? "pixels" : /nxs$|fits$/.test(path) ? "" : "<undefined>";
    if (isFits && (positions || axis.scale === undefined)) continue; // it has even steps, or none
    const spelled = isFits ? unit?.replace("µ", "u").replace(/^1\/(.*)/, "$1-1") : unit;
    assertEquals(one.units, spelled ?? unset, path);
    const values = positions ?? Array.from({ length: shape[d]! }, (_, i) => offset + scale * i);
    assertEquals(one.values.map((v) => v.toFixed(9)), values.map((v) => v.toFixed(9)), path);
    if (one.navigate !== undefined) assertEquals(one.navigate, d < nav, path);
  }
}

for (const ending of ["hspy", "zspy", "emd", "nxs", "fits"]) {
  Deno.test({
    name: `the packages of others read .${ending}: samples of every type, and axes`,
    ignore: missing !== "",
    fn: () =>
      withFolder(async (folder) => {
        await using context = createContext({ workers: 0 });
        const written: [path: string, described: Described, dtype: DType][] = [];
        for (const [n, described] of Object.values(DESCRIBED).entries()) {
          const types = ending === "fits" ? FITS_TYPES : DTYPES;
          for (const dtype of n === 0 ? types : ["uint16" as const]) {
            const path = `${folder}/${n} ${dtype}.${ending}`;
            const array = await describedArray(described, dtype);
            await mapViews(array, copySamples(), { sink: fileSink(path), context });
            written.push([path, described, dtype]);
          }
        }
        const { out, error } = await python(READ_TARGETS, ...written.map(([path]) => path));
        assertEquals(error, "");
        const lines = out.trim().split("\n").filter((line) => line.startsWith("{"));
        assertEquals(lines.length, written.length);
        for (const [i, [path, described, dtype]] of written.entries()) {
          const found = JSON.parse(lines[i]!);
          const isBytes = dtype === "bool" && ending === "fits";
          assertEquals([found.dtype, found.shape], [isBytes ? "uint8" : dtype, described.shape]);
          const samples = Array.from(counted(dtype, described.shape) as ArrayLike<number | bigint>);
          const times4 = samples.map((v) =>
            typeof v === "bigint" ? String(4n * v) : String(Math.trunc(4 * v))
          );
          assertEquals(found.data, times4, path);
          compareAxes(described, found.axes, path);
        }
      }),
  });
}

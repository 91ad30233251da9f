/**
 * Cases of microscopy of cells from other programs' trackers whose commands compute or write something: what is in the file is what
 * SciPy, scikit-image, NumPy, bioformats or OME-Zarr's specification say. Those that read a TIFF file or a Zarr store are beside these
 * formats; the LSM file of more than 4 GiB is in `tests/formats/tiff/dialects_test.ts`.
 *
 * @module
 */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { cli, withFolder } from "../../cli/harness.ts";
import { sha256 } from "../read_all.ts";
import { type ReportCase, reportCases, reportPath } from "./reports.ts";

/** What the command wrote, and what it said. */
interface Done {
  readonly path: string;
  readonly lines: readonly Record<string, unknown>[];
  readonly expected: ReportCase["expected"];
}

async function samplesOf(path: string, level = 0) {
  const dataset = await open(path, { level }), { shape, dtype } = dataset;
  return { shape, dtype, data: (await readBox(dataset, wholeBox(shape))).data };
}

/** The metadata of the group of a pyramid. */
async function omeOf(path: string) {
  return JSON.parse(await Deno.readTextFile(`${path}/zarr.json`)).attributes.ome;
}

const CHECKS: Readonly<Record<string, (done: Done) => void | Promise<void>>> = {
  image: async ({ path, expected }) => {
    const { shape, dtype, data } = await samplesOf(path);
    const digest = sha256(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    assertEquals([shape, dtype, digest], [expected["shape"], expected["dtype"], expected["sha256"]]);
  },
  label_levels: async ({ path, expected }) => {
    const [whole, half] = await Promise.all([0, 1].map((level) => samplesOf(path, level)));
    const labels = new Set<unknown>(whole!.data);
    assertEquals(labels.size, expected["labels"] as number + 1); // with that of the background
    assertEquals([...half!.data].filter((label) => !labels.has(label)), []);
  },
  table: ({ lines, expected }) => {
    const columns = lines.find((line) => "columns" in line)!["columns"] as Record<string, unknown[]>;
    assertEquals(columns["label"]!.map(String), expected["label"]);
    assertEquals(columns["area"], expected["area"]);
  },
  close: async ({ path, expected }) => {
    const found = await samplesOf(path), right = await samplesOf(reportPath(`bio/${expected["file"]}`));
    assertEquals(found.shape, right.shape);
    const far = [...found.data].filter((value, i) => {
      const wanted = Number(right.data[i]);
      return !(Math.abs(Number(value) - wanted) <= (expected["rtol"] as number) * Math.abs(wanted));
    });
    assertEquals(far, []);
  },
  threshold: ({ lines, expected }) => {
    const [low, high] = expected["between"] as [number, number];
    const threshold = lines.find((line) => "threshold" in line)?.["threshold"] as number;
    assert(threshold >= low && threshold <= high, `${threshold}`);
  },
  omero: async ({ path, expected }) => {
    const { omero } = await omeOf(path);
    assertEquals(omero.channels.map(({ label }: { label: string }) => label), expected["labels"]);
  },
  ct: async ({ path, expected }) => {
    const { level = 0, unit, scale, translation } = expected as unknown as Record<string, number>;
    const [{ axes, datasets }] = (await omeOf(path)).multiscales;
    if (unit !== undefined) {
      assertEquals(axes.slice(-2).map((axis: { unit?: string }) => axis.unit), [unit, unit]);
    }
    const { coordinateTransformations: steps } = datasets[level];
    assertEquals(steps.map(({ scale, translation }: Record<string, number[]>) => scale ?? translation), [
      scale,
      translation,
    ]);
  },
};

/** Cases that other tests have: files of one format that are read, or written as they are. */
const ELSEWHERE = /^(pick|stats|info|convert \S+ OUT\.ome\.tif)\b/;

for (const one of reportCases("bio").filter(({ command }) => !ELSEWHERE.test(command))) {
  const { id, command, expected } = one;
  Deno.test(`report: ${id}`, () =>
    withFolder(async (folder) => {
      const out = command.split(" ").find((word) => word.startsWith("OUT")), path = `${folder}/${out}`;
      const words = command.split(" ").map((word) =>
        word === out ? path : word.startsWith("in/") ? reportPath(`bio/${word}`) : word
      );
      const { code, err, json } = await cli([...words, "-q"]);
      assertEquals(code, 0, err);
      const check = CHECKS[expected.check];
      assert(check, `nothing checks "${expected.check}"`);
      await check({ path, lines: command.includes("--json") ? json() : [], expected });
    }));
}

/** FRMS6: unfolded frames with every binning, the dark frame as array and as correction, runs, and damage. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { visiblePositions } from "../../../src/dataset/sync.ts";
import { isTilewiseError } from "../../../src/errors.ts";
import { openAllStored as openAll, openStored as open } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { centreOfMass } from "../../../src/udf/builtin/centre_of_mass.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { createContext } from "../../../src/runner/context.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { share } from "../../suite/cases.ts";
import { frms6Dark, frms6Files, frms6Frame, type Frms6Init, frms6List } from "./frms6_data.ts";
import { ascii, failure, join } from "../helpers.ts";

const SERIES: Frms6Init = { files: [3, 5, 4, 3], scan: "4x3", bin: 2 };

async function values(dataset: StoredDataset): Promise<number[]> {
  return [...(await readBox(dataset, wholeBox(dataset.shape))).data as Float32Array];
}

for (const bin of [1, 2, 4]) {
  for (const counted of [true, false]) {
    Deno.test(`frames with binning ${bin}, ${counted ? "counted in headers" : "counted by size"}`, async () => {
      const init = { ...SERIES, bin, counted };
      const [signal, dark] = await openAll(frms6List(frms6Files(init)));
      assertEquals([signal!.shape, signal!.dtype], [[3, 4, 8 * bin, 5], "uint16"]);
      const frames = Array.from({ length: 12 }, (_, image) => frms6Frame(image, init));
      assertEquals(await values(signal!), frames.flat());
      assertEquals([dark!.shape, dark!.dtype, dark!.array], [[8 * bin, 5], "float32", "dark"]);
      assertEquals(await values(dark!), frms6Dark(init));
    });
  }
}

Deno.test("any of the files opens all; the dark frame needs no warning", async () => {
  const list = frms6List(frms6Files(SERIES));
  for (const first of list) {
    const dataset = await open([first, ...list.filter((file) => file !== first)]);
    const extra = dataset.warnings.length; // 12 of 12 frames are promised
    assertEquals([dataset.array, dataset.images, extra], ["signal", 12, 0]);
  }
});

Deno.test("one frame of a scan is not mistaken for the dark frame", async () => {
  const dataset = await open(frms6List(frms6Files({ files: [2, 1] })));
  assertEquals([dataset.array, dataset.shape], ["signal", [1, 1, 8, 5]]);
});

/** Sum and centres of mass of what is selected, from the samples. */
function plain(dataset: StoredDataset, roi: Uint8Array, dark: number[]) {
  const sum = dark.map(() => 0);
  const centres = new Map<number, [number, number]>();
  const { start, stop } = visiblePositions(dataset);
  for (let n = start; n < stop; n++) {
    if (!roi[n]) continue;
    const frame = frms6Frame(n + dataset.syncOffset, SERIES).map((v, p) => Math.fround(v - dark[p]!));
    frame.forEach((v, p) => sum[p]! += v);
    const total = frame.reduce((a, b) => a + b);
    const y = frame.reduce((a, v, p) => a + v * Math.floor(p / 5), 0) / total;
    centres.set(n, [y, frame.reduce((a, v, p) => a + v * (p % 5), 0) / total]);
  }
  return { sum, centres };
}

const cases: [number, PlanOptions["corrections"] | undefined, number][] = [
  [0, undefined, 0],
  [2, undefined, 1],
  [-3, undefined, 0],
  [2, "none", 0],
  [-3, "none", 1],
];
for (const [syncOffset, corrections, workers] of cases) {
  Deno.test(`sum and centre of mass, sync offset ${syncOffset}, corrections ${corrections ?? "of the data"}`, async () => {
    const dataset = await open(frms6List(frms6Files(SERIES)), { syncOffset });
    const mask = Uint8Array.from({ length: 12 }, (_, i) => i % 4 === 1 ? 0 : 1);
    const dark = frms6Dark(SERIES).map((v) => corrections === "none" ? 0 : v);
    const { sum, centres } = plain(dataset, mask, dark);
    await using context = createContext({ memory: 2 ** 25, workers });
    const planned = await plan(dataset, { sum: sumFrames(), com: centreOfMass() }, {
      context,
      roi: ndarray(mask, [3, 4], "bool"),
      ...(corrections ? { corrections } : {}),
    });
    assertEquals(planned.explain().includes("the mean of 3"), corrections === undefined);
    const results = await run(planned);
    const found = [...results.sum!["intensity"]!.data as Float64Array];
    found.forEach((value, p) => assert(Math.abs(value - sum[p]!) < 1e-2, `${p}: ${value}, ${sum[p]}`));
    const raw = results.com!["raw_com"]!;
    for (const [n, [y, x]] of centres) {
      assert(
        Math.abs(Number(raw.data[2 * n]) - y) < 1e-4 && Math.abs(Number(raw.data[2 * n + 1]) - x) < 1e-4,
      );
    }
  });
}

Deno.test("frames that the text promises and no file has are missed", async () => {
  const files = frms6Files(SERIES);
  files.delete("run_002.frms6"); // so that _003 is not found either
  const error = await failure(open(frms6List(files)), "truncated");
  assertEquals([error.details.expected, error.details.found], [12, 5]);
  const dataset = await open(frms6List(files), { allowTruncated: true });
  assert(dataset.images === 5 && dataset.warnings.some((text) => text.includes("12 frames")));
});

Deno.test("missing files are named", async () => {
  for (const name of ["run.hdr", "run_000.frms6", "run_001.frms6"]) {
    const files = frms6Files(SERIES);
    files.delete(name);
    const error = await failure(open(frms6List(files)), "not-found");
    assert(error.message.includes(name), error.message);
  }
});

Deno.test("without dark frames nothing is corrected", async () => {
  const found = await openAll(frms6List(frms6Files({ files: [0, 2] })));
  assertEquals([found.length, found[0]!.corrections], [1, undefined]);
});

Deno.test("texts that say something else are refused, and said why", async () => {
  const files = frms6Files(SERIES);
  const text = new TextDecoder().decode(files.get("run.hdr"));
  for (
    const [from, to, code] of [
      ["bin: 2", "bin: 3", "unsupported"],
      ["bin: 2", "bin two", "malformed"],
      ["readoutMode", "readMode", "malformed"],
      ["measurementInfo", "other", "malformed"],
    ] as const
  ) {
    files.set("run.hdr", join(ascii(text.replace(from, to))));
    await failure(open(frms6List(files)), code);
  }
});

Deno.test("files of different frames do not belong together", async () => {
  const files = frms6Files(SERIES);
  files.set("run_002.frms6", frms6Files({ ...SERIES, rows: 3 }).get("run_002.frms6")!);
  assert((await failure(open(frms6List(files)), "malformed")).message.includes("run_002.frms6"));
});

Deno.test("each file cut at 200 places is refused, or fewer frames are read when asked for", async () => {
  const files = frms6Files(SERIES);
  for (const [name, bytes] of files) {
    for (let i = 0; i < 200; i++) {
      const cut = new Map(files).set(name, bytes.slice(0, Math.floor(i * bytes.length / 200)));
      const found = await open(frms6List(cut)).catch((error) => error);
      if (name.endsWith("frms6")) assert(isTilewiseError(found), `${name} ${i}: ${found}`);
      if (isTilewiseError(found)) assert(found.code !== "corrupt", `${name} ${i}: ${found}`);
      else if (found instanceof Error) throw found;
    }
  }
});

Deno.test("a changed byte in a header is an error, or is read otherwise", async () => {
  const files = frms6Files(SERIES);
  for (const name of ["run.hdr", "run_000.frms6", "run_001.frms6"]) {
    const bytes = files.get(name)!;
    for (
      let at = 0;
      at < Math.min(bytes.length, 1100);
      at += name.endsWith("hdr") || at < 100 || at > 1015 ? 1 : 50
    ) {
      for (const flip of share([1, 255], 2, at)) {
        const damaged = bytes.slice();
        damaged[at]! ^= flip;
        const found = await open(frms6List(new Map(files).set(name, damaged))).catch((error) => error);
        if (isTilewiseError(found)) assert(found.code !== "corrupt", `${name} ${at}: ${found}`);
        else if (found instanceof Error) throw found;
        else if (found.byteLength < 2 ** 16) await values(found);
      }
    }
  }
});

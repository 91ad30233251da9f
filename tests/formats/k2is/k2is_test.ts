/** K2IS: synchronisation of the sectors, samples of every part, runs, and what is missing or damaged. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { visiblePositions } from "../../../src/dataset/sync.ts";
import { isTilewiseError } from "../../../src/errors.ts";
import { type OpenOptions, openStored as open } from "../../../src/formats/open.ts";
import { type Box, box } from "../../../src/space/box.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { unravel } from "../../../src/space/shape.ts";
import { centreOfMass } from "../../../src/udf/builtin/centre_of_mass.ts";
import { sumFrames } from "../../../src/udf/builtin/sum_frames.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { failure } from "../helpers.ts";
import { k2Files, k2Frame, type K2Init, k2List, k2Sample } from "./k2is_data.ts";

const DESYNCHRONISED: K2Init = {
  images: 5,
  lead: [3, 3, 4, 2, 3, 5, 0, 31],
  tail: [0, 4, 31, 7, 0, 1, 2, 3],
  junk: [0, 0, 17, 0, 22359, 0, 0, 1],
  scan: [2, 2],
  exposed: 2,
};
const files = k2Files(DESYNCHRONISED);
const list = k2List(files);

const opened = (options: OpenOptions = {}) => open(list, options);

Deno.test("sectors that begin and end at different blocks are synchronised", async () => {
  const dataset = await opened();
  assertEquals(dataset.shape, [2, 2, 1860, 2048]);
  assertEquals([dataset.images, dataset.syncOffset, dataset.dtype], [5, 1, "uint16"]);
  assertEquals(dataset.warnings, []);
  assertEquals(dataset.metadata["firstExposed"], 2);
});

Deno.test("sectors that all begin inside a frame lose that frame", async () => {
  const lead = [3, 3, 4, 2, 3, 5, 3, 3];
  const dataset = await open(k2List(k2Files({ images: 1, lead, scan: [1, 1], exposed: 0 })));
  assertEquals([dataset.images, dataset.syncOffset], [1, 0]);
  assertEquals(await samples(dataset, box([0, 5, 0], [1, 1, 9])), expected(0, 5, 0, 1, 9));
});

function expected(image: number, y: number, x: number, rows: number, columns: number): number[] {
  return Array.from(
    { length: rows * columns },
    (_, i) => k2Sample(image, y + Math.floor(i / columns), x + i % columns),
  );
}

async function samples(dataset: StoredDataset, part: Box): Promise<number[]> {
  const whole = part.shape.length - 3;
  const nav = dataset.navShape.length - 1 - whole;
  const shown = box([...Array(nav).fill(0), ...part.origin], [...Array(nav).fill(1), ...part.shape]);
  return [...(await readBox(dataset, shown)).data as Uint16Array];
}

Deno.test("every part of a frame has the samples that were packed", async () => {
  const dataset = await opened({ nav: [5], syncOffset: 0 });
  const place = fc.record({
    image: fc.nat(4),
    y: fc.nat(1859),
    x: fc.nat(2047),
    rows: fc.nat(70),
    columns: fc.nat(300),
  });
  const ends = [{ image: 4, y: 860, x: 0, rows: 139, columns: 2047 }, {
    image: 0,
    y: 1859,
    x: 2047,
    rows: 0,
    columns: 0,
  }];
  for (const { image, y, x, rows, columns } of [...fc.sample(place, { seed: 3, numRuns: 25 }), ...ends]) {
    const [h, w] = [Math.min(rows + 1, 1860 - y), Math.min(columns + 1, 2048 - x)];
    assertEquals(await samples(dataset, box([image, y, x], [1, h, w])), expected(image, y, x, h, w));
  }
});

Deno.test("frames of another shape have the same samples", async () => {
  const dataset = await opened({ nav: [5], syncOffset: 0, sig: [3720, 1024] });
  const found = await samples(dataset, box([2, 1861, 100], [1, 4, 50]));
  const flat = (i: number) => (1861 + Math.floor(i / 50)) * 1024 + 100 + i % 50;
  assertEquals(found, found.map((_, i) => k2Sample(2, Math.floor(flat(i) / 2048), flat(i) % 2048)));
});

/** What sum and centre of mass must give, from the samples themselves. */
function plain(dataset: StoredDataset, roi: Uint8Array) {
  const sum = new Float64Array(1860 * 2048);
  const centres = new Map<number, [number, number]>();
  const { start, stop } = visiblePositions(dataset);
  for (let n = start; n < stop; n++) {
    if (!roi[n]) continue;
    const frame = k2Frame(n + dataset.syncOffset);
    let [total, ys, xs] = [0, 0, 0];
    frame.forEach((value, i) => {
      sum[i]! += value;
      total += value;
      ys += value * Math.floor(i / 2048);
      xs += value * (i % 2048);
    });
    centres.set(n, [ys / total, xs / total]);
  }
  return { sum, centres };
}

for (const [syncOffset, workers] of [[2, 0], [-1, 1]] as const) {
  Deno.test(`sum and centre of mass with sync offset ${syncOffset} on ${workers} workers`, async () => {
    const dataset = await opened({ syncOffset });
    const mask = Uint8Array.of(0, 1, 1, 1);
    const { sum, centres } = plain(dataset, mask);
    await using context = createContext({ memory: 256 * 2 ** 20, workers });
    const udfs = { sum: sumFrames(), com: centreOfMass() };
    const planned = await plan(dataset, udfs, { context, roi: ndarray(mask, [2, 2], "bool") });
    const results = await run(planned);
    assertEquals(Float64Array.from(results.sum!["intensity"]!.data as Float64Array), sum);
    const raw = results.com!["raw_com"]!;
    for (const [n, [y, x]] of centres) {
      const found = [Number(raw.data[2 * n]), Number(raw.data[2 * n + 1])];
      assert(
        Math.abs(found[0]! - y) < 1e-3 && Math.abs(found[1]! - x) < 1e-3,
        `${unravel(n, [2, 2])}: ${found}, ${y}, ${x}`,
      );
    }
  });
}

Deno.test("without tags of a scan, or without tags at all, it is a time series", async () => {
  const series = k2Files({ images: 2, exposed: 1 });
  const found = await open(k2List(series));
  assertEquals([found.navShape, found.syncOffset, found.warnings], [[1], 1, []]);
  series.delete("scan_.gtg");
  const alone = await open(k2List(series));
  assertEquals([alone.navShape, alone.warnings.length], [[1], 1]);
});

Deno.test("a shutter that is open from the first frame leaves the first position blank", async () => {
  const dataset = await open(k2List(k2Files({ images: 2, scan: [1, 3], exposed: 0 })));
  assertEquals([dataset.syncOffset, dataset.warnings.length], [-1, 1]);
});

Deno.test("a shutter that never opens is said", async () => {
  const dataset = await open(k2List(k2Files({ images: 1, scan: [1, 1], exposed: 9 })));
  assertEquals(dataset.syncOffset, 0);
  assert(dataset.warnings[0]!.includes("shutter"));
});

Deno.test("flyback is part of the scan, and its size without is told", async () => {
  const dataset = await open(k2List(k2Files({ images: 1, scan: [1, 1], withoutFlyback: [3, 2] })));
  assertEquals(dataset.metadata["navWithoutFlyback"], [3, 2]);
  assert(dataset.detection.why.some((why) => why.includes("3 × 2 without")));
});

Deno.test("a missing sector is named", async () => {
  const error = await failure(open(list.filter(({ name }) => name !== "scan_5.bin")), "not-found");
  assert(error.message.includes("scan_5.bin") && error.details.found === 7, error.message);
});

Deno.test("a block that was lost is found when opening; what lies before can be read", async () => {
  const lost = k2List(
    k2Files({
      images: 3,
      scan: [1, 3],
      block: (s, i, p) => s === 4 && i === 1 && p === 9 ? null : undefined,
    }),
  );
  const error = await failure(open(lost), "malformed");
  assert(error.message.includes("scan_5.bin") && error.message.includes("allowTruncated"), error.message);
  assertEquals(error.details.offset, (32 + 9) * 22360);
  assertEquals(error.details.expected, 1224 + 41);
  const dataset = await open(lost, { allowTruncated: true, syncOffset: 0 });
  assertEquals([dataset.images, dataset.warnings.length], [1, 2]);
});

for (
  const [what, change] of [
    ["another number", (header) => header.setUint32(16, 7)],
    ["no sync word", (header) => header.setUint32(0, 0)],
    ["another place", (header) => header.setUint16(28, 0)],
    ["another frame", (header) => header.setUint32(24, 1)],
  ] as [string, (header: DataView) => void][]
) {
  Deno.test(`a block with ${what} inside the data is an error when its frame is read`, async () => {
    const block = (s: number, i: number, p: number, header: DataView) => {
      if (s === 2 && i === 1 && p === 20) change(header);
    };
    const dataset = await open(k2List(k2Files({ images: 3, scan: [1, 3], block })), { syncOffset: 0 });
    assertEquals(await samples(dataset, box([1, 0, 600], [1, 2, 2])), expected(1, 0, 600, 2, 2)); // the other half
    const error = await failure(samples(dataset, box([1, 1000, 0], [1, 2, 2])), "malformed");
    assertEquals([error.details["image"], error.details["block"], error.details.offset], [1, 20, 52 * 22360]);
    assert(error.message.includes("scan_3.bin"), error.message);
    assertEquals(await samples(dataset, box([2, 1000, 0], [1, 2, 2])), expected(2, 1000, 0, 2, 2));
  });
}

Deno.test("a sector that is cut at 200 places is refused, or has fewer frames", async () => {
  const bytes = files.get("scan_3.bin")!;
  for (let i = 0; i < 200; i++) {
    const cut = new File([bytes.subarray(0, Math.floor(i * bytes.length / 200))], "scan_3.bin");
    const found = await open(list.map((file) => file.name === cut.name ? cut : file)).catch((error) => error);
    if (isTilewiseError(found)) assert(found.code !== "corrupt", `${i}: ${found}`);
    else {assertEquals(
        found.images,
        Math.min(5, Math.floor(((cut.size - 17) / 22360 - 4) / 32)),
        `cut number ${i}`,
      );}
  }
});

Deno.test("a changed byte in the tags or in a header is an error, or is read otherwise", async () => {
  for (const [name, length] of [["scan_.gtg", files.get("scan_.gtg")!.length], ["scan_2.bin", 40]] as const) {
    for (let at = 0; at < length; at++) {
      const bytes = files.get(name)!.slice();
      bytes[at]! ^= [1, 128, 255][at % 3]!;
      const changed = list.map((file) => file.name === name ? new File([bytes], name) : file);
      const found = await open(changed).catch((error) => error);
      if (isTilewiseError(found)) assert(found.code !== "corrupt", `${name} ${at}: ${found}`);
      else if (found instanceof Error) throw found;
    }
  }
});

Deno.test("files with other contents are not taken for sectors", async () => {
  const noise = new Uint8Array(50_000).fill(0xff);
  assertEquals((await failure(open(new File([noise], "a1.bin")), "unknown-format")).details.file, "a1.bin");
  await failure(open(new File([noise], "a.gtg")), "unknown-format");
});

import { StoredDataset } from "../../../src/dataset/dataset.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { RoiInput } from "../../../src/dataset/roi/roi.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import { defined } from "../../../src/options.ts";
import { bytesOf } from "../../../src/space/bytes.ts";
import { DTYPES, zeros } from "../../../src/space/dtype.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { type Context, createContext } from "../../../src/runner/context.ts";
import { exportDataset, exportPlan, planExport } from "../../../src/udf/run/export_dataset.ts";
import { pickFrames } from "../../../src/udf/builtin/pick_frames.ts";
import type { PlanOptions } from "../../../src/udf/plan/plan.ts";
import { udfPlan as plan } from "../../../src/udf/run/plan.ts";
import { run } from "../../../src/run.ts";
import { both } from "../both.ts";
import { counts, memoryScan, numbers, type ScanOptions } from "../data.ts";

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "tilewise-" });
  try {
    await work(folder);
    assertEquals([...Deno.readDirSync(folder)].filter(({ name }) => name.endsWith(".part")), []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** All samples of a file, in order. */
async function samplesOf(path: string, context: Context, options: PlanOptions = {}) {
  const dataset = await open(path);
  const { all } = await run(await plan(dataset, { all: pickFrames() }, { ...options, context }));
  return { dataset, samples: all!.intensity!.data };
}

const [NAV, SIG] = [[5, 7], [12, 10]] as const;
const VALUES = counts(35 * 120, 3, 100);

both("every sample type and byte order comes back", async (context) => {
  await withFolder(async (folder) => {
    for (const dtype of DTYPES) {
      const values = dtype === "bool" ? VALUES.map((v) => v > 0 ? 1 : 0) : VALUES;
      const units = dtype.startsWith("complex") ? 2 : 1;
      const sig = [12, 10 / units];
      for (const options of [{}, { order: "big", frameHeaderBytes: 3 }] as ScanOptions[]) {
        const path = `${folder}/${dtype}.npy`;
        const done = await exportDataset(memoryScan(values, NAV, sig, dtype, options), path, { context });
        const bytes = (await Deno.stat(path)).size;
        assertEquals(done, {
          path,
          files: [path],
          shape: [...NAV, ...sig],
          dtype,
          bytes,
          blank: 0,
          warnings: [],
        });
        const { dataset, samples } = await samplesOf(path, context);
        assertEquals([dataset.shape, dataset.dtype], [[...NAV, ...sig], dtype]);
        assertEquals(numbers(samples), [...values], dtype);
      }
    }
  });
});

both("a region of interest gives the selected frames in scan order", async (context) => {
  await withFolder(async (folder) => {
    const scan = memoryScan(VALUES, NAV, SIG, "uint16", { syncOffset: -2 });
    const roi = [[4, 6], [0, 1], [2, 3], [0, 2]];
    const done = await exportDataset(scan, `${folder}/part.npy`, { context, roi });
    assertEquals([done.shape, done.blank], [[4, 12, 10], 1]);
    const { samples } = await samplesOf(done.path, context);
    const frame = (n: number) => n < 0 ? new Array(120).fill(0) : [...VALUES.slice(120 * n, 120 * (n + 1))];
    assertEquals(numbers(samples), [-1, 0, 15, 32].flatMap(frame));
  });
});

both("ranges give a smaller scan, whose axes begin where they do", async (context) => {
  await withFolder(async (folder) => {
    const axes = [...["y", "x"].map((name) => ({ name, scale: 0.5, unit: "nm" })), {}, {}];
    const data = Uint16Array.from({ length: 6 * 7 * 4 }, (_, i) => i);
    const scan = await open({ data, shape: [6, 7, 2, 2], axes });
    const path = `${folder}/part.hspy`;
    const done = await exportDataset(scan, path, { context, roi: { range: "1:6:2,3:6" } });
    assertEquals(done.shape, [3, 3, 2, 2]);
    const { dataset, samples } = await samplesOf(path, context);
    const expected = [1, 3, 5].flatMap((y) =>
      [3, 4, 5].flatMap((x) => [0, 1, 2, 3].map((i) => 4 * (7 * y + x) + i))
    );
    assertEquals(numbers(samples), expected);
    const [y, x] = dataset.axes;
    assertEquals([y!.scale, y!.offset, x!.scale, x!.offset, x!.unit], [1, 0.5, 0.5, 1.5, "nm"]);
    const valid = Uint8Array.from({ length: 42 }, (_, i) => i === 10 ? 0 : 1); // 1, 3
    const some = await open({ ...ndarray(data, [6, 7, 2, 2], "uint16"), axes, valid });
    const list = await exportDataset(some, path, { context, roi: { range: "1:6:2,3:6" } });
    assertEquals(list.shape, [8, 2, 2]); // with a frame that is left out it is none
    assertEquals(numbers((await samplesOf(path, context)).samples), expected.slice(4));
  });
});

Deno.test("a planned export is written again, but not twice at the same time", async () => {
  await withFolder(async (folder) => {
    await using context = createContext({ workers: 0 });
    const planned = await planExport(memoryScan(VALUES, NAV, SIG, "uint16"), `${folder}/a.npy`, { context });
    const [first, second] = await Promise.allSettled([planned.run(), planned.run()]);
    assertEquals([first.status, second.status], ["fulfilled", "rejected"]);
    assertStringIncludes(String((second as PromiseRejectedResult).reason), "await the run of this plan");
    for (let n = 0; n < 2; n++) {
      const { samples } = await samplesOf(`${folder}/a.npy`, context);
      assertEquals(numbers(samples), [...VALUES]);
      await planned.run();
    }
  });
});

Deno.test("samples are written as corrected", async () => {
  await withFolder(async (folder) => {
    await using context = createContext({ workers: 0, memory: 16 * 2 ** 20 });
    const dark = ndarray(new Float32Array(120).fill(1), SIG, "float32");
    const corrections = { dark, excluded: [[3, 4]] };
    const scan = memoryScan(VALUES, NAV, SIG, "uint16");
    const done = await exportDataset(scan, `${folder}/c.npy`, { context, corrections });
    const { all } = await run(await plan(scan, { all: pickFrames() }, { context, corrections }));
    assertEquals(done.dtype, all!.intensity!.dtype);
    assertEquals((await samplesOf(done.path, context)).samples, all!.intensity!.data);
    const gaps = new StoredDataset({ ...scan, values: { kind: "amount", missing: 9 } });
    for (
      const [options, lost] of [[{}, undefined], [
        { corrections },
        "which samples are missing, as they are corrected, too",
      ]] as const
    ) {
      const path = `${folder}/${Object.keys(options).length}.fits`;
      const { losses } = await exportDataset(gaps, path, { context, ...options });
      assertEquals([losses, (await open(path)).values.missing], [lost, lost ? undefined : 9]);
    }
  });
});

Deno.test("more data than memory, cut within frames", async () => {
  await withFolder(async (folder) => {
    const [frames, sig] = [24, [1024, 1024]];
    const path = `${folder}/large.raw`;
    const raw = new Uint16Array(frames * 2 ** 20);
    for (let i = 0; i < raw.length; i++) raw[i] = Math.imul(i, 40503) >> 7;
    await Deno.writeFile(path, new Uint8Array(raw.buffer));
    const digest = async (bytes: Uint8Array<ArrayBuffer>) =>
      new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
    const expected = await digest(new Uint8Array(raw.buffer));
    const scan = await open(path, { format: "raw", dtype: "uint16", nav: [4, 6], sig });
    for (const workers of [0, 2]) {
      await using context = createContext({ workers, memory: 6 * 2 ** 20 });
      const seen: number[] = [];
      const { bytes } = await exportDataset(scan, `${folder}/large.npy`, {
        context,
        onProgress: ({ frames }) => seen.push(frames),
      });
      assert(bytes > 8 * context.memory);
      assertEquals(seen.at(-1), frames);
      const file = await Deno.readFile(`${folder}/large.npy`);
      assertEquals(await digest(file.subarray(128)), expected, `${workers} workers`);
    }
  });
});

both("what fails or is cancelled leaves the old file, and no part of the new one", async (context) => {
  await withFolder(async (folder) => {
    const path = `${folder}/a.npy`;
    const old = Uint8Array.of(1, 2, 3);
    const keeps = async (work: () => Promise<unknown>, code: string) => {
      await Deno.writeFile(path, old);
      const error = await assertRejects(work, TilewiseError);
      assertEquals(error.code, code, error.message);
      await context.settled();
      assertEquals(await Deno.readFile(path), old);
      assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), ["a.npy", "short.raw"]);
    };
    const short = `${folder}/short.raw`;
    await Deno.writeFile(short, new Uint8Array(35 * 120));
    const scan = await open(short, { format: "raw", dtype: "uint8", nav: [...NAV], sig: [...SIG] });
    await keeps(() => exportDataset(scan, path, { context, signal: AbortSignal.abort() }), "aborted");
    const stop = new AbortController();
    const onProgress = () => stop.abort();
    const late = exportDataset(scan, path, { context, signal: stop.signal, onProgress });
    await late.catch(() => {}); // the cancel may come too late to matter; then the file is whole
    if ((await Deno.stat(path)).size === 3) await keeps(() => late, "aborted");
    await Deno.truncate(short, 1000);
    await keeps(() => exportDataset(scan, path, { context }), "changed");
  });
});

Deno.test("targets that cannot be right are refused before anything is read", async () => {
  await withFolder(async (folder) => {
    await using context = createContext({ workers: 0, memory: 16 * 2 ** 20 });
    const scan = memoryScan(VALUES, NAV, SIG, "uint8");
    const fails = async (path: string, code: string, from = scan) => {
      const error = await assertRejects(() => exportDataset(from, path, { context }), TilewiseError);
      assertEquals(error.code, code, error.message);
      assert(error.message.includes(path), error.message);
    };
    await fails(`${folder}/a.jpg`, "unsupported");
    await fails(`${folder}/absent/a.npy`, "not-found");
    const { path } = await exportDataset(scan, `${folder}/a.npy`, { context });
    await Deno.symlink(path, `${folder}/b.npy`);
    await fails(`${folder}/b.npy`, "invalid", await open(path));
    await fails(path, "invalid", await open(path));
  });
});

both("frames of a TIFF stack are pages of their type, with its shape", async (context) => {
  await withFolder(async (folder) => {
    for (const dtype of ["uint8", "int16", "float32"] as const) {
      const path = `${folder}/${dtype}.tif`;
      const done = await exportDataset(memoryScan(VALUES, NAV, SIG, dtype), path, { context });
      assertEquals([done.bytes, done.dtype], [(await Deno.stat(path)).size, dtype]);
      const { dataset, samples } = await samplesOf(path, context);
      assertEquals([dataset.shape, dataset.dtype], [[...NAV, ...SIG], dtype]);
      assertEquals(numbers(samples), [...VALUES], dtype);
      const stored = new Uint8Array(await Deno.readFile(path));
      const last = zeros(dtype, 120);
      last.set(VALUES.slice(-120));
      const plain = new Uint8Array(last.buffer);
      assertEquals(stored.slice(-plain.length), plain); // the last frame ends the file
    }
  });
});

// Who sees the samples of an export.

const LATE = memoryScan(VALUES, NAV, SIG, "uint16", { syncOffset: -2 });

both("samples are seen in their order, as they are in memory, whatever the file", async (context) => {
  await withFolder(async (folder) => {
    for (const roi of [undefined, [[4, 6], [0, 1], [2, 3], [0, 2]] as RoiInput]) {
      for (const ending of ["npy", "mib", "fits", "tif", "hspy"]) {
        const path = `${folder}/made.${ending}`, seen: number[] = [];
        const see = (bytes: Uint8Array) => void seen.push(...bytes);
        const { shape } = await (await exportPlan(LATE, path, { context, see, ...defined({ roi }) })).run();
        const { all } = await run(await plan(await open(path), { all: pickFrames() }, { context }));
        assertEquals(seen, [...bytesOf(all!.intensity!.data)], `${ending} of ${shape}`);
        assertEquals(seen.slice(0, 240), new Array(240).fill(0), "a frame that the data set does not have");
      }
    }
  });
});

Deno.test("samples are seen before those of later partitions are written", async () => {
  await withFolder(async (folder) => {
    await using context = createContext({ workers: 0 });
    const frames = 320, sig = [256, 256], size = frames * 2 ** 16;
    const scan = memoryScan(new Uint8Array(size).fill(7), [frames], sig, "uint8");
    let seen = 0, last: number | undefined;
    const see = (bytes: Uint8Array) => {
      last ??= Deno.readFileSync(part()).at(-1)!;
      seen += bytes.length;
    };
    const part = () =>
      `${folder}/${[...Deno.readDirSync(folder)].find(({ name }) => name.endsWith(".part"))!.name}`;
    const planned = await exportPlan(scan, `${folder}/made.raw`, { context, see });
    await planned.run();
    assertEquals([seen, last], [size, 0]);
    assertEquals((await Deno.readFile(`${folder}/made.raw`)).at(-1), 7);
  });
});

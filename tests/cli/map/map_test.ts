/** `tilewise map`: filters of the command line are the operations of the library, in one pass, into any file. */

import { fileSink } from "../../../src/views/sinks/registry.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { FILTERS } from "../../../src/analyses/filters/table.ts";
import { StoredDataset } from "../../../src/dataset/dataset.ts";
import { open } from "../../../src/formats/open.ts";
import { createContext } from "../../../src/runner/context.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { gaussian } from "../../../src/views/operations/filters/gaussian.ts";
import { localMaximum } from "../../../src/views/operations/local_extremes.ts";
import type { ViewOperation } from "../../../src/views/operations/operation.ts";
import { threshold } from "../../../src/views/operations/threshold.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";

const SHAPE = [40, 60];

/** An image of 40 × 60 samples of uint16 in a file. */
async function withImage(body: (file: string, folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const data = Uint16Array.from({ length: 2400 }, (_, i) => (i * 7919 + 13) % 251);
    await writeNpy(`${folder}/image.npy`, "<u2", SHAPE, new Uint8Array(data.buffer));
    await body(`${folder}/image.npy`, folder);
  });
}

async function digestOf(file: string): Promise<unknown[]> {
  const [row] = (await cli(["stats", file, "--sha256", "--json"])).json();
  return [row!.shape, row!.dtype, row!.sha256];
}

/** The digest of the result of the library. */
async function expected(
  file: string,
  folder: string,
  steps: readonly ViewOperation[],
  options: object,
): Promise<unknown[]> {
  await using context = createContext({ workers: 0 });
  const { data, shape, dtype } = await mapViews(await open(file), steps as readonly [ViewOperation], {
    ...options,
    context,
  });
  const descr = dtype === "bool" ? "|b1" : dtype === "float32" ? "<f4" : "<u2";
  await writeNpy(
    `${folder}/expected.npy`,
    descr,
    [...shape],
    new Uint8Array(data.buffer.slice(0) as ArrayBuffer),
  );
  return await digestOf(`${folder}/expected.npy`);
}

Deno.test("map chains filters in one pass, with the border that was asked for", async () => {
  await withImage(async (file, folder) => {
    const out = `${folder}/new/edges.npy`;
    const words = ["gaussian:sigma=1.5", "maximum:radius=0x2", "threshold:value=120"];
    const flags = ["--border", "reflect", "--tile", "16x32", "--workers", "2", "--traversal", "spiral"];
    const { code, out: said, err } = await cli(["map", ...words, file, "-o", out, ...flags]);
    const beside = `  picture   ${folder}/new/edges.png\n  manifest  ${folder}/new/edges.run.json\n`;
    assertEquals([code, said], [0, `${out}  40 × 60 bool, 2.5 KiB\n${beside}`], err);
    assertStringIncludes(err, "6 tiles, 4.7 KiB in");
    const steps = [gaussian({ sigma: 1.5 }), localMaximum({ radius: [0, 2] }), threshold({ value: 120 })];
    assertEquals(await digestOf(out), await expected(file, folder, steps, { border: "reflect" }));
  });
});

Deno.test("map: --radius is that of filters that were given none, --fill that of the border", async () => {
  await withImage(async (file, folder) => {
    const out = `${folder}/max.npy`;
    const border = ["--radius", "3x1", "--border", "constant,edge", "--fill", "300"];
    const flags = [...border, "--json", "--quiet", "--no-manifest", "--no-picture"];
    const { code, json, err } = await cli(["map", "maximum", "maximum:radius=1", file, "-o", out, ...flags]);
    assertEquals([code, err], [0, ""]);
    const filter = "localMaximum → localMaximum";
    const meant = { axes: [{ name: "ky" }, { name: "kx" }], values: { kind: "amount" } };
    const facts = { filter, shape: SHAPE, dtype: "uint16", bytes: 4928, ...meant };
    assertEquals(json(), [{ source: file, file: out, files: [out], ...facts }]);
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), ["image.npy", "max.npy"]);
    const steps = [localMaximum({ radius: [3, 1] }), localMaximum({ radius: 1 })];
    const options = { border: ["constant", "edge"], fill: 300 };
    assertEquals(await digestOf(out), await expected(file, folder, steps, options));
  });
});

Deno.test("map writes Zarr and TIFF too, with their flags, and smaller arrays", async () => {
  await withImage(async (file, folder) => {
    const flags = ["--quiet", "--workers", "0"];
    const npy = await cli(["map", "downsample:factor=3,reduce=max", file, "-o", `${folder}/a.npy`, ...flags]);
    assertEquals(npy.code, 0, npy.err);
    assertEquals((await digestOf(`${folder}/a.npy`)).slice(0, 2), [[14, 20], "uint16"]);
    const zarr = await cli([
      "map",
      "downsample:factor=3,reduce=max",
      file,
      "-o",
      `${folder}/a.zarr`,
      "--chunk",
      "5x6",
      ...flags,
    ]);
    assertEquals(zarr.code, 0, zarr.err);
    assertEquals(await digestOf(`${folder}/a.zarr`), await digestOf(`${folder}/a.npy`));
    const tiff = await cli([
      "map",
      "convert:dtype=uint8",
      file,
      "-o",
      `${folder}/a.tif`,
      "--tile",
      "16",
      ...flags,
    ]);
    assertEquals(tiff.code, 0, tiff.err);
    assertStringIncludes(tiff.out, "40 × 60 uint8");
  });
});

Deno.test("map --dry-run prints the plan and writes nothing", async () => {
  await withImage(async (file, folder) => {
    const plan = await cli(["map", "median:radius=2", "sobel", file, "--dry-run", "-o", `${folder}/x.npy`]);
    assertEquals(plan.code, 0, plan.err);
    assertStringIncludes(plan.out, "median → sobel over 40 × 60 uint16: 40 × 60 float32");
    assertStringIncludes(plan.out, "step 1, median: uint16 to uint16, halo of 2 × 2");
    const [json] = (await cli(["map", "median:radius=2", file, "--dry-run", "--json"])).json();
    assertEquals([json!.shape, json!.dtype, typeof json!.peakBytes], [SHAPE, "uint16", "number"]);
    const loads = async (...words: string[]) => {
      const [row] = (await cli(["map", ...words, "--dry-run", "--json"])).json();
      return [row!.bytesToRead, row!.chunks];
    };
    assertEquals(await loads("median:radius=2", file, "--tile", "20x60"), [(22 + 22) * 60 * 2, undefined]);
    const chunked = `${folder}/c.zarr`;
    await cli(["convert", file, chunked, "--chunk", "16x16", "--quiet", "--no-manifest"]);
    const words = ["median:radius=2", chunked, "--tile", "16x16"];
    const bytes = (18 + 20 + 10) * (18 + 20 + 20 + 14) * 2;
    assertEquals(await loads(...words), [bytes, { count: 12, decoded: 12 }]);
    assertEquals(await loads(...words, "--traversal", "hilbert"), [bytes, { count: 12, decoded: 70 }]);
    await Deno.remove(chunked, { recursive: true });
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["image.npy"]);
  });
});

Deno.test("map runs a function of a module, with its options and parameters", async () => {
  await withImage(async (file, folder) => {
    const module = `${folder}/mine.ts`;
    await Deno.writeTextFile(
      module,
      `export function add(view, out) {
        const { data, radius: [r], stride: [row], params: { by } } = view;
        const columns = out.shape[1];
        for (const i of out.data.keys()) {
          out.data[i] = by + data[(r + Math.floor(i / columns)) * row + r + i % columns];
        }
      }`,
    );
    const word = `${module}#add:by=7,radius=1,input=uint16,dtype=uint16`;
    const { code, err } = await cli(["map", word, file, "-o", `${folder}/out.npy`, "--quiet"]);
    assertEquals([code, err], [0, ""]);
    const [before, after] = await Promise.all([file, `${folder}/out.npy`].map(async (path) => {
      return (await cli(["stats", path, "--json"])).json()[0]!;
    }));
    assertEquals(after!.sum, Number(before!.sum) + 7 * 2400);
  });
});

Deno.test("map runs a kernel in AssemblyScript, with its options and parameters", async () => {
  await withImage(async (file, folder) => {
    const source = `${folder}/add.as.ts`;
    await Deno.writeTextFile(
      source,
      `import { Result, Sample } from "tilewise";
      export function plane(data: usize, stride: usize, out: usize, rows: i32, cols: i32, by: f64): void {
        for (let y = 0; y < rows; y++) {
          for (let x = 0; x < cols; x++, out += sizeof<Result>()) {
            store<Result>(out, load<Sample>(data + y * stride + (x + 1) * sizeof<Sample>()) + <Result>by);
          }
        }
      }`,
    );
    const out = `${folder}/out.npy`;
    const map = (word: string) => cli(["map", word, file, "-o", out, "--quiet", "--border", "wrap"]);
    const { code, err } = await map(`${source}:by=7,radius=1,dtype=native`);
    assertEquals([code, err], [0, ""]);
    const [before, after] = await Promise.all([file, out].map(async (path) => {
      return (await cli(["stats", path, "--json"])).json()[0]!;
    }));
    assertEquals([after!.sum, after!.dtype], [Number(before!.sum) + 7 * 2400, "uint16"]);
    const wrong = await map(`${source}:radius=1`);
    assertStringIncludes(wrong.err, 'Kernel "add" has another signature');
    const text = await map(`${source}:by=much`);
    assertEquals(text.code, 2);
    assertStringIncludes(text.err, "a kernel cannot use by=much; write a number");
  });
});

Deno.test("map computes an expression of samples and their neighbours", async () => {
  await withImage(async (file, folder) => {
    const words = ["expr:k * x[0,1] - k * x;k=2;dtype=float64", "expr:x", "convert:dtype=int32"];
    const { code, err } = await cli([
      "map",
      ...words,
      file,
      "-o",
      `${folder}/out.npy`,
      "--quiet",
      "--border",
      "wrap",
    ]);
    assertEquals([code, err], [0, ""]);
    const [row] = (await cli(["stats", `${folder}/out.npy`, "--json"])).json();
    assertEquals([row!.dtype, row!.sum], ["int32", 0]);
  });
});

Deno.test("what map does not understand is a mistake of the command line, told before anything is read", async () => {
  const refused = async (words: readonly string[], ...texts: string[]) => {
    const { code, err } = await cli(["map", ...words]);
    assertEquals(code, 2, err);
    for (const text of texts) assertStringIncludes(err, text);
  };
  const rest = ["nowhere.npy", "-o", "out.npy"];
  await refused(["gausian:sigma=2", ...rest], 'the filter "gausian" is unknown; did you mean gaussian?');
  await refused(["gaussian", ...rest], "the filter gaussian needs sigma; write gaussian:sigma=…");
  await refused(["median:radios=2", ...rest], 'no parameter "radios"; it takes radius');
  await refused(
    ["median:radius=two", ...rest],
    "cannot use radius=two; write a number, or one per dimension",
  );
  await refused(["median:radius=1,radius=2", ...rest], "has radius twice");
  await refused(["convert:dtype=complex32", ...rest], "cannot use dtype=complex32; write uint8 or int8");
  await refused(["expr:k=2", ...rest], "must be one expression");
  await refused(["median", "nowhere.npy"], "map needs -o OUT, or --dry-run");
  await refused(["median", "nowhere.npy", "-o", "a.jpg"], "map cannot write a.jpg", ".npy");
  await refused(["median", ...rest, "--radius", "a"], "--radius takes a number");
  await refused(["median", ...rest, "--chunk", "5x5"], "--chunk does not apply to out.npy");
  await refused(["median", ...rest, "--fill", "3"], "--fill is the constant of --border constant");
  await refused(["median", "nowhere.npy", "-o", "folder/"], "map cannot write folder/");
  await refused(["median", "nowhere.npy", "-o", "out.npy/"], "map cannot write out.npy/");
});

Deno.test("map never writes over what it reads, and leaves nothing when it fails", async () => {
  await withImage(async (file, folder) => {
    const over = await cli(["map", "median", file, "-o", file]);
    assertEquals(over.code, 1);
    assertStringIncludes(over.err, "is being read");
    const fails = await cli(["map", "boxy.ts", file, "-o", `${folder}/out.npy`]);
    assertEquals(fails.code, 1);
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["image.npy"]);
  });
});

Deno.test("values that no filter takes, and places that cannot be written, are told, and nothing is left", async () => {
  await withImage(async (file, folder) => {
    await Deno.mkdir(`${folder}/own.zarr`);
    await Deno.writeTextFile(`${folder}/own.zarr/thesis.txt`, "mine");
    await Deno.mkdir(`${folder}/folder.npy`);
    const before = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    const refused = async (words: readonly string[], ...texts: string[]) => {
      const { code, err, json } = await cli(["map", ...words, "--json", "--quiet"]);
      assertEquals([code, err], [1, ""], words.join(" "));
      const { message } = json()[0]!.error as { message: string };
      for (const text of texts) assertStringIncludes(message, text);
    };
    const out = ["-o", `${folder}/out.npy`];
    await refused(["gaussian:sigma=-1", file, ...out], "sigma", "-1", "a number from 0");
    await refused(["median:radius=1000000", file, ...out], "windows of up to"); // nothing is made of this size
    await refused(["median:radius=1x1x1", file, ...out], "an array of 40 × 60 takes 2 counts");
    await refused(["downsample:factor=0", file, ...out], "a whole number from 1");
    await refused(["sobel:axis=5", file, ...out], "no dimension 5");
    await refused(["median", file, ...out, "--border", "outside"], 'Unknown border "outside"');
    await refused(["median", file, ...out, "--traversal", "zig"], 'Unknown traversal "zig"');
    await refused(["median", file, ...out, "--memory", "1KiB"], "1 KiB", "it needs");
    await refused(["median", file, ...out, "--level", "2"], "level 2");
    await refused(["median", file, ...out, "--array", "b"], 'There is no array "b"');
    await refused(["median", `${folder}/none.npy`, ...out], "there is no such file");
    await refused(["median", file, "-o", `${folder}/own.zarr`], "is not a Zarr store");
    await refused(["median", file, "-o", `${folder}/folder.npy`], "a folder has this name");
    await refused(["median", file, "-o", `${file}/out.npy`], "is a file, not a folder");
    await refused(["median", file, "-o", "/proc/out.npy"], "/proc/out.npy");
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), before);
    assertEquals(await Deno.readTextFile(`${folder}/own.zarr/thesis.txt`), "mine");
  });
});

Deno.test("a result in chunks has its digest where the budget holds no row of chunks", async () => {
  await withFolder(async (folder) => {
    const [image, out] = [`${folder}/image.npy`, `${folder}/out.zarr`];
    await writeNpy(image, "<f4", [520, 12_000], new Uint8Array(4 * 520 * 12_000).fill(63));
    const words = ["map", "minimum:radius=1", image, "-o", out, "--memory", "24MiB", "--quiet"];
    const { code, err } = await cli([...words, "--workers", "0"]);
    assertEquals([code, err], [0, ""]);
    const manifest = [...Deno.readDirSync(folder)].find(({ name }) => name.endsWith(".run.json"))!.name;
    const { results } = JSON.parse(await Deno.readTextFile(`${folder}/${manifest}`));
    assertEquals(results[0].sha256, (await digestOf(image))[2]);
  });
});

Deno.test("a radius larger than the image works, with every border", async () => {
  await withImage(async (file, folder) => {
    for (const border of ["edge", "reflect", "symmetric", "wrap", "constant"]) {
      const words = ["box:radius=100", file, "-o", `${folder}/out.npy`, "--border", border, "--quiet"];
      const { code, err } = await cli(["map", ...words]);
      assertEquals([code, err], [0, ""], border);
    }
  });
});

Deno.test("map --box has the samples of the whole result, also near the ends, in blocks, and for a table", async () => {
  await withImage(async (file, folder) => {
    const out = (name: string) => `${folder}/${name}`;
    const filters = ["gaussian:sigma=2", "maximum:radius=1x2"];
    const cases: [string[], string, string, string][] = [
      [filters, "10:20,30:45", "10:20,30:45", "reflect"],
      [filters, "0:5,-7:", "0:5,-7:", "symmetric"],
      [filters, "17:18,:", "17:18,:", "edge"],
      [filters, "15:20,25:30", "15:20,25:30", "wrap"],
      [[...filters, "downsample:factor=4"], "8:16,20:32", "2:4,5:8", "constant"],
      [[...filters, "threshold:value=50"], "3:9,0:7", "3:9,0:7", "constant"], // masks cannot be filled with 7
    ];
    for (const [words, box, same, border] of cases) {
      const fill = border === "constant" ? ["--fill", "7"] : [];
      const flags = ["--border", border, ...fill, "--quiet", "--no-picture"];
      const part = await cli(["map", ...words, file, "-o", out("part.npy"), "--box", box, ...flags]);
      const whole = await cli(["map", ...words, file, "-o", out("whole.npy"), ...flags]);
      assertEquals([part.code, part.err, whole.code], [0, "", 0], box);
      await cli(["pick", out("whole.npy"), "--box", same, "-o", out("picked.npy")]);
      assertEquals(await digestOf(out("part.npy")), await digestOf(out("picked.npy")), box);
      assertEquals((await cli(["replay", out("part.run.json"), "--quiet"])).code, 0);
    }
    await cli(["convert", file, out("one.ome.tif"), "--quiet"]);
    const one = await open(out("one.ome.tif")) as StoredDataset;
    const of = [{ name: "channel", kind: "channel", names: ["DAPI"] }] as const;
    const named = new StoredDataset({ ...one, values: { ...one.values, of } });
    await mapViews(named, copySamples(), { sink: fileSink(out("dapi.ome.tif")) });
    const flags = ["--channel", "DAPI", "--box", "0:9,0:7", "--quiet", "--no-picture"];
    const said = await cli(["map", "median", out("dapi.ome.tif"), "-o", out("part.ome.tif"), ...flags]);
    assertEquals([said.code, said.err], [0, ""]);
    const { values } = await open(out("part.ome.tif"));
    assertEquals(
      values.of?.find(({ kind }) => kind === "channel")?.names,
      ["DAPI"],
      "a part is of the same channel",
    );
    const table = await cli(["map", "histogram", file, "--box", "0:2,0:5", "--json", "--quiet"]);
    assertEquals(table.json()[0]!.samples, 10);
    const refused = async (flags: string[], text: string, expected = 1) => {
      const { code, err } = await cli(["map", "median", file, "-o", out("no.npy"), ...flags]);
      assertEquals(code, expected, err);
      assertStringIncludes(err, text);
    };
    await refused(["--box", "5:5,0:9"], "has no samples");
    await refused(["--box", "5:9"], "write one range for each of its 2 dimensions");
    await refused(["--box", "5:900,0:9"], "40 × 60");
    await refused(["--box", "0:5,0:9", "--border", "wrap"], "the other end");
    await refused(["--box", "0:5,0:9", "--dry-run"], "no plan to show", 2);
  });
});

Deno.test("map reads a level of a pyramid, and an array of a file by its name", async () => {
  await withImage(async (file, folder) => {
    const pyramid = `${folder}/p.ome.zarr`;
    await cli(["convert", file, pyramid, "--chunk", "16x16", "--quiet", "--no-manifest"]);
    const all = ["--quiet", "--no-manifest", "--no-picture", "--json"];
    const shapeOf = async (...flags: string[]) => {
      const out = `${folder}/level.npy`;
      const { code, err, json } = await cli(["map", "maximum", pyramid, "-o", out, ...flags, ...all]);
      assertEquals([code, err], [0, ""]);
      return json()[0]!.shape;
    };
    assertEquals(await shapeOf("--level", "1"), [20, 30]);
    assertEquals(await shapeOf(), [40, 60]);
  });
});

Deno.test("every filter has a page of help, an operation, and a line in the list", async () => {
  const { out } = await cli(["help", "map"]);
  for (const { name, example = name, parameters } of FILTERS) {
    assertStringIncludes(out, `    ${name} `);
    const page = await cli(["help", "map", name]);
    assertEquals(page.code, 0, page.err);
    for (const key of Object.keys(parameters)) assertStringIncludes(page.out, `  ${key} `);
    assertStringIncludes(page.out, `tilewise map ${example} image.tif -o ${name}.npy`);
  }
  assert(FILTERS.length >= 19);
  const unknown = await cli(["help", "map", "medean"]);
  assertEquals([unknown.code, unknown.err], [
    2,
    'tilewise: the filter "medean" is unknown; did you mean median?\n',
  ]);
});

Deno.test("every filter runs as its example says", async () => {
  await withImage(async (file, folder) => {
    for (const { name, example = name } of FILTERS) {
      const { code, err } = await cli([
        "map",
        example,
        file,
        "-o",
        `${folder}/${name}.npy`,
        "--workers",
        "0",
        "--quiet",
      ]);
      assertEquals([code, err], [0, ""], example);
    }
  });
});

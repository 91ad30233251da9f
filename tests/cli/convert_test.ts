import { assert, assertEquals } from "@std/assert";
import { createContext, open } from "@tilewise/tilewise";
import { copySamples } from "@tilewise/tilewise/unstable/views";
import { fileSink, mapViews } from "@tilewise/tilewise/views";
import { readTiff, readZarr } from "../views/sinks/readers.ts";
import { cli, withFolder, writeNpy } from "./harness.ts";

const RAW = ["--dtype", "uint16", "--byte-order", "big", "--nav", "3x4", "--sig", "5x6"];

/** A raw file of 3 × 4 frames of 5 × 6. */
async function withRaw(body: (file: string, folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const bytes = Uint8Array.from({ length: 720 }, (_, i) => (i * 37) % 251);
    await Deno.writeFile(`${folder}/scan.raw`, bytes);
    await body(`${folder}/scan.raw`, folder);
  });
}

Deno.test("convert writes the same samples, as stats of both files say", async () => {
  await withRaw(async (file, folder) => {
    const out = `${folder}/new/scan.npy`;
    const { code, out: said, err } = await cli(["convert", file, out, ...RAW]);
    assertEquals([code, said], [
      0,
      `${out}  3 × 4 × 5 × 6 uint16, 848 B\n  manifest  ${folder}/new/scan.run.json\n`,
    ], err);
    assert(err.includes("12 frames, 720 B in"), err);
    const [before] = (await cli(["stats", file, "--sha256", "--json", ...RAW])).json();
    const [after] = (await cli(["stats", out, "--sha256", "--json"])).json();
    assertEquals(after!.sha256, before!.sha256);
    assertEquals([after!.shape, after!.dtype], [[3, 4, 5, 6], "uint16"]);
  });
});

Deno.test("convert with a region, corrections, workers and little memory, as JSON", async () => {
  await withRaw(async (file, folder) => {
    const out = `${folder}/part.npy`;
    await writeNpy(`${folder}/dark.npy`, "<f4", [5, 6], new Uint8Array(120));
    const flags = ["--roi", "1:3,0:3", "--dark", `${folder}/dark.npy`, "--workers", "2", "--memory", "4MiB"];
    const { code, json, err } = await cli(["convert", file, out, "--json", "--quiet", ...flags, ...RAW]);
    assertEquals([code, err], [0, ""]);
    assertEquals(json(), [{
      source: file,
      file: out,
      files: [out],
      shape: [2, 3, 5, 6],
      dtype: "float32",
      bytes: 128 + 720,
      blank: 0,
      manifest: `${folder}/part.run.json`,
    }]);
    const frame = (await cli(["pick", file, "--at", "2,1", "--json", ...RAW])).json()[0]!.values;
    assertEquals((await cli(["pick", out, "--at", "1,1", "--json"])).json()[0]!.values, frame);
  });
});

Deno.test("blank frames are said, and other targets refused", async () => {
  await withRaw(async (file, folder) => {
    const blank = await cli(["convert", file, `${folder}/a.npy`, ...RAW, "--sync-offset", "-1"]);
    assertEquals(blank.code, 0);
    assert(blank.err.includes("blank frames: 1;"), blank.err);
    const other = await cli(["convert", file, `${folder}/a.jpg`, ...RAW]);
    assertEquals(other.code, 2);
    assert(other.err.includes("the name must end with one of .npy"), other.err);
    const itself = await cli(["convert", `${folder}/a.npy`, `${folder}/a.npy`]);
    assertEquals(itself.code, 1);
    assert(itself.err.includes("[invalid]") && itself.err.includes("is being read"), itself.err);
  });
});

Deno.test("convert to Zarr and TIFF keeps samples and type, with flags of chunks and tiles", async () => {
  await withRaw(async (file, folder) => {
    const ways = [
      ["a.zarr", "--chunk", "1x2x5x6", "--shard-size", "1x4x5x6", "--compression", "blosc:3"],
      ["a.ome.zarr", "--chunk", "3x4x4x4", "--zarr-format", "2", "--reduce", "max", "--resume"],
      ["a.ome.tif", "--tile", "16x32", "--compression", "lzw"],
      ["a.tif", "--levels", "2"],
    ];
    for (const [name, ...flags] of ways) {
      const out = `${folder}/new/${name}`;
      const { code, json, err } = await cli(["convert", file, out, "--json", ...flags, ...RAW]);
      assertEquals(code, 0, err);
      assert(/\d+ chunks, 720 B in/.test(err), err);
      const [{ shape, dtype, files, bytes }] = json() as [Record<string, unknown>];
      assertEquals([shape, dtype, files], [[3, 4, 5, 6], "uint16", [out]]);
      assert(Number(bytes) > 100);
    }
    const { data } = readZarr(`${folder}/new/a.zarr`);
    const frame = (await cli(["pick", file, "--at", "2,1", "--json", ...RAW])).json()[0]!.values;
    assertEquals([...data.subarray(9 * 30, 10 * 30)].map(Number), (frame as number[][]).flat());
    assertEquals(readTiff(`${folder}/new/a.tif`).pages.length, 12);
  });
});

Deno.test("convert says which flags do not go with an output", async () => {
  await withRaw(async (file, folder) => {
    const refused = async (name: string, flags: readonly string[], expected: number, text: string) => {
      const { code, err } = await cli(["convert", file, `${folder}/${name}`, ...flags, ...RAW]);
      assertEquals(code, expected, err);
      assert(err.includes(text), err);
    };
    await refused("a.npy", ["--tile", "64"], 2, "--tile does not apply");
    await refused("a.zarr", ["--roi", "0:1,0:1"], 2, ".zarr is written without --roi");
    await refused("a.zarr", ["--levels", "many"], 2, "--levels takes a number or auto");
    await refused("a.zarr", ["--tile", "64"], 1, "--tile");
    await refused("a.tif", ["--compression", "jpeg"], 1, "none, deflate, zstd, lzw, packbits");
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["scan.raw"]);
  });
});

Deno.test("tiles of a TIFF are no larger than its small frames, which are stored whole", async () => {
  await withRaw(async (file, folder) => {
    const out = `${folder}/a.tif`;
    const { code, err } = await cli(["convert", file, out, "--compression", "none", "--quiet", ...RAW]);
    assertEquals([code, err], [0, ""]);
    const { size } = await Deno.stat(out);
    assert(size < 12 * (2 * 16 * 16 + 400), `${size} bytes for 12 frames of 5 × 6`);
  });
});

Deno.test("colours become the channels of an OME-Zarr, in front of rows and columns", async () => {
  await withFolder(async (folder) => {
    const samples = Uint8Array.from({ length: 40 * 50 * 3 }, (_, i) => (i * 37) % 251);
    await writeNpy(`${folder}/a.npy`, "|u1", [40, 50, 3], samples);
    await using context = createContext({ workers: 0 });
    const axes = ["y", "x", "sample"].map((name) => ({ name }));
    const sink = fileSink(`${folder}/a.tif`, { axes });
    await mapViews(await open(`${folder}/a.npy`), copySamples(), { sink, context });
    const { code, err, json } = await cli([
      "convert",
      `${folder}/a.tif`,
      `${folder}/a.ome.zarr`,
      "--json",
      "--quiet",
    ]);
    assertEquals([code, err, json()[0]!.shape], [0, "", [3, 40, 50]]);
    const { data, shape } = readZarr(`${folder}/a.ome.zarr/0`);
    assertEquals(shape, [3, 40, 50]);
    for (const i of [0, 1, 2, 77, 5998]) {
      assertEquals(Number(data[(i % 3) * 2000 + Math.floor(i / 3)]), samples[i]);
    }
    const refused = await cli([
      "map",
      "median:radius=1x1x0",
      `${folder}/a.tif`,
      "-o",
      `${folder}/b.ome.zarr`,
    ]);
    assertEquals(refused.code, 1);
    assert(refused.err.includes("--nav-axes and --sig-axes"), refused.err);
  });
});

import { assert, assertEquals } from "@std/assert";
import { checkDemo } from "../../../src/cli/demo/demo_check.ts";
import { checkCrystal, crystalTruth } from "../../../src/cli/demo/demo_crystal.ts";
import { sideBySide } from "../../../src/cli/demo/demo_pictures.ts";
import { DemoScan } from "../../../src/samples/scan.ts";
import { ndarray } from "../../../src/space/ndarray.ts";
import { readPng } from "../../pictures/read_png.ts";
import { cli, withFolder } from "../harness.ts";

const SMALL = ["demo", "--scan", "12x16", "--side", "64"];

Deno.test("the demo finds what it has simulated, shows it and writes it", async () => {
  await withFolder(async (folder) => {
    const { code, out, err } = await cli([...SMALL, "--workers", "0", "-o", `${folder}/d`]);
    assertEquals([code, err], [0, ""], out);
    assert(out.includes("192 frames in 4 MIB files") && out.includes("GB/s") || out.includes("MB/s"));
    assertEquals(out.match(/✓/g)?.length, 5);
    const next = out.match(/tilewise .*/g)!.map((command) => command.split(" ").slice(1));
    assertEquals(next.map(([verb]) => verb), ["info", "run", "view"]);
    for (const words of next.slice(0, 2)) {
      assertEquals((await cli([...words, "--quiet"])).code, 0, `${words}`);
    }
    await Deno.remove(`${folder}/d/own`, { recursive: true });
    const names = [...Deno.readDirSync(`${folder}/d`)].map(({ name }) => name).toSorted();
    const pictures = ["field-known.png", "field.png", "field_x.npy", "field_y.npy", "ring.npy", "ring.png"];
    const series = [0, 1, 2, 3].map((n) => `scan_00${n}.mib`);
    assertEquals(names, [...pictures, "scan.hdr", ...series, "strain.png", "sum.npy", "sum.png"].toSorted());
    const png = readPng(await Deno.readFile(`${folder}/d/field.png`));
    assertEquals([png.width, png.height], [16 * 22, 12 * 22]);
    assert(new Set(png.samples).size > 20);
  });
});

Deno.test("the scan of the demo is an ordinary MIB series", async () => {
  await withFolder(async (folder) => {
    await cli([...SMALL, "--workers", "0", "--quiet", "-o", folder]);
    const [info] = (await cli(["info", "--json", `${folder}/scan_000.mib`])).json();
    assertEquals([info!.format, info!.navShape, info!.sigShape, info!.dtype, info!.files], [
      "mib",
      [12, 16],
      [64, 64],
      "uint16",
      4,
    ]);
    const text = await cli(["info", `${folder}/scan_000.mib`]);
    assert(text.out.includes("12 × 16 scan of 64 × 64 frames") && text.out.includes("big endian"));
    const scan = new DemoScan({ scan: [12, 16], side: 64, seed: 1 });
    for (const _ of scan.frames());
    const [stats] = (await cli(["stats", "--json", `${folder}/scan_000.mib`])).json();
    assertEquals(stats!.sum, scan.truth.sum.reduce((a, b) => a + b, 0));
  });
});

Deno.test("the same answer for any number of workers and any seed that passes", async () => {
  await withFolder(async (folder) => {
    const digests = [];
    for (const workers of ["0", "1", "2"]) {
      const { code, json } = await cli([
        ...SMALL,
        "--json",
        "--workers",
        workers,
        "--seed",
        "3",
        "-o",
        folder,
      ]);
      assertEquals([code, json()[0]!.ok], [0, true]);
      const stats = await cli(["stats", "--json", "--sha256", `${folder}/field_x.npy`, `${folder}/ring.npy`]);
      digests.push(stats.json().map(({ sha256 }) => sha256));
    }
    assertEquals(digests[1], digests[0]);
    assertEquals(digests[2], digests[0]);
  });
});

Deno.test("a wrong result is called wrong", () => {
  const scan = new DemoScan({ scan: [8, 8], side: 64, seed: 1 });
  for (const _ of scan.frames());
  const { truth } = scan;
  const nav = (data: Float64Array) => ndarray(data, [8, 8], "float64");
  const share = Math.PI * (30.5 ** 2 - 12.5 ** 2) / 4096;
  const make = (offset: { sum?: number; ring?: number; y?: number }) => ({
    sum: {
      intensity: ndarray(truth.sum.map((v, i) => i === 77 ? v + (offset.sum ?? 0) : v), [64, 64], "float64"),
    },
    ring: { intensity: nav(truth.bragg.map((v) => v + 64 * share + (offset.ring ?? 0))) },
    com: { field_y: nav(truth.shiftY.map((v) => v + (offset.y ?? 0))), field_x: nav(truth.shiftX) },
  });
  const verdicts = (offset: Parameters<typeof make>[0]) => checkDemo(make(offset), scan).map(({ ok }) => ok);
  assertEquals(verdicts({}), [true, true, true]);
  assertEquals(verdicts({ sum: 1 }), [false, true, true]);
  assertEquals(verdicts({ ring: 20 }), [true, false, true]);
  assertEquals(verdicts({ y: 0.3 }), [true, true, false]);
  assertEquals(verdicts({ y: NaN }), [true, true, false]);
});

Deno.test("wrong strain and rotation are called wrong", () => {
  const positions = Array.from({ length: 96 }, (_, n) => crystalTruth(n));
  const result = (strain: number, turn: number) => ({
    e_xx: ndarray(Float64Array.from(positions, (truth) => truth.strain + strain), [8, 12], "float64"),
    theta: ndarray(Float64Array.from(positions, (truth) => truth.rotation + turn), [8, 12], "float64"),
  });
  const verdicts = (strain: number, turn: number) => checkCrystal(result(strain, turn)).map(({ ok }) => ok);
  assertEquals(verdicts(0, 0), [true, true]);
  assertEquals(verdicts(0.002, 0.008), [false, true]);
  assertEquals(verdicts(-0.0005, -0.01), [true, false]);
  assertEquals(verdicts(NaN, NaN), [false, false]);
});

Deno.test("pictures beside each other keep their pixels and have the height of the first", () => {
  const raster = (width: number, height: number, value: number) => ({
    width,
    height,
    channels: 4 as const,
    data: new Uint8Array(4 * width * height).fill(value),
  });
  const both = sideBySide([raster(2, 4, 7), raster(8, 8, 9)]);
  assertEquals([both.width, both.height], [2 + 1 + 4, 4]);
  assertEquals([both.data[0], both.data[4 * 2], both.data[4 * 3], both.data.at(-1)], [7, 0, 9, 9]);
});

Deno.test("sizes that make no sense are refused, and so is a folder that cannot be written", async () => {
  const cases: [string[], number, string][] = [
    [["demo", "--scan", "8"], 2, "--scan needs two sizes"],
    [["demo", "--side", "100"], 2, "--side needs a multiple of 8"],
    [["demo", "--side", "32"], 2, "--side 32"],
    [["demo", "more"], 2, 'there is no demo "more"; write demo, or demo radio'],
    [["demo", "radio", "more"], 2, "too many arguments"],
    [["demo", "-o", "/dev/null/x"], 1, "permission"],
  ];
  for (const [words, expected, message] of cases) {
    const { code, err } = await cli(words);
    assertEquals(code, expected, err);
    assert(err.includes(message), err);
  }
});

Deno.test("the demo replaces its own files, and none of the user", async () => {
  await withFolder(async (folder) => {
    const words = [...SMALL, "--workers", "0", "--quiet", "-o", folder];
    for (const name of ["sum.npy", "scan.hdr", "scan_000.mib", "ring.png"]) {
      await Deno.writeTextFile(`${folder}/${name}`, "mine");
      const { code, err } = await cli(words);
      assertEquals(code, 1);
      assert(err.includes(`there is ${name}, which is not of a demo`), err);
      assertEquals([...Deno.readDirSync(folder)].map((entry) => entry.name), [name]);
      assertEquals(await Deno.readTextFile(`${folder}/${name}`), "mine");
      await Deno.remove(`${folder}/${name}`);
    }
    await Deno.writeTextFile(`${folder}/notes.txt`, "mine");
    for (let i = 0; i < 2; i++) assertEquals((await cli(words)).code, 0);
    assertEquals(await Deno.readTextFile(`${folder}/notes.txt`), "mine");
  });
});

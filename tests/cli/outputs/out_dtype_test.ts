/** `--out-dtype`: what is written, told, in manifests and in digests has the type that was asked for, or nothing is written. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { open } from "../../../src/formats/open.ts";
import { createContext } from "../../../src/runner/context.ts";
import { castArray } from "../../../src/sinks/arrays/cast.ts";
import { CAST_TYPES } from "../../../src/space/cast.ts";
import { type DType, dtypeInfo, zeros } from "../../../src/space/dtype.ts";
import { type NDArray, ndarray } from "../../../src/space/ndarray.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { convert } from "../../../src/views/operations/convert.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { endingsFor } from "../../../src/sinks/registry.ts";
import { arrayOf } from "../../../src/views/array.ts";
import { randomNumbers } from "../../rime/image/data.ts";
import { CHANGES } from "../../../src/cli/convert/convert.ts";
import { manifestPath } from "../../../src/cli/manifests/file.ts";
import NUMPY from "../data/cast.json" with { type: "json" };
import { cli, withFolder, writeNpy } from "../harness.ts";

const bytesOf = (data: ArrayBufferView<ArrayBuffer>) => new Uint8Array(data.buffer);

async function sourceIn(
  folder: string,
  samples: Float64Array<ArrayBuffer>,
  shape: readonly number[],
): Promise<string> {
  await writeNpy(`${folder}/in.npy`, "<f8", shape, bytesOf(samples));
  return `${folder}/in.npy`;
}

async function samplesIn(path: string): Promise<NDArray> {
  await using context = createContext({ workers: 0 });
  return await mapViews(arrayOf(await open(path)), copySamples(), { context });
}

Deno.test("every sink takes another type; line, JSON, manifest and file say it", async () => {
  await withFolder(async (folder) => {
    const samples = Float64Array.from({ length: 60 }, (_, i) => i * 0.3 - 2 ** -30);
    const source = await sourceIn(folder, samples, [6, 10]);
    for (const [n, ending] of endingsFor("results").entries()) {
      for (
        const [dtype, expected] of [["float32", Float32Array.from(samples)], [
          "int16",
          samples.map((n) => Math.round(n) + 0),
        ]] as const
      ) {
        const out = `${folder}/${n}${dtype}${ending}`;
        const told = await cli(["convert", source, out, "--out-dtype", dtype, "--json", "-q"]);
        assertEquals(told.code, 0, told.err);
        const { dtype: said, losses } = told.json()[0]!;
        const { data, dtype: found } = await samplesIn(out);
        assertEquals(
          [said, found, Array.from(data, Number)],
          [dtype, dtype, Array.from(expected, Number)],
          out,
        );
        assertMatch(String(losses), new RegExp(`samples that ${dtype} does not have`));
      }
    }
    const out = `${folder}/m.npy`,
      words = ["map", "expr:x*2", source, "-o", out, "--out-dtype", "uint8", "-q"];
    const told = await cli(words);
    assertEquals(told.code, 0, told.err);
    assertMatch(told.out, /6 × 10 uint8/);
    const { results: [made], filters } = JSON.parse(await Deno.readTextFile(`${folder}/m.run.json`));
    assertEquals([made.dtype, filters.length, (await samplesIn(out)).dtype], ["uint8", 2, "uint8"]);
    const stats = (await cli(["stats", out, "--sha256", "--json"])).json()[0]!;
    assertEquals(stats.sha256, made.sha256, "the digest is that of the file");
    assertEquals((await cli(["replay", `${folder}/m.run.json`])).code, 0);
  });
});

Deno.test("files of frames take another type, with what lies beside them", async () => {
  await withFolder(async (folder) => {
    const samples = Float64Array.from({ length: 6 * 128 * 128 }, (_, i) => i % 251 + 0.25);
    const source = await sourceIn(folder, samples, [2, 3, 128, 128]);
    for (
      const [ending, dtype, sides, words] of [
        [".raw", "uint16", [".rpl"], ["--nav", "2x3"]],
        [".bin", "float32", [".rpl"], ["--nav", "2x3"]],
        [".mib", "uint16", [".hdr"], []],
        [".xml", "float32", [".raw"], []],
      ] as const
    ) {
      const stem = `${folder}/${dtype}-${ending.slice(1)}`, out = `${stem}${ending}`;
      const told = await cli(["convert", source, out, "--out-dtype", dtype, "--json", "-q"]);
      assertEquals(told.code, 0, told.err);
      const { files, shape, bytes } = told.json()[0] as Record<string, unknown>;
      assertEquals([...files as string[]].sort(), [out, ...sides.map((side) => stem + side)].sort());
      assertEquals(shape, [2, 3, 128, 128]);
      const size = samples.length * dtypeInfo(dtype).itemSize;
      assert((bytes as number) >= size && (bytes as number) < 1.1 * size, `${out}: ${bytes}`);
      const opened = sides[0] === ".rpl" ? `${stem}.rpl` : out;
      const stats = await cli(["stats", opened, ...words, "--sha256", "--json", "-q"]);
      const manifest = JSON.parse(await Deno.readTextFile(`${out}.run.json`));
      assertEquals(stats.json()[0]!.sha256, manifest.results[0].sha256, `${out} ${stats.err}`);
      await using context = createContext({ workers: 0 });
      const asWritten = ending === ".mib" || ending === ".xml"
        ? (await mapViews(arrayOf(await open(out)), copySamples(), { context })).data
        : undefined;
      if (asWritten) {
        assertEquals(
          Array.from(asWritten, Number),
          dtype === "uint16" ? Array.from(samples, Math.round) : Array.from(samples),
        );
      }
    }
    const refused = await cli(["convert", source, `${folder}/x.mib`, "--out-dtype", "float64", "-q"]);
    assertEquals(refused.code, 1, refused.out);
    assertMatch(refused.err, /Cannot write frames of 128 × 128 float64 as MIB/);
  });
});

Deno.test("results of runs take another type, with their digests, and are replayed", async () => {
  await withFolder(async (folder) => {
    const samples = Float64Array.from({ length: 48 }, (_, i) => Math.sin(i) * 50 + 60);
    const source = await sourceIn(folder, samples, [2, 3, 2, 4]);
    const words = ["run", "sumsig", source, "-o", `${folder}/r.hspy`, "-q"];
    assertEquals((await cli([...words, "--out-dtype", "uint16"])).code, 0);
    const expected = Array.from(
      { length: 6 },
      (_, p) => Math.round(samples.subarray(8 * p, 8 * p + 8).reduce((sum, n) => sum + n)),
    );
    const { data, dtype } = await samplesIn(`${folder}/r.hspy`);
    assertEquals([dtype, Array.from(data, Number)], ["uint16", expected]);
    const { results: [made] } = JSON.parse(await Deno.readTextFile(`${folder}/r.hspy.run.json`));
    assertEquals(made.dtype, "uint16");
    assertEquals((await cli(["replay", `${folder}/r.hspy.run.json`])).code, 0);
    const store = [...words.slice(0, 3), "--store", `dir:${folder}/parts`, "--out-dtype", "uint16", "-q"];
    for (const shard of ["1/2", "2/2"]) assertEquals((await cli([...store, "--shard", shard])).code, 0);
    assertEquals((await cli(["merge", `dir:${folder}/parts`, "-o", `${folder}/merged.hspy`, "-q"])).code, 0);
    assertEquals((await samplesIn(`${folder}/merged.hspy`)).data, data);
    for (
      const [type, what] of [["complex64", /uint8, int8/], [
        "uint8",
        /sumsig\.intensity: the sample at \d, \d is/,
      ]] as const
    ) {
      const refused = await cli([...words, "--out-dtype", type]);
      assertEquals(refused.code, 1, refused.err);
      assertMatch(refused.err, what);
    }
    assertEquals((await samplesIn(`${folder}/r.hspy`)).data, data, "the old result is there");
  });
});

Deno.test("what does not fit is refused with its place, and nothing is written", async () => {
  await withFolder(async (folder) => {
    for (
      const [bad, type, text] of [
        [70000, "uint16", /the sample at 3, 1 is 70000, and uint16 holds 0 to 65535/],
        [-1, "uint32", /the sample at 3, 1 is -1, and uint32 holds 0 to 4294967295/],
        [NaN, "int8", /the sample at 3, 1 is NaN, and int8 holds -128 to 127/],
        [1e39, "float32", /the sample at 3, 1 is 1e\+39, and float32 holds numbers below 3.4e38/],
      ] as const
    ) {
      const samples = new Float64Array(20);
      samples[3 * 4 + 1] = bad;
      const source = await sourceIn(folder, samples, [5, 4]);
      for (const ending of [".npy", ".zarr", ".tif"]) {
        for (
          const words of [["convert", source, `${folder}/x${ending}`], [
            "map",
            "downsample:factor=1,reduce=max",
            source,
            "-o",
            `${folder}/x${ending}`,
          ]]
        ) {
          const refused = await cli([...words, "--out-dtype", type, "-q"]);
          assertEquals(refused.code, 1, refused.out);
          assertMatch(refused.err, text);
          assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["in.npy"]);
        }
      }
    }
  });
});

Deno.test("frames that are selected or corrected become the samples that NumPy makes of them", async () => {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/in.npy`, "<u2", [3, 4, 5, 6], Uint8Array.fromBase64(NUMPY.scan));
    for (const name of ["dark", "gain"] as const) {
      await writeNpy(`${folder}/${name}.npy`, "<f4", [5, 6], Uint8Array.fromBase64(NUMPY[name]));
    }
    const values: Record<string, string> = {
      roi: "1:3,0:3",
      dark: `${folder}/dark.npy`,
      gain: `${folder}/gain.npy`,
      exclude: "2,3",
    };
    assertEquals(CHANGES.map((name) => name in values), CHANGES.map(() => true), "a row for every flag");
    const converted = async (changes: string, dtype: string, ending: string) => {
      const out = `${folder}/${changes.replaceAll(" ", "-")}-${dtype}${ending.replaceAll(".", "-")}${ending}`;
      const flags = changes.split(" ").flatMap((name) => [`--${name}`, values[name]!]);
      const made = await cli(["convert", `${folder}/in.npy`, out, ...flags, "--out-dtype", dtype, "-q"]);
      assertEquals(made.code, 0, made.err);
      return { out, manifest: JSON.parse(await Deno.readTextFile(manifestPath(out, out))) };
    };
    for (const [changes, digests] of Object.entries(NUMPY.digests)) {
      for (const [dtype, expected] of Object.entries(digests)) {
        const { out, manifest: { results: [made] } } = await converted(changes, dtype, ".npy");
        const stats = (await cli(["stats", out, "--sha256", "--json"])).json()[0]!;
        assertEquals([stats.sha256, made.sha256, made.dtype], [expected, expected, dtype], out);
        assertMatch(made.losses, new RegExp(`samples that ${dtype} does not have`));
      }
    }
    const all = "roi dark gain exclude";
    for (const ending of endingsFor("frames").filter((one) => one !== ".xml")) { // which has frames of 128 × 128
      const { manifest: { results: [made] } } = await converted(all, "uint16", ending);
      assertEquals([made.sha256, made.dtype], [NUMPY.digests[all].uint16, "uint16"], ending);
    }
    const refused = await cli(
      ["convert", `${folder}/in.npy`, `${folder}/x.npy`, "--dark", values.dark!, "--gain", values.gain!]
        .concat(
          ["--out-dtype", "complex64", "-q"],
        ),
    );
    assertEquals(refused.code, 1);
    assertMatch(refused.err, /Cannot make complex64 of samples of float32/);
  });
});

Deno.test("words for --out-dtype that mean nothing are refused before anything is read", async () => {
  for (
    const [words, text] of [
      [
        ["map", "label", "x.npy", "-o", "l.npy", "--out-dtype", "uint8"],
        /result of label has a type of its own/,
      ],
      [["map", "box", "x.npy", "-o", "l.npy", "--out-dtype", "uint64"], /write one of uint8/],
      [["map", "box", "x.npy", "-o", "l.npy", "--out-dtype", "int"], /Unknown dtype "int"/],
      [["run", "sum", "x.npy", "-o", "y.npy", "--out-dtype", "bool"], /write one of uint8/],
    ] as const
  ) {
    const { code, err } = await cli(words);
    assertEquals(code, 2, err);
    assertMatch(err, text);
  }
});

/** Numbers near the ends of a type, halves, and what is none. */
function numbersFor(dtype: DType, random: () => number): Float64Array {
  const { kind, itemSize } = dtypeInfo(dtype);
  const most = "ui".includes(kind) ? 2 ** (8 * itemSize - 1) : 1e30;
  return Float64Array.from({ length: 40 }, () => Math.round(random() * 2 * most) / 2);
}

Deno.test("arrays in memory and operations over views make the same samples", async () => {
  const random = randomNumbers(20261129);
  await using context = createContext({ workers: 0 });
  for (const dtype of CAST_TYPES) {
    const isComplex = dtypeInfo(dtype).kind === "c";
    for (let n = 0; n < 20; n++) {
      const from = isComplex ? "complex128" : n % 2 ? "float64" : "int32";
      const data = zeros(from, 20);
      data.set(numbersFor(dtype, random).subarray(0, data.length) as never);
      const array = ndarray(data as never, [4, 5], from) as NDArray;
      const operation = convert({ dtype, beyond: "refuse" });
      const found = mapViews(await open(array as never), operation, { context });
      let expected: NDArray | undefined;
      try {
        expected = castArray("it", array, dtype);
      } catch (error) {
        await assertRejects(() => found, Error, String((error as Error).message).split(": ")[1]!);
      }
      if (expected) assertEquals((await found).data, expected.data, `${from} → ${dtype}`);
    }
  }
  assert(
    castArray("it", ndarray(Float64Array.of(NaN, 1), [2], "float64", Uint8Array.of(0, 1)), "uint8").valid,
  );
});

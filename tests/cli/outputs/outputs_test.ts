/** What is written and said about results of all kinds. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { endingsFor, TARGETS } from "../../../src/sinks/registry.ts";
import { outputPaths } from "../../../src/cli/outputs/outputs.ts";
import { readPng } from "../../pictures/read_png.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";

const MODULE = decodeURIComponent(new URL("./objects_udf.ts", import.meta.url).pathname);

async function withScan(body: (file: string, folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const samples = Uint16Array.from({ length: 4 * 6 * 25 }, (_, i) => (i * i) % 97);
    await writeNpy(`${folder}/scan.npy`, "<u2", [4, 6, 5, 5], new Uint8Array(samples.buffer));
    await body(`${folder}/scan.npy`, folder);
  });
}

Deno.test("object results are saved as JSON, are in the manifest, and are compared by replay", async () => {
  await withScan(async (scan, folder) => {
    const words = ["run", `${MODULE}:least=90`, scan, "--workers", "1", "--roi", "0:2,0:6"];
    const { code, json, err } = await cli([...words, "--json", "--quiet", "-o", `${folder}/p.npy`]);
    assertEquals(code, 0, err);
    const rows = json();
    assertEquals(rows.map(({ result, dtype, finite }) => [result, dtype, finite]), [
      ["count", "int32", 12],
      ["peaks", "object", 12],
    ]);
    assertEquals(rows[1]!.files, [`${folder}/p-peaks.json`]);
    assertEquals(rows.map(({ manifest }) => manifest), [`${folder}/p.run.json`, `${folder}/p.run.json`]);
    const { shape, data, valid } = JSON.parse(await Deno.readTextFile(`${folder}/p-peaks.json`));
    assertEquals([shape, data.length, valid.length, data[23]], [[4, 6], 24, 24, null]);
    const expected = Array.from({ length: 25 }, (_, i) => i).filter((i) => ((25 + i) ** 2) % 97 >= 90);
    assertEquals(data[1], expected);
    const manifest = JSON.parse(await Deno.readTextFile(`${folder}/p.run.json`));
    assertEquals(manifest.results[1].dtype, "object");
    assertEquals(manifest.results[1].files, [`${folder}/p-peaks.json`]);
    const again = await cli(["replay", `${folder}/p.run.json`, "--json", "--allow-modules"]);
    assertEquals(again.json().map(({ result, same }) => [result, same]), [["count", true], ["peaks", true]]);
    manifest.command.arguments[0] = `${MODULE}:least=60`;
    await Deno.writeTextFile(`${folder}/p.run.json`, JSON.stringify(manifest));
    const other = await cli(["replay", `${folder}/p.run.json`, "--json", "--allow-modules"]);
    assertEquals([other.code, other.json()[1]!.same], [1, false]);
  });
});

Deno.test("a single object result goes to .json, whatever -o says; .json takes no numbers", async () => {
  await withScan(async (scan, folder) => {
    for (const out of ["only.json", "only.npy", "only.npz", "only"]) {
      const words = ["run", `${MODULE}#only`, scan, "--quiet", "-o", `${folder}/${out}`];
      const { code, err } = await cli(words);
      assertEquals(code, 0, err);
      const path = out === "only.npz" ? "only-peaks.json" : "only.json";
      await Deno.remove(`${folder}/${path}`);
    }
    const refused = await cli(["run", "sum", scan, "-o", `${folder}/sum.json`]);
    assertMatch(refused.err, /the name must end with one of \.npy/);
  });
});

Deno.test("paths of several results", async () => {
  const named = [{ label: "a", suffix: "a" }, { label: "b", suffix: "b", isObject: true }];
  const paths = async (out: string) => [...(await outputPaths(out, named)).values()];
  assertEquals(await paths("none/"), ["none/a.npy", "none/b.json"]);
  assertEquals(await paths("x.tif"), ["x-a.tif", "x-b.json"]);
  assertEquals(await paths("x.npz"), ["x.npz", "x-b.json"]);
  assertEquals(await paths("x.json"), ["x-a.npy", "x-b.json"]);
  for (const [ending] of TARGETS.filter(({ arrays }) => arrays).map(({ endings }) => endings)) {
    const [one] = (await outputPaths(`x${ending.toUpperCase()}`, [{ label: "a", suffix: "a" }])).values();
    assertEquals(one, `x${ending.toUpperCase()}`);
  }
});

Deno.test("complex results: the magnitude is said and shown, the file has both parts", async () => {
  await withScan(async (scan, folder) => {
    const { out, code } = await cli(["run", "fft", scan, "--workers", "0", "-o", `${folder}/f.npy`]);
    assertEquals(code, 0);
    assertMatch(out, /fft-fft +5 × 5 complex128, magnitude from /);
    const [info] = (await cli(["stats", "--json", `${folder}/f-fft.npy`])).json();
    assertEquals(info!.dtype, "complex128");
    const [a, b] = await Promise.all(
      ["fft", "magnitude"].map(async (name) => readPng(await Deno.readFile(`${folder}/f-${name}.png`))),
    );
    assertEquals(a!.samples, b!.samples);
  });
});

Deno.test("results that a file cannot hold are refused before the run, of shards too", async () => {
  await withScan(async (scan, folder) => {
    const refused: string[] = [];
    for (const udf of ["fft", "stddev", "sumsig", "fftpick"]) {
      for (const ending of endingsFor("arrays")) {
        const { code, err } = await cli([
          "run",
          udf,
          scan,
          "-o",
          `${folder}/${udf}${ending.replace(".", "-")}/x${ending}`,
        ]);
        if (code === 0) continue;
        assertMatch(err, /^tilewise: \[unsupported\] Cannot write [^\n]+\n$/); // no line about frames that were read
        refused.push(`${udf} ${ending}`);
      }
    }
    assertEquals(refused, ["fft .fits", "stddev .fits", "fftpick .fits"]);
    const store = `dir:${folder}/store`;
    assertEquals((await cli(["run", "fft", scan, "--store", store, "--shard", "1/1"])).code, 0);
    const merged = await cli(["merge", store, "-o", `${folder}/x.fits`]);
    assertEquals(merged.code, 1);
    assertMatch(merged.err, /^tilewise: \[unsupported\] Cannot write frames of 5 × 5 complex128 as FITS/);
  });
});

Deno.test("NaN and what is not valid do not count for the range, and are said", async () => {
  await withScan(async (scan) => {
    const some = await cli(["run", "sumsig", scan, "--roi", "1,2;3,-1", "--workers", "0"]);
    assertMatch(some.out, /float64, from \d+ to \d+; 22 of 24 are NaN or not valid/);
    const none = await cli(["run", "expr:sum(0/(x-x))", scan, "--workers", "0", "--quiet"]);
    assertMatch(none.out, /expr +4 × 6 float64, no finite value/);
    const { json } = await cli(["run", "expr:sum(0/(x-x))", scan, "--workers", "0", "--quiet", "--json"]);
    assertEquals([json()[0]!.min, json()[0]!.max, json()[0]!.finite], [null, null, 0]);
  });
});

Deno.test("signed results are shown around zero; flags choose colours, range and legend", async () => {
  await withScan(async (scan, folder) => {
    const run = async (name: string, ...flags: string[]) => {
      const words = ["run", "com:cy=-9,cx=-9", scan, "--workers", "0", "-o", `${folder}/${name}/`];
      const { code, err } = await cli([...words, ...flags]);
      assertEquals(code, 0, err);
      return readPng(await Deno.readFile(`${folder}/${name}/com-field_y.png`));
    };
    const pixel = ({ samples }: { samples: ArrayLike<number> }, n = 0) =>
      Array.from(samples).slice(3 * n, 3 * n + 3);
    const plain = await run("plain"); // all of them positive: on the red side of blue and red
    assert(pixel(plain)[0]! > pixel(plain)[2]!);
    const gray = await run("gray", "--colormap", "gray", "--percentile", "10,90");
    assertEquals(new Set(pixel(gray)).size, 1);
    const whites = Array.from(gray.samples).filter((v) => v === 255).length;
    assert(whites >= 3 * 2, `${whites} clipped`);
    const legend = await run("legend", "--legend");
    assert(legend.width > plain.width);
    const bad: [string[], RegExp][] = [
      [["--colormap", "jet"], /--colormap jet: Unknown colour map "jet"; known are gray/],
      [["--percentile", "90"], /--percentile 90: write two numbers/],
      [["--percentile", "90,10"], /--percentile 90,10: Cannot use percentiles/],
    ];
    for (const [flags, words] of bad) {
      const { code, err } = await cli(["run", "sum", scan, ...flags]);
      assertEquals(code, 2);
      assertMatch(err, words);
    }
  });
});

Deno.test("--roi takes positions; --tile-bytes, --backends, --no-cull and --partitions reach the plan", async () => {
  await withFolder(async (folder) => {
    const scan = `${folder}/scan.npy`;
    await writeNpy(scan, "|u1", [10, 10, 256, 256], new Uint8Array(100 * 2 ** 16));
    const explained = async (...flags: string[]) =>
      (await cli(["run", "disk:r=1", scan, "--dry-run", "--workers", "0", ...flags])).out;
    assertMatch(await explained("--roi", "1,2;-1,-1"), /2 of 100 positions selected/);
    assertMatch(await explained("--roi", "1,2"), /1 of 100 positions selected/);
    assertMatch(await explained("--partitions", "3"), /in 4 partitions of/);
    assert(await explained("--tile-bytes", "64KiB") !== await explained());
    assertMatch(await explained(), /cull +only rows 127 to 129/);
    assert(!/cull +only/.test(await explained("--no-cull")));
    const wrong = await cli(["run", "sum", scan, "--backends", "dense,gpu"]);
    assertMatch(wrong.err, /"gpu" is not a form of tiles; there are dense, csr, csc, coo/);
    const refused = await cli(["run", "stddev", scan, "--backends", "csr", "--workers", "0"]);
    assertEquals(refused.code, 1);
    assertMatch(
      (await cli(["run", "sum", scan, "--roi", "9,10"])).err,
      /\(9, 10\) is not in a scan of 10 × 10/,
    );
    assertMatch((await cli(["run", "sum", scan, "--roi", "1,;2"])).err, /write positions as Y,X;Y,X;…/);
  });
});

import { assert, assertEquals } from "@std/assert";
import { cli, withFolder, writeNpy } from "../harness.ts";

const MODULE = decodeURIComponent(new URL("../analyses/threshold_udf.ts", import.meta.url).pathname);

/** A 4 × 5 scan of 8 × 8 frames; pixel (y, x) of frame n is n + y + 10·x. */
const value = (n: number, y: number, x: number) => n + y + 10 * x;

async function withScan(body: (file: string, folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const samples = Uint16Array.from({ length: 20 * 64 }, (_, i) => value(i >> 6, i >> 3 & 7, i & 7));
    await writeNpy(`${folder}/scan.npy`, "<u2", [4, 5, 8, 8], new Uint8Array(samples.buffer));
    await body(`${folder}/scan.npy`, folder);
  });
}

const total = (n: number) => 64 * n + 8 * 28 + 80 * 28;

/** What `pick` says a whole array holds. */
async function values(file: string, shape: readonly number[]): Promise<unknown> {
  const { json, err } = await cli(["pick", file, "--json", "--box", shape.map((n) => `0:${n}`).join(",")]);
  assertEquals(err, "");
  return json()[0]!.values;
}

Deno.test("one result goes to -o, with a picture beside it", async () => {
  await withScan(async (file, folder) => {
    const { code, out, err } = await cli(["run", "sumsig", file, "-o", `${folder}/bf.npy`, "--workers", "0"]);
    assertEquals(code, 0, err);
    assert(out.includes(`: ${folder}/bf.npy, .png\n`));
    assert(/20 frames, 2\.5 KiB in .* s/.test(err), err);
    const expected = [0, 1, 2, 3].map((i) => [0, 1, 2, 3, 4].map((j) => total(5 * i + j)));
    assertEquals(await values(`${folder}/bf.npy`, [4, 5]), expected);
  });
});

Deno.test("several results go to a folder, or get a suffix; two of one name get numbers", async () => {
  await withScan(async (file, folder) => {
    const words = ["run", "sum", "disk:r=2", "disk:r=3", file, "--workers", "0", "--json"];
    const first = await cli([...words, "-o", `${folder}/out/`]);
    assertEquals(first.code, 0, first.err);
    const files = first.json().flatMap((line) => line.files as string[]);
    const names = ["disk-2.npy", "disk-2.png", "disk.npy", "disk.png", "sum.npy", "sum.png"];
    assertEquals(files.toSorted(), names.map((name) => `${folder}/out/${name}`));
    const second = await cli([...words, "-o", `${folder}/x.npy`]);
    assert(second.json().some((line) => (line.files as string[]).includes(`${folder}/x-disk-2.npy`)));
    const com = await cli(["run", "com", file, "--workers", "0", "-o", `${folder}/com.npy`]);
    assertEquals(com.code, 0, com.err);
    assert(com.out.includes(`${folder}/com-field.npy, .png\n`));
  });
});

Deno.test("JSON names source, UDF, result, shape, dtype and range", async () => {
  await withScan(async (file) => {
    const { json, err } = await cli(["run", "sumsig", file, "--json", "--quiet", "--workers", "0"]);
    assertEquals(err, "");
    assertEquals(json(), [{
      source: file,
      udf: "sumsig",
      result: "intensity",
      shape: [4, 5],
      dtype: "float64",
      axes: [{ name: "y" }, { name: "x" }],
      values: { kind: "amount" },
      min: total(0),
      max: total(19),
      finite: 20,
      files: [],
    }]);
  });
});

Deno.test("centres default to the middle; detectors agree with a plain sum", async () => {
  await withScan(async (file, folder) => {
    const udfs = ["disk:r=2", "disk:cy=4,cx=4,r=2", "annular:ri=1,ro=3"];
    const { code } = await cli(["run", ...udfs, file, "--quiet", "--workers", "0", "-o", `${folder}/o/`]);
    assertEquals(code, 0);
    const sum = (n: number, inside: (r2: number) => boolean) => {
      let found = 0;
      for (let y = 0; y < 8; y++) {
        for (let x = 0; x < 8; x++) if (inside((y - 4) ** 2 + (x - 4) ** 2)) found += value(n, y, x);
      }
      return found;
    };
    const grid = (at: (n: number) => number) =>
      [0, 1, 2, 3].map((i) => [0, 1, 2, 3, 4].map((j) => at(5 * i + j)));
    const disk = grid((n) => sum(n, (r2) => r2 <= 4));
    assertEquals(await values(`${folder}/o/disk.npy`, [4, 5]), disk);
    assertEquals(await values(`${folder}/o/disk-2.npy`, [4, 5]), disk);
    assertEquals(
      await values(`${folder}/o/annular.npy`, [4, 5]),
      grid((n) => sum(n, (r2) => r2 > 1 && r2 <= 9)),
    );
  });
});

Deno.test("masks come from a file: one, or a stack", async () => {
  await withScan(async (file, folder) => {
    const masks = new Uint8Array(128);
    masks.fill(1, 0, 64);
    masks[64] = 1;
    await writeNpy(`${folder}/two.npy`, "|u1", [2, 8, 8], masks);
    const words = ["run", `mask:file=${folder}/two.npy`, file, "--quiet", "--workers", "0"];
    const { code, err } = await cli([...words, "-o", `${folder}/m.npy`]);
    assertEquals(code, 0, err);
    const found = await cli(["stats", "--json", `${folder}/m.npy`]);
    assertEquals(found.json()[0]!.shape, [4, 5, 2]);
    const all = Array.from({ length: 20 }, (_, n) => total(n) + value(n, 0, 0)).reduce((a, b) => a + b);
    assertEquals(found.json()[0]!.sum, all);
  });
});

Deno.test("a region of interest by ranges or by a mask file", async () => {
  await withScan(async (file, folder) => {
    const mask = Uint8Array.from({ length: 20 }, (_, n) => n === 6 || n === 7 ? 1 : 0);
    await writeNpy(`${folder}/roi.npy`, "|b1", [4, 5], mask);
    for (const roi of ["1:2,1:3", "1+1,1+2", "-3,-4:-2", "1,1:3", `${folder}/roi.npy`]) {
      const words = ["run", "sum", file, "--roi", roi, "--json", "--quiet", "--workers", "0"];
      const { json, err } = await cli(words);
      assertEquals(err, "");
      assertEquals(json()[0]!.max, value(6, 7, 7) + value(7, 7, 7));
    }
  });
});

Deno.test("dark frame, gain map and dead pixels are corrected", async () => {
  await withScan(async (file, folder) => {
    const dark = Float32Array.from({ length: 64 }, (_, i) => value(0, i >> 3, i & 7));
    await writeNpy(`${folder}/dark.npy`, "<f4", [8, 8], new Uint8Array(dark.buffer));
    await writeNpy(`${folder}/gain.npy`, "<f4", [8, 8], new Uint8Array(new Float32Array(64).fill(2).buffer));
    const flags = [
      "--dark",
      `${folder}/dark.npy`,
      "--gain",
      `${folder}/gain.npy`,
      "--exclude",
      "3,3",
      "--exclude",
      "0,0",
    ];
    const words = ["run", "sumsig", file, ...flags, "--json", "--quiet", "--workers", "0"];
    const { json, err } = await cli(words);
    assertEquals(err, "");
    assertEquals([json()[0]!.min, json()[0]!.max], [0, 64 * 2 * 19]);
  });
});

Deno.test("--dry-run tells the plan, and reads and writes nothing", async () => {
  await withScan(async (file, folder) => {
    const { code, out } = await cli(["run", "sum", file, "--dry-run", "-o", `${folder}/no.npy`]);
    assert(code === 0 && out.includes("read") && out.includes("memory"));
    const { json } = await cli(["run", "sum", file, "--dry-run", "--json"]);
    assertEquals(json()[0]!.bytesToRead, 20 * 128);
    assertEquals([...Deno.readDirSync(folder)].length, 1);
  });
});

Deno.test("a UDF of one's own, with parameters, on workers", async () => {
  await withScan(async (file, folder) => {
    const words = ["run", `${MODULE}:least=80`, file, "--quiet", "--workers", "2", "-o", `${folder}/t.npy`];
    const { code, err } = await cli(words);
    assertEquals(code, 0, err);
    const expected = [0, 1, 2, 3].map((i) =>
      [0, 1, 2, 3, 4].map((j) => {
        const pixels = Array.from({ length: 64 }, (_, k) => value(5 * i + j, k >> 3, k & 7));
        return pixels.filter((v) => v >= 80).length;
      })
    );
    assertEquals(await values(`${folder}/t.npy`, [4, 5]), expected);
  });
});

Deno.test("a UDF that throws, one that is none, one that is missing: a typed error that names it", async () => {
  await withScan(async (file) => {
    const cases: [string, string][] = [["failing", "this cannot work"], ["nonsense", "is not a UDF"], [
      "other",
      "no export",
    ]];
    for (const [name, words] of cases) {
      const { code, err } = await cli(["run", `${MODULE}#${name}`, file, "--quiet", "--workers", "1"]);
      assertEquals(code, 1);
      assert(err.includes("[udf]") && err.includes(words), err);
    }
  });
});

Deno.test("a UDF that never returns ends as a typed error", async () => {
  await withScan(async (file) => {
    const words = ["run", `${MODULE}#endless`, file, "--quiet", "--workers", "1", "--stall-timeout", "1"];
    const { code, err } = await cli(words);
    assertEquals(code, 1);
    assert(err.includes("[timeout]") || err.includes("[worker]"), err);
  });
});

Deno.test("an interrupt before the run is exit code 130", async () => {
  await withScan(async (file) => {
    const { code, err } = await cli(["run", "sum", file, "--workers", "0"], {
      signal: AbortSignal.abort(new Error("interrupted")),
    });
    assertEquals(code, 130);
    assert(err.startsWith("tilewise: interrupted"));
  });
});

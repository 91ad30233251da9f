import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { makeTiff } from "../formats/tiff/make.ts";
import { cli, withFolder, writeNpy } from "./harness.ts";

const DATA = new URL("../../../shared/data/", import.meta.url);

interface Expected {
  readonly file: string;
  readonly format: string;
  readonly expect: string;
  readonly open_with?: Record<string, unknown>;
  readonly arrays: readonly ExpectedArray[];
}

interface ExpectedArray {
  readonly shape: number[];
  readonly nav_shape: number[];
  readonly sig_shape: number[];
  readonly dtype: string;
  readonly sum: unknown;
  readonly min?: unknown;
  readonly max?: unknown;
  readonly sha256_all?: string;
}

/** The expected values of files elsewhere; none where they are not at hand. */
function expectations(): Expected[] {
  try {
    return JSON.parse(Deno.readTextFileSync(new URL("expectations.json", DATA))).entries;
  } catch {
    return [];
  }
}

const DTYPES: Record<string, string> = {
  b1: "bool",
  u1: "uint8",
  i1: "int8",
  u2: "uint16",
  i2: "int16",
  u4: "uint32",
  i4: "int32",
  u8: "uint64",
  i8: "int64",
  f2: "float16",
  f4: "float32",
  f8: "float64",
  c8: "complex64",
  c16: "complex128",
};

/** How a headerless file must be opened, as flags. */
function openFlags(how: Record<string, unknown> = {}): string[] {
  const shape = (value: unknown) => (value as number[]).join("x");
  return Object.entries(how).flatMap(([key, value]) => {
    if (key === "nav_shape") return ["--nav", shape(value)];
    if (key === "sig_shape") return ["--sig", shape(value)];
    return [`--${key.replaceAll("_", "-")}`, String(value)];
  });
}

function near(found: unknown, expected: unknown): boolean {
  if (typeof expected === "object" && expected !== null) {
    const [f, e] = [found as Record<string, unknown>, expected as Record<string, unknown>];
    return near(f.re, e.re) && near(f.im, e.im);
  }
  if (typeof found !== "number" || typeof expected !== "number") return found === expected;
  return Math.abs(found - expected) <= 1e-9 * Math.abs(expected);
}

const wanted = expectations().filter(({ format, expect }) =>
  ["raw", "npy", "mib"].includes(format) && expect === "read"
);

Deno.test({
  name: "stats agree with what independent readers found in raw, npy and MIB files",
  ignore: wanted.length === 0, // the files are not part of this repository
  async fn() {
    assert(wanted.length >= 20, `only ${wanted.length} files`);
    const problems: string[] = [];
    for (const { file, arrays, open_with } of wanted) {
      const flags = openFlags(open_with);
      const path = decodeURIComponent(new URL(file, DATA).pathname);
      const { json } = await cli(["stats", "--json", "--sha256", ...flags, path]);
      const lines = json();
      if (lines.length !== arrays.length) {
        problems.push(`${file}: ${lines.length} of ${arrays.length} arrays`);
      }
      lines.forEach((found, i) => {
        const { shape, dtype, sum, min, max, sha256_all } = arrays[i] ?? arrays[0]!;
        const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
        const checks: [string, boolean][] = [
          ["shape", same(found.shape, shape)],
          ["split", same([found.navShape, found.sigShape].flat(), shape)],
          ["dtype", found.dtype === DTYPES[dtype.slice(1)]],
          ["sum", near(found.sum, sum)],
          ["min", min === undefined || near(found.min, min)],
          ["max", max === undefined || near(found.max, max)],
          ["sha256", sha256_all === undefined || found.sha256 === sha256_all],
        ];
        for (const [what, ok] of checks) if (!ok) problems.push(`${file}: ${what}: ${JSON.stringify(found)}`);
      });
    }
    assertEquals(problems, []);
  },
});

Deno.test("stats of a small file: every field, exact beyond 2^53, and the digest", async () => {
  await withFolder(async (folder) => {
    const samples = BigUint64Array.of(2n ** 63n, 2n ** 63n, 5n, 0n);
    await writeNpy(`${folder}/a.npy`, "<u8", [2, 1, 2], new Uint8Array(samples.buffer));
    const { code, json } = await cli(["stats", "--json", "--sha256", `${folder}/a.npy`]);
    assertEquals(code, 0);
    const digest = await crypto.subtle.digest("SHA-256", samples.buffer);
    assertEquals(json(), [{
      source: `${folder}/a.npy`,
      array: "",
      shape: [2, 1, 2],
      navShape: [2],
      sigShape: [1, 2],
      dtype: "uint64",
      blank: 0,
      count: 4,
      sum: "18446744073709551621",
      min: 0,
      max: "9223372036854775808",
      mean: 4611686018427387905,
      sha256: new Uint8Array(digest).toHex(),
    }]);
  });
});

Deno.test("stats of NaN, infinities and complex numbers are strings and pairs in JSON", async () => {
  await withFolder(async (folder) => {
    await writeNpy(
      `${folder}/f.npy`,
      "<f4",
      [1, 1, 3],
      new Uint8Array(Float32Array.of(NaN, 1, Infinity).buffer),
    );
    await writeNpy(`${folder}/c.npy`, ">c8", [1, 1, 1], new Uint8Array([63, 128, 0, 0, 192, 0, 0, 0]));
    const { json, code } = await cli(["stats", "--json", `${folder}/f.npy`, `${folder}/c.npy`]);
    assertEquals(code, 0);
    const [f, c] = json();
    assertEquals([f!.sum, f!.min, f!.max, f!.mean], ["NaN", 1, "Infinity", "NaN"]);
    assertEquals([c!.dtype, c!.sum, c!.min], ["complex64", { re: 1, im: -2 }, null]);
  });
});

Deno.test("one failing source is reported in its place, the others continue, and the exit code is 1", async () => {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/a.npy`, "|u1", [1, 2, 2], Uint8Array.of(1, 2, 3, 4));
    const sources = [`${folder}/a.npy`, `${folder}/none.mib`, folder, `${folder}/a.npy`];
    const { code, json, err } = await cli(["stats", "--json", ...sources]);
    assertEquals(code, 1);
    assertEquals(err, "");
    const found = json();
    assertEquals(found.map((line) => line.sum ?? (line.error as { code: string }).code), [
      10,
      "not-found",
      "not-a-file",
      10,
    ]);
    assertEquals(found.map(({ source }) => source), sources);
    const text = await cli(["stats", ...sources]);
    assertEquals(text.code, 1);
    assertEquals(text.err.trimEnd().split("\n").length, 2);
    assert(text.out.includes("sum") && text.err.includes("none.mib"));
  });
});

Deno.test("blank scan positions are not counted, and said so", async () => {
  await withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/a.raw`, Uint8Array.of(1, 2, 3, 4));
    const flags = ["--dtype", "uint8", "--nav", "2x2", "--sig", "1x2", "--sync-offset", "-1"];
    const { json } = await cli(["stats", "--json", `${folder}/a.raw`, ...flags]);
    assertEquals([json()[0]!.count, json()[0]!.sum, json()[0]!.blank], [4, 10, 2]);
    const { out } = await cli(["stats", `${folder}/a.raw`, ...flags]);
    assert(out.includes("2 scan positions have no frame and are not counted"));
  });
});

Deno.test("frames larger than a block are read in bands, and add up the same", async () => {
  await withFolder(async (folder) => {
    const [rows, columns] = [1500, 2001];
    const samples = Uint16Array.from({ length: rows * columns }, (_, i) => i % 65521);
    const bytes = new Uint8Array(samples.buffer);
    await Deno.writeFile(`${folder}/a.raw`, bytes);
    const flags = ["--dtype", "uint16", "--nav", "1", "--sig", `${rows}x${columns}`, "--sha256"];
    const { json } = await cli(["stats", "--json", `${folder}/a.raw`, ...flags]);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
    assertEquals([json()[0]!.sum, json()[0]!.sha256], [samples.reduce((a, b) => a + b, 0), digest]);
  });
});

Deno.test("pages that are opened together elsewhere are told as one array; JSON tells each of them", () =>
  withFolder(async (folder) => {
    const page = { height: 3, width: 4 }, path = `${folder}/pages.tif`;
    await Deno.writeFile(path, makeTiff([page, page]));
    const said = '"series0" has all 2 pages; it is opened where one array is wanted';
    const { json } = await cli(["stats", path, "--json"]);
    assertEquals(json().map(({ array, stack }) => [array, stack]), [["ifd0", said], ["ifd1", undefined]]);
    const { out } = await cli(["stats", path]);
    assertEquals(out.match(/^\S.*$/gm), [`${path} [series0]`], "one array, which all pages are");
    assertStringIncludes(out, '  images  "ifd0" to "ifd1"; --array NAME shows one of them, --json all\n');
    const whole = await cli(["stats", path, "--json", "--array", "series0"]);
    assertEquals(whole.json()[0]!.shape, [2, 3, 4]);
  }));

Deno.test("levels of a pyramid are told in lines of their image", () =>
  withFolder(async (folder) => {
    const [from, to] = [`${folder}/a.npy`, `${folder}/a.ome.zarr`];
    await writeNpy(from, "|u1", [600, 600], Uint8Array.from({ length: 360_000 }, (_, i) => i % 7));
    assertEquals((await cli(["convert", from, to])).code, 0);
    const { out } = await cli(["stats", to]);
    assertEquals(out.match(/^\S.*$/gm), [`${to} [0]`]);
    assertStringIncludes(out, '  level 1  300 × 300, array "1"\n');
    assertEquals((await cli(["stats", to, "--json"])).json().map(({ array }) => array), ["0", "1"]);
  }));

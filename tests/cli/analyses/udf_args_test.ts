/** UDFs as words of the command line. */

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { UsageError } from "../../../src/cli/shell/args.ts";
import { makeUdfs, parseUdfs } from "../../../src/cli/analyses/udf_args.ts";
import { open } from "../../../src/formats/open.ts";
import { builtin, type UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { withFolder, writeNpy } from "../harness.ts";

/** The UDFs that words mean for frames of 8 × 10 pixels. */
async function udfs(words: readonly string[]): Promise<Record<string, UdfRef>> {
  const dataset = await open(new Uint8Array(160), { format: "raw", dtype: "uint8", nav: [2], sig: [8, 10] });
  const made = await makeUdfs(parseUdfs(words), {
    dataset,
    firstPass: () => Promise.resolve(undefined),
    tell: () => {},
    selects: false,
  });
  return Object.fromEntries(Object.entries(made).map(([key, { ref }]) => [key, ref]));
}

Deno.test("cy, cx and r become the disk that is cut out before a transform", async () => {
  assertEquals(await udfs(["crystallinity:ri=1,ro=2,cy=4,cx=5,r=3", "fft", "fftpick:cy=1,cx=2,r=0.5"]), {
    crystallinity: builtin("crystallinity", { ri: 1, ro: 2, real: { cy: 4, cx: 5, r: 3 } }),
    fft: builtin("fft_of_sum", {}),
    fftpick: builtin("fft_of_frames", { real: { cy: 1, cx: 2, r: 0.5 } }),
  });
});

Deno.test("what a UDF needs and takes is said", () => {
  const cases: [string, string][] = [
    ["crystallinity:ri=1", "needs ro; write crystallinity:ri=…,ro=…"],
    ["fem:r=1", "it takes cy, cx, ri, ro"],
    ["com:r=many", "cannot use r=many; write a number"],
    ["com:flipY=1", "write true or false"],
    ["com:r=1,r=2", "has r twice"],
    ["strainmap:radius=4,zero=1", "cannot use zero=1; write y:x"],
    ["correlate:radius=4,peaks=1;2", "write y:x;y:x;… or @FILE.npy"],
    ["mask:make=cones", "write circular or ring or"],
    ["mask", "needs file or make"],
    ["cluster:features=3", "needs n"],
    ["map:sum", "write map:./mine.ts"],
    ["expr:", "computes nothing"],
    ["expr:t=3", "computes nothing"],
    ["expr:a=x;a=sum(x)", "are called a"],
  ];
  for (const [word, message] of cases) assertThrows(() => parseUdfs([word]), UsageError, message);
});

Deno.test("what only shows with the data is said, too", async () => {
  const cases: [string, string][] = [
    ["mask:make=circular", "the masks circular need r"],
    ["mask:make=circular,r=1,bins=3", 'have no parameter "bins"; it takes cy, cx, r, antialiased'],
    ["mask:file=a.npy,r=1", "takes no r with a file"],
    ["fft:cy=1", "needs cy, cx and r"],
    ["correlate:peaks=1:1", "needs radius"],
    ["correlate:radius=1,delta=1,peaks=1:1", "background-subtraction has no delta"],
    ["correlate:radius=1,peaks=1:1,zero=1:1", "either peaks or a lattice"],
    ["refinelattice:radius=1,zero=1:1", "needs all of zero, a and b"],
    ["strainmap:radius=1,zero=4:4,a=0:3,b=3:0,reference=1:1", "needs two vectors"],
  ];
  for (const [word, message] of cases) await assertRejects(() => udfs([word]), UsageError, message);
});

Deno.test("map: before a module means a function of a frame", async () => {
  assertEquals(
    parseUdfs(["map:./mine.ts#most:least=3", "map:./mine.ts", "./mine.ts"]).map(({ key }) => key),
    [
      "most",
      "mine",
      "mine-2",
    ],
  );
  const { most, mine, "mine-2": own } = await udfs([
    "map:./mine.ts#most:least=3",
    "map:./mine.ts",
    "./mine.ts",
  ]);
  const { module, ...rest } = most!.params;
  assertEquals([most!.export, rest], ["map_frames", { export: "most", params: { least: 3 } }]);
  assertEquals([String(module).startsWith("file:///"), mine!.export, own!.export], [
    true,
    "map_frames",
    "default",
  ]);
});

Deno.test("vectors, points and files are read; a lattice gives its points in the frame", async () => {
  await withFolder(async (folder) => {
    const points = new Uint8Array(Float64Array.of(4, 5, 1, 8).buffer);
    await writeNpy(`${folder}/a,b.npy`, "<f8", [2, 2], points);
    const { refinelattice, correlate, pixels } = await udfs([
      "refinelattice:radius=1.5,zero=4:5,a=0:3,b=3:0,margin=1,match=affine",
      `correlate:pattern=circular,radius=1,peaks=@${folder}/a,b.npy,upsample=true`,
      "pixels:at=1:2;3:4",
    ]);
    const inside = [[-1, -1], [-1, 0], [0, -1], [0, 0], [1, -1], [1, 0]]; // rows 1 and 4, columns 2, 5 and 8
    assertEquals(refinelattice!.params.indices, inside as never);
    assertEquals([refinelattice!.params.match, refinelattice!.params.a], ["affine", [0, 3]]);
    assertEquals([correlate!.params.peaks, correlate!.params.upsample], [[[4, 5], [1, 8]], true]);
    assertEquals(pixels, builtin("pixel_values", { at: [[1, 2], [3, 4]] }));
  });
});

Deno.test("an expression has results, numbers and arrays by name", async () => {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/gain.npy`, "|u1", [8, 10], new Uint8Array(80).fill(2));
    const words = [
      "expr:sum(max(x, 3))",
      `expr:bright = count(x*gain >= t) ; image=frames.mean(x);t=10;gain=@${folder}/gain.npy;precision=float64`,
    ];
    const { expr, "expr-2": second } = await udfs(words);
    assertEquals(expr!.params.source, { value: "sum(max(x, 3))" });
    const { source, params, precision } = second!.params;
    assertEquals([source, params, precision], [
      { bright: "count(x*gain >= t)", image: "frames.mean(x)" },
      { t: 10 },
      "float64",
    ]);
    assertEquals(parseUdfs(["expr:x == 3"])[0]!.values, { value: "x == 3" });
  });
});

Deno.test("spaces of any number around the parts of an expression mean nothing", () => {
  const spaces = " ".repeat(1_000_000);
  const [word] = parseUdfs([`expr:${spaces}a${spaces}=${spaces}sum(x)${spaces};t = 3`]);
  assertEquals(word!.values, { a: "sum(x)", t: 3 });
  assertEquals(parseUdfs([`expr:a${spaces}== x`])[0]!.values, { value: `a${spaces}== x` });
});

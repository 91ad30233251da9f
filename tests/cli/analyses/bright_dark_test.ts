/** bf, abf, adf and haadf are words of run, with radii by that of the bright disk. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { makeUdfs, parseUdfs } from "../../../src/cli/analyses/udf_args.ts";
import { open } from "../../../src/formats/open.ts";
import { builtin, type UdfRef } from "../../../src/udf/interface/udf_ref.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";

/** The UDF that a word means for frames of 40 × 60 pixels. */
async function udf(word: string): Promise<UdfRef> {
  const dataset = await open(new Uint8Array(2400), {
    format: "raw",
    dtype: "uint8",
    nav: [1],
    sig: [40, 60],
  });
  return Object.values(
    await makeUdfs(parseUdfs([word]), {
      dataset,
      firstPass: () => Promise.resolve(undefined),
      tell: () => {},
      selects: false,
    }),
  )[0]!
    .ref;
}

Deno.test("bright and dark field have radii in parts of the frame, or by the bright disk", async () => {
  assertEquals(await udf("bf"), builtin("disk_detector", { r: 6 }));
  assertEquals(await udf("abf"), builtin("annular_detector", { ri: 3, ro: 6 }));
  assertEquals(await udf("adf"), builtin("annular_detector", { ri: 6, ro: 20 }));
  assertEquals(await udf("haadf"), builtin("annular_detector", { ri: 12, ro: 20 }));
  assertEquals(await udf("bf:r=9,cy=1"), builtin("disk_detector", { r: 9, cy: 1 }));
  assertEquals(await udf("haadf:r=8,cx=2"), builtin("annular_detector", { ri: 16, ro: 20, cx: 2 }));
  assertEquals(await udf("haadf:r=8,ri=10"), builtin("annular_detector", { ri: 10, ro: 20 }));
  assertEquals(await udf("abf:r=8,ro=9"), builtin("annular_detector", { ri: 4, ro: 9 }));
});

Deno.test("bright and annular dark field together are all there is in the circle; haadf is a part of adf", async () => {
  await withFolder(async (folder) => {
    const samples = Uint8Array.from({ length: 6 * 32 * 32 }, (_, i) => i * 37 % 251);
    await writeNpy(`${folder}/a.npy`, "|u1", [2, 3, 32, 32], samples);
    const words = ["bf", "adf", "haadf", "abf", "disk:r=16"];
    const run = await cli([
      "run",
      ...words,
      `${folder}/a.npy`,
      "--quiet",
      "--workers",
      "0",
      "-o",
      `${folder}/o/`,
    ]);
    assertEquals(run.code, 0, run.err);
    const values = async (name: string) => {
      const { json } = await cli(["pick", `${folder}/o/${name}.npy`, "--box", ":,:", "--json"]);
      return (json()[0]!.values as number[][]).flat();
    };
    const [bf, adf, haadf, abf, all] = await Promise.all(["bf", "adf", "haadf", "abf", "disk"].map(values));
    assertEquals(bf!.map((value, i) => value + adf![i]!), all);
    assert(haadf!.every((value, i) => value > 0 && value < adf![i]!));
    assert(abf!.every((value, i) => value > 0 && value < bf![i]!));
  });
});

Deno.test("a ring that is none is refused, with its radii", async () => {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/a.npy`, "|u1", [2, 32, 32], new Uint8Array(2048));
    const { code, err } = await cli(["run", "haadf:r=9", `${folder}/a.npy`]);
    assertEquals(code, 2);
    assertMatch(err, /the ring of haadf would reach from ri=18 to ro=16 px; give a smaller r/);
  });
});

Deno.test("help tells the defaults of bf and haadf", async () => {
  assertMatch(
    (await cli(["help", "run", "bf"])).out,
    /r +radius of the bright disk, in px; default 0.3 × half the/,
  );
  assertMatch((await cli(["help", "run", "haadf"])).out, /ri +inner radius, excluded, in px; default 2 × r/);
});

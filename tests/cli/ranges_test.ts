/** Ranges on the command line are start:stop everywhere, and what they cannot mean is said. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { cli, withFolder, writeNpy } from "./harness.ts";

/** A 4 × 5 scan of 2 × 2 frames; every sample of frame n is n. */
async function withScan(body: (file: string, folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const samples = Uint8Array.from({ length: 20 * 4 }, (_, i) => i >> 2);
    await writeNpy(`${folder}/scan.npy`, "|u1", [4, 5, 2, 2], samples);
    await body(`${folder}/scan.npy`, folder);
  });
}

/** The frames that --roi selects. */
async function chosen(file: string, roi: string): Promise<number[]> {
  const flags = ["--roi", roi, "--json", "--quiet", "--workers", "0"];
  const { code, err } = await cli(["run", "sumsig", file, ...flags, "-o", `${file}.sum.npy`]);
  assertEquals([code, err], [0, ""], `--roi ${roi}`);
  const { json } = await cli(["pick", `${file}.sum.npy`, "--box", ":,:", "--json"]);
  return (json()[0]!.values as (number | string)[][]).flat().flatMap((v, n) => v === "NaN" ? [] : [n]);
}

Deno.test("--roi 0:2,1:3 selects two rows and two columns, 4 positions", async () => {
  await withScan(async (file) => {
    assertEquals(await chosen(file, "0:2,1:3"), [1, 2, 6, 7]);
    for (const same of ["0+2,1+2", ":2,-4:-2", "0:2, 1:3", "0:2:1,1:3:1"]) {
      assertEquals(await chosen(file, same), [1, 2, 6, 7], same);
    }
    assertEquals(await chosen(file, ":,4"), [4, 9, 14, 19]);
    assertEquals(await chosen(file, "::2,1::3"), [1, 4, 11, 14]);
    assertEquals(await chosen(file, "-1:,:"), [15, 16, 17, 18, 19]);
    assertEquals(await chosen(file, "1,2;-1,-1"), [7, 19]);
  });
});

Deno.test("a region that is none is refused: usage where it cannot be read, an error where it does not fit", async () => {
  await withScan(async (file) => {
    const cases: [string, number, RegExp][] = [
      ["0:2", 1, /the scan is 4 × 5; write one range for each of its 2 dimensions, as in 0:2,:/],
      ["0:2,3:6", 1, /3:6 of dimension 1: the scan is 4 × 5, and 6 lies beyond its end/],
      ["-5:,:", 1, /-5: of dimension 0: the scan is 4 × 5, and -5 lies before its start/],
      ["2:1,0:5", 1, /stops before it starts; did you mean 2\+1 \(first\+size\), which is 2:3\?/],
      ["0:2,a:b", 2, /--roi 0:2,a:b: Cannot read the range "a:b"/],
      ["0.5:2,1", 2, /write start:stop for each dimension/],
      ["0:2,::-1", 2, /a negative step/],
      ["1,;2", 2, /write positions as Y,X;Y,X;…/],
      ["nomask", 1, /\[not-found\] Cannot read nomask/],
    ];
    for (const [roi, code, words] of cases) {
      for (const verb of [["run", "sum", file], ["convert", file, `${file}.raw`]]) {
        const found = await cli([...verb, "--roi", roi, "--quiet"]);
        assertEquals([found.code, found.out], [code, ""], `${roi}: ${found.err}`);
        assertMatch(found.err, words);
      }
    }
  });
});

Deno.test("a region without positions is computed, with a warning", async () => {
  await withScan(async (file) => {
    const { code, err } = await cli(["run", "sum", file, "--roi", "1:1,2:2", "--workers", "0"]);
    assertEquals(code, 0);
    assertMatch(err, /warning: .*--roi selects no position of the scan/);
  });
});

Deno.test("pick --box takes the same ranges, without steps", async () => {
  await withScan(async (file) => {
    const { json } = await cli(["pick", file, "--json", "--box", "1:3,-2:,0,:1"]);
    assertEquals([json()[0]!.values, json()[0]!.box], [
      [[[[8]], [[9]]], [[[13]], [[14]]]],
      { origin: [1, 3, 0, 0], shape: [2, 2, 1, 1] },
    ]);
    const refused = await cli(["pick", file, "--box", "0:4:2,:,:,:"]);
    assertEquals(refused.code, 1);
    assertMatch(refused.err, /step 2 of dimension 0: a box has all samples between its ends; write 0:4/);
    assertMatch(
      (await cli(["pick", file, "--box", "0:1,0:1,1:3,0"])).err,
      /dimension 2: the array is 4 × 5 × 2 × 2/,
    );
    const { code, err } = await cli(["pick", file, "--box", "0-1"]);
    assert(code === 2 && err.includes('--box 0-1: Cannot read the range "0-1"'), err);
  });
});

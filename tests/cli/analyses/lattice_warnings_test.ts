/** On the command line: a warning where a lattice is no better than chance, none where there is one. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { findAnalysis } from "../../../src/analyses/words.ts";
import { writeCrystal } from "./crystal.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";

/** Frames of noise, uint16, 3 × 4 of 80 × 80. */
async function writeNoise(folder: string): Promise<string> {
  let state = 17;
  const noise = Uint16Array.from({ length: 12 * 6400 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return 50 + Math.floor(40 * state / 2 ** 32);
  });
  await writeNpy(`${folder}/noise.npy`, "<u2", [3, 4, 80, 80], new Uint8Array(noise.buffer));
  return `${folder}/noise.npy`;
}

Deno.test("a lattice found in noise is called chance, before the run and after it", async () => {
  await withFolder(async (folder) => {
    const scan = await writeNoise(folder);
    for (const name of ["strain_map", "refine_lattice", "correlate_pattern", "feature_vector"]) {
      const { code, err } = await cli(["run", `${name}:radius=3`, scan, "--workers", "0"]);
      assertEquals(code, 0, err);
      assertMatch(err, new RegExp(`${name}: found zero=.*, which \\d+ of \\d+ peaks fit\\n`));
      assertMatch(
        err,
        new RegExp(
          `tilewise: warning: ${name}: \\d+ of \\d+ peaks fit the lattice, which is no better than chance: ` +
            "[\\d.]+ would fit if they were anywhere; give zero, a and b if there is one\\n",
        ),
      );
      const after = new RegExp(
        `warning: ${name}: (\\d+ % of the disks fit the lattice, which is no better|none of)`,
      );
      assertEquals(after.test(err), ["strain_map", "refine_lattice"].includes(name), err);
    }
    const { json, err } = await cli([
      "run",
      "strainmap:radius=3",
      scan,
      "--json",
      "--quiet",
      "--workers",
      "0",
    ]);
    assertEquals(err, "");
    const [found, ...others] = json();
    assert(Number(found!.chance) > 0.01 && Number(found!.expected) > 0, JSON.stringify(found));
    const warnings = others.flatMap(({ warning }) => warning === undefined ? [] : String(warning));
    assertEquals(warnings.length, 2);
    assertMatch(warnings[0]!, /no better than chance/);
  });
});

Deno.test("the plan warns of a tolerance that lets everything fit", async () => {
  await withFolder(async (folder) => {
    const scan = await writeNoise(folder);
    const word = "refinelattice:radius=3,zero=40:40,a=0:8,b=9:0,tolerance=4";
    const { err } = await cli(["run", word, scan, "--dry-run"]);
    assertMatch(
      err,
      /tilewise: warning: .*: refinelattice: \d\d % of the disks fit the lattice wherever they are/,
    );
  });
});

Deno.test("nobody is warned of a real lattice", async () => {
  await withFolder(async (folder) => {
    const scan = await writeCrystal(folder);
    for (const word of ["strainmap:radius=6", "refinelattice:radius=6,zero=48:48,a=0:26,b=25:0"]) {
      const { code, err } = await cli(["run", word, scan, "--workers", "0"]);
      assertEquals(code, 0, err);
      assert(!err.includes("warning"), err);
    }
  });
});

Deno.test("every pattern finds the lattice by itself, also one whose weights are negative in sum", async () => {
  await withFolder(async (folder) => {
    const scan = await writeCrystal(folder);
    for (const pattern of findAnalysis("strain_map")!.parameters.pattern!.words!) {
      const { code, err } = await cli([
        "run",
        `strainmap:radius=6,pattern=${pattern}`,
        scan,
        "--workers",
        "0",
      ]);
      assertEquals(code, 0, `${pattern}: ${err}`);
      assertMatch(err, /a=2[45][.\d]*:.*,b=.*:2[56].*, which/, pattern);
    }
  });
});

Deno.test("one shift for all frames may be typed", async () => {
  await withFolder(async (folder) => {
    const scan = await writeCrystal(folder);
    const zeros = async (word: string) => {
      const run = await cli(["run", word, scan, "-o", `${folder}/f/`, "--workers", "0"]);
      assertEquals(run.code, 0, run.err);
      return await Deno.readFile(`${folder}/f/refinelattice-zero.npy`);
    };
    const lattice = "refinelattice:radius=6,a=0:26,b=25:0";
    // A lattice that is said to be elsewhere by as much as it is shifted back is the same.
    assertEquals(await zeros(`${lattice},zero=40:53,shifts=8:-5`), await zeros(`${lattice},zero=48:48`));
  });
});

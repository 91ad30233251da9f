/** What is wrong with an analysis is said before its first pass reads the file, which may take an hour. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Kind } from "../../../src/analyses/analysis.ts";
import { ANALYSES } from "../../../src/analyses/words.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";
import { writeCrystal } from "./crystal.ts";

/** Words that need a first pass. */
const WORDS: Readonly<Record<string, string>> = {
  centre_of_mass: "centre_of_mass:guess=true",
  cluster_frames: "cluster_frames:n=3",
  correlate_pattern: "correlate_pattern:radius=6",
  feature_vector: "feature_vector:radius=6",
  refine_lattice: "refine_lattice:radius=6",
  strain_map: "strain_map:radius=6",
};

/** Values of each kind, most of them of no sense. */
const VALUES: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  number: ["-1", "0", "1e9", "0.5", "7.5"],
  vector: ["1e9:0", "0:0"],
  points: ["1e9:1e9", "0:0", "0.5:0.5;0.5:0.5"],
  ranges: ["0:1", "9:99,0:1", "0:0,0:0"],
};

/** What only the sums of frames can say. */
const OF_SAMPLES = /no lattice in the \d+ peaks of the sum|varies more than those within/;

/** Each word with each value of each parameter. */
function* words(): Generator<string> {
  for (const [name, word] of Object.entries(WORDS)) {
    const { parameters } = ANALYSES.find((analysis) => analysis.name === name)!;
    for (const [parameter, { kinds }] of Object.entries(parameters)) {
      for (const value of kinds.flatMap((kind) => VALUES[kind] ?? [])) {
        const given = new RegExp(`\\b${parameter}=[^,]*`);
        yield given.test(word)
          ? word.replace(given, `${parameter}=${value}`)
          : `${word},${parameter}=${value}`;
      }
    }
  }
}

Deno.test("an analysis is refused before its first pass, unless for what only the samples tell", async () => {
  await withFolder(async (folder) => {
    const scan = await writeCrystal(folder);
    let refused = 0;
    const late: string[] = [];
    for (const word of words()) {
      const checked = await cli(["run", word, scan, "--workers", "0", "--dry-run"]);
      const { code, err } = await cli(["run", word, scan, "--workers", "0"]);
      if (code !== 0) refused++;
      if (checked.code !== code && !OF_SAMPLES.test(err)) {
        late.push(`${word}: ${checked.code}, ${code} ${err}`);
      }
    }
    assertEquals(late, []);
    assert(refused > 80, `${refused}`);
  });
});

Deno.test("what comes after a first pass is checked before it, too: the type of the files, and other UDFs", async () => {
  await withFolder(async (folder) => {
    const scan = await writeCrystal(folder);
    const cases = [
      "strainmap:radius=6 com:r=-3",
      "strainmap:radius=6 --out-dtype complex64",
      "cluster:n=3 --out-dtype bool",
    ];
    for (const words of cases) {
      const { code, err } = await cli(["run", ...words.split(" "), scan, "-o", `${folder}/out`]);
      assert(code !== 0 && !/found zero|compares|frames,/.test(err), err);
    }
    const forecast = ["--dry-run", "--workers", "2", "--storage-rate", "1GB/s"];
    const refused = await cli(["run", "cluster:n=3", scan, ...forecast]);
    assertEquals(refused.code, 2, refused.err);
    assertMatch(refused.err, /--storage-rate says nothing of a first pass over the data/);
    await writeNpy(scan, "<u2", [4, 5, 96], new Uint8Array(4 * 5 * 96 * 2));
    const { err } = await cli(["run", "strainmap:radius=6", scan, "--sig-dims", "1"]);
    assertMatch(err, /Cannot find disks in frames of 96: they need 2 dimensions/);
  });
});

Deno.test("the plan of an analysis with a first pass says that something stands for what it finds", async () => {
  await withFolder(async (folder) => {
    const scan = await writeCrystal(folder);
    for (const word of Object.values(WORDS)) {
      const { code, out, err } = await cli(["run", word, scan, "--dry-run"]);
      assertEquals(code, 0, err);
      assertMatch(err, /a first pass comes before this; the plan has something in place of what it finds/);
      assertMatch(out, /\nmemory /);
    }
  });
});

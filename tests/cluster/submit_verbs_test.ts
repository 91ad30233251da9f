/** `tilewise submit` for run, map, convert and predict: what is refused, and that its scripts compute the files of one machine. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { ANALYSES } from "../../src/analyses/words.ts";
import { CONVERT } from "../../src/cli/convert/convert.ts";
import { MAP } from "../../src/cli/map/map.ts";
import { PREDICT } from "../../src/cli/radio/predict.ts";
import { RUN } from "../../src/cli/run/run.ts";
import { SUBMIT } from "../../src/cli/submit.ts";
import { cli, withFolder, writeNpy } from "../cli/harness.ts";
import { pathOf } from "../observations/expected.ts";
import { congruential } from "../udf/blobfinder/frames.ts";
import { digestOf } from "../views/sinks/data.ts";

const VERBS = [RUN, MAP, CONVERT, PREDICT];

Deno.test("the name of a verb is not a UDF, and a flag of several verbs is written in one way", () => {
  for (const { name } of VERBS) assert(ANALYSES.every((analysis) => analysis.name !== name), name);
  const kinds = new Map<string, string>();
  for (const flag of [...VERBS.flatMap(({ flags }) => flags), ...SUBMIT.flags]) {
    const kind = JSON.stringify([flag.short, flag.value !== undefined, flag.optional]);
    assertEquals(kinds.get(flag.name) ?? kind, kind, flag.name);
    kinds.set(flag.name, kind);
  }
});

/** Commands that cannot be right, whatever the source is. */
const WRONG: readonly (readonly [words: string, text: RegExp])[] = [
  ["run sun x.mib -o a.npy", /the UDF "sun" is unknown; did you mean sum\?/],
  ["run sum x.mib -o a.npy --nav axb", /--nav axb/],
  ["run sum x.mib -o a.npy --roi 1;2,", /--roi 1;2,: /],
  ["run sum x.mib -o a.npy --backends dens", /"dens" is not a form of tiles/],
  ["run sum x.mib -o a.npy --partitions 0", /--partitions 0: /],
  ["run sum x.mib -o a.npy --colormap blu", /--colormap blu: /],
  ["run sum x.mib -o a.npy --radius 2", /tilewise run has no flag --radius/],
  ["run x.mib -o a.npy", /write: tilewise run UDF… SOURCE/],
  ["map gausian x.tif -o a.npy", /the filter "gausian" is unknown; did you mean gaussian\?/],
  ["map gaussian:sigma=x x.tif -o a.npy", /sigma/],
  ["map otsu x.tif -o a.npy", /otsu cannot be computed in parts/],
  ["map sobel x.tif -o a.png", /merged into \.npy, .*, not a\.png/],
  ["map sobel x.tif -o a.npy --compression zstd", /--compression does not apply to a\.npy/],
  ["map sobel x.tif -o a.npy --border mirrored", /--border mirrored: Unknown border/],
  ["map sobel x.tif -o a.npy --border constant --fill x", /--fill takes a number/],
  ["map sobel x.tif -o a.npy --traversal spirals", /--traversal spirals: Unknown traversal/],
  ["map sobel x.tif -o a.npy --box 0:3,0:3", /--box computes its part at once/],
  ["map expr:x-y x.tif -o a.npy --with y=y.tif", /--with cannot be used in parts/],
  ["map sobel x.tif -o a.ome.zarr --resume", /--resume does not go with parts/],
  ["convert x.mib", /write: tilewise convert SOURCE OUT/],
  ["convert x.mib a.jpg", /Cannot write a\.jpg: the name must end with one of .*\.mib/],
  ["convert x.mib a.zarr --roi 0:3,0:3", /--roi does not go with parts/],
  ["convert x.mib a.zarr --chunk 3xb", /--chunk 3xb: /],
  ["convert x.mib a.tif --compression zip", /compression/],
  ["convert x.mib a.zarr --colormap gray", /tilewise convert has no flag --colormap/],
  ["predict sky.txt x.ms -o a.fits", /must end with \.zarr or \.npy/],
  ["predict sky.txt x.ms -o a.npy --precision f32", /--precision f32: write f64 or mixed/],
  ["predict sky.txt x.ms -o a.npy --spectral-window x", /--spectral-window x/],
  ["predict sky.txt -o a.npy", /write: tilewise predict SKY OBSERVATION/],
];

Deno.test("words that a verb refuses are refused by submit, with the same errors", async () => {
  await withFolder(async (folder) => {
    for (const [line, text] of WRONG) {
      const words = [...line.split(" "), "--store", `${folder}/store`, "--workers", "1"];
      const [own, found] = [await cli(words), await cli(["submit", "slurm", ...words])];
      assertEquals([found.code, found.err, found.out], [own.code, own.err, ""], line);
      assertMatch(found.err, text);
    }
    assertEquals([...Deno.readDirSync(folder)], []);
  });
});

Deno.test("submit refuses what is not a command in parts", async () => {
  const wrong: readonly (readonly [words: readonly string[], text: RegExp])[] = [
    [["pbs", "map", "sobel", "a.tif", "--store", "s", "-o", "b.npy"], /"pbs" is not a scheduler/],
    [["slurm", "map", "sobel", "a.tif", "-o", "b.npy"], /needs a store/],
    [["slurm", "map", "sobel", "a.tif", "--store", "ftp://x", "-o", "b.npy"], /is not a store/],
    [["slurm", "map", "sobel", "a.tif", "--store", "s"], /needs a place for the results/],
    [["slurm", "convert", "a.mib", "b.tif", "--store", "s", "-o", "b.tif"], /last word: leave out -o/],
    [["slurm", "sum", "a.mib", "b.mib", "--each", "--store", "s", "-o", "b/"], /submit has no flag --each/],
    [
      ["slurm", "predict", "sky.txt", "a.ms", "--store", "s", "-o", "m.npy", "--correlations", "XX,RL"],
      /annot predict the correlations XX, RL/,
    ],
    [
      ["slurm", "map", "sobel", "a.tif", "--store", "s", "-o", "b.npy", "--shard", "1/2"],
      /did you mean --shards/,
    ],
    [["slurm", "sum", "a.mib", "--store", "s", "-o", "b.npy", "--dry-run"], /submit has no flag --dry-run/],
    [["slurm", "sum", "--store", "s", "-o", "b.npy", "--", "-a.mib"], /"-a\.mib" would be a flag/],
    [["slurm", "sum", "a.mib", "--store", "s", "-o", "-"], /cannot write to stdout/],
    [["slurm", "sum", "a.mib", "--store", "s", "-o", "b.jpg"], /Cannot write b\.jpg/],
    [["slurm", "stats", "a.mib", "--store", "s", "-o", "b.npy"], /the UDF "stats" is unknown/],
  ];
  for (const [words, text] of wrong) {
    const { code, out, err } = await cli(["submit", ...words]);
    assert(code !== 0 && out === "", words.join(" "));
    assertMatch(err, text);
  }
});

Deno.test("pictures of a script look as asked, and slow UDFs keep their time", async () => {
  const flags = ["--colormap", "turbo", "--legend", "--stall-timeout", "90", "--json"];
  const { out } = await cli([
    "submit",
    "slurm",
    "run",
    "sum",
    "a.mib",
    "--store",
    "s",
    "-o",
    "b.npy",
    ...flags,
  ]);
  assertMatch(out, /exec tilewise run sum a\.mib .*--stall-timeout=90 .*--store s --shard auto/);
  assertMatch(out, /exec tilewise merge s .*--colormap=turbo --legend --quiet\n/);
});

/** Runs what it is given as Slurm would: once per task of an array, with its variables. */
const SBATCH = `#!/bin/sh
script=$(cat)
for word; do case $word in --array=1-*) last=\${word#--array=1-};; esac; done
for task in $(seq 1 \${last:-0}); do
  printf '%s\\n' "$script" |
    SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=$last sh
done
[ -n "\${last:-}" ] || printf '%s\\n' "$script" | sh
echo "42;cluster"
`;

/** Keeps the words of a command in a file of its own, by task. */
const TILEWISE = `#!/bin/sh
printf '%s\\0' "$@" > "$(dirname "$0")/\${SLURM_ARRAY_TASK_ID:-merge}.$$.words"
`;

/** Starts a script in a shell whose Slurm keeps the commands in files in `folder`. */
async function start(script: string, folder: string): Promise<void> {
  const child = new Deno.Command("sh", {
    stdin: "piped",
    env: { PATH: `${folder}:/usr/bin:/bin` },
    stdout: "null",
  })
    .spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(script));
  await writer.close();
  assert((await child.status).success);
}

/** Runs the commands of all tasks, each in a process that has the variables of its task. */
async function compute(folder: string, tasks: number): Promise<void> {
  const files = [...Deno.readDirSync(folder)].map(({ name }) => name);
  for (let task = 1; task <= tasks; task++) {
    const own = files.filter((name) => name.startsWith(`${task}.`)).map((name) => `${folder}/${name}`);
    assertEquals(own.length, VERBS.length);
    const module = fromFileUrl(new URL("./slurm/task.ts", import.meta.url));
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--quiet", module, ...own],
      env: { SLURM_ARRAY_TASK_ID: `${task}`, SLURM_ARRAY_TASK_MIN: "1", SLURM_ARRAY_TASK_MAX: `${tasks}` },
    }).output();
    assert(success, new TextDecoder().decode(stderr));
  }
}

/** A module that the merge of a map must be allowed to import. */
const MINE = `export default ({ data, stride, params: { by } }, out) => {
  for (let i = 0; i < out.data.length; i++) {
    let [rest, at] = [i, 0];
    for (let d = stride.length - 1; d >= 0; rest = Math.floor(rest / out.shape[d--])) at += stride[d] * (rest % out.shape[d]);
    out.data[i] = by * data[at] + 0.5;
  }
};
`;

/** A scan of 6 × 8 frames of 12 × 10 pixels with noise. */
async function scanIn(folder: string): Promise<string> {
  const chance = congruential(11);
  const samples = Uint16Array.from(
    { length: 48 * 120 },
    () => Math.floor(900 * (chance.next().value ?? 0)),
  );
  const path = `${folder}/my scan.npy`;
  await writeNpy(path, "<u2", [6, 8, 12, 10], new Uint8Array(samples.buffer));
  return path;
}

Deno.test("scripts of all verbs, started on a Slurm that is played, write the files of one machine", async () => {
  await withFolder(async (folder) => {
    const [scan, sky] = [await scanIn(folder), `${folder}/sky.csv`];
    await Deno.writeTextFile(sky, "Name,Ra,Dec,I\na,71.62,-28.65,1.5\nb,71.7,-28.6,0.5\n");
    await Deno.writeTextFile(`${folder}/mine.js`, MINE);
    await Deno.mkdir(`${folder}/bin`);
    await Deno.writeTextFile(`${folder}/bin/sbatch`, SBATCH, { mode: 0o755 });
    await Deno.writeTextFile(`${folder}/bin/tilewise`, TILEWISE, { mode: 0o755 });
    /** Verb, words, flags, and the result; convert has it among its words. */
    const commands: readonly (readonly [words: string[], flags: string[], name: string])[] = [
      [["run", "expr:sum(x > 3)", "stddev", scan], ["--partitions", "6"], "stddev/stddev-var.npy"],
      [["map", `${folder}/mine.js:by=3`, "median:radius=0x0x1x1", scan], [
        "--chunk",
        "1x4x12x10",
        "--border",
        "wrap",
      ], "median.zarr"],
      [["convert", scan], ["--tile", "16"], "scan.tif"],
      [["predict", sky, pathOf("small.ms")], ["--precision", "mixed"], "model.npy"],
    ];
    const out = (place: string, [[verb], , name]: typeof commands[number]) => {
      const path = `${folder}/${place}/${name.replace(/[^/]*$/, (file) => verb === "run" ? "" : file)}`;
      return verb === "convert" ? [path] : ["-o", path];
    };
    for (const command of commands) {
      const [words, flags] = command;
      const local = await cli([...words, ...out("local", command), ...flags, "--workers", "0", "--quiet"]);
      assertEquals(local.code, 0, local.err);
      const more = ["--store", `dir:${folder}/store-${words[0]}`, "--shards", "2", "--workers", "1"];
      const { code, out: script, err } = await cli(
        ["submit", "slurm", ...words, ...out("merged", command), ...flags, ...more],
      );
      assertEquals([code, err], [0, ""]);
      await start(script, `${folder}/bin`);
    }
    await compute(`${folder}/bin`, 2);
    for (
      const { name } of [...Deno.readDirSync(`${folder}/bin`)].filter(({ name }) => name.startsWith("merge."))
    ) {
      const words = (await Deno.readTextFile(`${folder}/bin/${name}`)).split("\0").slice(0, -1);
      const { code, err } = await cli(words);
      assertEquals(code, 0, err);
    }
    for (const [[verb], , name] of commands) {
      const parts = [...Deno.readDirSync(`${folder}/store-${verb}/parts`)].length;
      assert(parts > 1 || verb === "predict", `${verb}: ${parts} parts`); // so small a prediction is one tile
      assertEquals(
        await digestOf(`${folder}/merged/${name}`),
        await digestOf(`${folder}/local/${name}`),
        name,
      );
    }
  });
});

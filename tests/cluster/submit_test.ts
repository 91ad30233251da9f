/** Job scripts and manifests, compared with files that were looked at; the environment of array jobs. */

import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import { autoShard, unitsOfShard } from "../../src/cluster/shards/share.ts";
import { workOf } from "../../src/cluster/manifest/work.ts";
import type { Unit } from "../../src/runner/parts.ts";
import { above, nodeName, type TreeNode } from "../../src/cluster/store/node.ts";
import { cli } from "../cli/harness.ts";

/** Whether a node lies inside another. */
const isInside = (inner: TreeNode, outer: TreeNode) =>
  above(inner, outer.level - inner.level).index === outer.index;

const GOLDEN = new URL("./golden/", import.meta.url);

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  "slurm.sh": [
    ...[
      "slurm",
      "com:r=20",
      "expr:sum(x > 3)",
      "scan's.mib",
      "--nav",
      "256x256",
      "--store",
      "dir:/scratch/run7",
    ],
    ...["--shards", "64", "--workers", "8", "-o", "com.npy"],
  ],
  "k8s.txt": [
    ...["k8s", "sum", "scan.mib", "--store", "s3://scans/run7", "--memory", "2GiB", "-o", "out/"],
    ...["--image", "registry.example/tilewise:1", "--claim", "data"],
  ],
  "map.sh": [
    ...["slurm", "map", "./mine.ts#sharpen:radius=2", "gaussian:sigma=2", "--border", "wrap", "a b.tif"],
    ...["--store", "/scratch/m1", "--shards", "4", "--compression", "zstd", "-o", "sharp.ome.tif"],
  ],
  "convert.sh": [
    ...["slurm", "convert", "scan.mib", "scan.ome.zarr", "--nav", "256x256", "--shard-size", "256MiB"],
    ...["--store", "dir:/scratch/c1"],
  ],
  "predict.txt": [
    ...[
      "k8s",
      "predict",
      "sky.txt",
      "day.ms",
      "--store",
      "dir:/data/p1",
      "-o",
      "model.zarr/",
      "--field",
      "3C 286",
    ],
    ...["--image", "lab/tilewise", "--claim", "data"],
  ],
};

for (const [file, words] of Object.entries(COMMANDS)) {
  Deno.test(`tilewise submit prints ${file}`, async () => {
    const { code, out, err } = await cli(["submit", ...words]);
    assertEquals([code, err], [0, ""]);
    const golden = new URL(file, GOLDEN);
    if (Deno.args.includes("--update")) await Deno.writeTextFile(golden, out);
    assertEquals(out, await Deno.readTextFile(golden));
  });
}

Deno.test("the merge of a script may import the modules that its run names, once each", async () => {
  for (const [scheduler, end] of [["slurm", " --quiet\nEND"], ["k8s", '","--wait"']]) {
    const words = [
      "./my udfs/a.ts:x=1",
      "sum",
      "./my udfs/a.ts#other",
      "scan.mib",
      "--store",
      "s",
      "-o",
      "out/",
    ];
    const { code, out, err } = await cli(["submit", scheduler!, ...words]);
    assertEquals([code, err], [0, ""]);
    const allowed = out.split("--allow-modules=./my udfs/a.ts");
    assertEquals(allowed.length, 2);
    assert(allowed[1]!.replace(/^'/, "").startsWith(end!), out);
  }
});

Deno.test("the script for Slurm submits both jobs with the words of the command, quoted", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const log = `${folder}/log`;
    await Deno.writeTextFile(
      `${folder}/sbatch`,
      `#!/bin/sh\necho "$@" >> ${log}\nsed 's/^exec tilewise/printf "%s\\\\n"/' | sh >> ${log}\necho "42;cluster"\n`,
      { mode: 0o755 },
    );
    const { success } = await new Deno.Command("sh", {
      args: [new URL("slurm.sh", GOLDEN).pathname],
      env: { PATH: `${folder}:/usr/bin:/bin` },
      stdout: "null",
    }).output();
    assert(success);
    const text = await Deno.readTextFile(log);
    assertMatch(text, /--array=1-64 --cpus-per-task=8/);
    assertMatch(text, /\nrun\ncom:r=20\nexpr:sum\(x > 3\)\nscan's\.mib\n--nav=256x256\n--store\n/);
    assertMatch(text, /--dependency=afterany:42 /);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

const ARRAYS: readonly (readonly [Record<string, string>, string, readonly [number, number] | RegExp])[] = [
  [{ SLURM_ARRAY_TASK_ID: "3", SLURM_ARRAY_TASK_MIN: "1", SLURM_ARRAY_TASK_MAX: "7" }, "auto", [3, 7]],
  [{ SLURM_ARRAY_TASK_ID: "0", SLURM_ARRAY_TASK_MIN: "0", SLURM_ARRAY_TASK_MAX: "6" }, "auto", [1, 7]],
  [
    {
      SLURM_ARRAY_TASK_ID: "9",
      SLURM_ARRAY_TASK_MIN: "1",
      SLURM_ARRAY_TASK_MAX: "13",
      SLURM_ARRAY_TASK_STEP: "4",
    },
    "auto",
    [3, 4],
  ],
  [
    {
      SLURM_ARRAY_TASK_ID: "5",
      SLURM_ARRAY_TASK_MIN: "3",
      SLURM_ARRAY_TASK_MAX: "11",
      SLURM_ARRAY_TASK_COUNT: "3",
    },
    "auto",
    /have gaps/,
  ],
  [{ SGE_TASK_ID: "4", SGE_TASK_FIRST: "2", SGE_TASK_LAST: "8", SGE_TASK_STEPSIZE: "2" }, "auto", [2, 4]],
  [{ SGE_TASK_ID: "undefined" }, "auto", /no scheduler/],
  [{ LSB_JOBINDEX: "2", LSB_JOBINDEX_END: "5", LSB_JOBINDEX_STEP: "1" }, "auto", [2, 5]],
  [{ LSB_JOBINDEX: "0" }, "auto", /no scheduler/],
  [{ AWS_BATCH_JOB_ARRAY_INDEX: "0", AWS_BATCH_JOB_ARRAY_SIZE: "3" }, "auto", [1, 3]],
  [{ PBS_ARRAY_INDEX: "2" }, "auto", /--shard auto\/N/],
  [{ PBS_ARRAY_INDEX: "2" }, "auto/4", [2, 4]],
  [{ PBS_ARRAYID: "5" }, "auto/4", /no shard 5 of 4/],
  [{ JOB_COMPLETION_INDEX: "6" }, "auto/7", [7, 7]],
  [{}, "auto", /no scheduler/],
  [{ PBS_ARRAY_INDEX: "2" }, "auto/0", /Cannot tell|no shard/],
];

Deno.test("auto reads the variables of Slurm, SGE, LSF, AWS Batch, PBS and Kubernetes", () => {
  for (const [env, text, expected] of ARRAYS) {
    const shard = () => autoShard(text, (name) => env[name]);
    if (expected instanceof RegExp) assertMatch(assertThrows(shard, TilewiseError).message, expected);
    else assertEquals(shard(), { index: expected[0], count: expected[1] });
  }
});

Deno.test("shards cover all units once, for any number of shards; empty ones are allowed", () => {
  for (let count = 0; count < 40; count++) {
    const units: Unit[] = Array.from({ length: count }, (_, i) => [0, i, 1 + (i * 7) % 5]);
    const work = workOf({ work: { leaf: 32, bytes: 1, units, fanIn: 16 } });
    for (let n = 1; n < 60; n += 4) {
      const shards = Array.from({ length: n }, (_, i) => unitsOfShard(work, { index: i + 1, count: n }));
      assertEquals(shards.flat().map(nodeName), work.units.map(nodeName));
    }
  }
});

Deno.test("joins take at most sixteen parts, in order, and end in at most sixteen roots that cover all units once", () => {
  for (const [levels, count] of [[[0], 1000], [[0, 3, 1], 300], [[2, 0, 0, 5], 700], [[4], 16]] as const) {
    const units: Unit[] = [];
    for (let i = 0, leaf = 0; i < count; i++) {
      const level = levels[i % levels.length] ?? 0;
      leaf = Math.ceil(leaf / 2 ** level) * 2 ** level;
      units.push([level, leaf / 2 ** level, 1]);
      leaf += 2 ** level * (1 + i % 3);
    }
    const { joins, roots, units: nodes } = workOf({ work: { leaf: 1, bytes: 1, units, fanIn: 16 } });
    assert(roots.length <= 16);
    const expand = (node: typeof nodes[number]): typeof nodes =>
      joins.find((join) => join.node === node)?.children.flatMap(expand) ?? [node];
    assertEquals(roots.flatMap(expand), nodes);
    for (const { node, children } of joins) {
      assert(children.length >= 2 && children.length <= 16);
      assert(children.every((child) => isInside(child, node) && child.level < node.level));
    }
  }
});

import { assert, assertEquals, assertMatch } from "@std/assert";
import { partialPlace } from "../../../src/cli/run/deliver_all.ts";
import { cli, TILEWISE, withFolder } from "../harness.ts";

const path = (name: string) => decodeURIComponent(new URL(name, import.meta.url).pathname);

/** 100 000 small frames: minutes of work for the slow UDF. */
async function withLongRun(body: (words: string[], folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/a.raw`, new Uint8Array(100_000 * 16));
    const flags = ["--dtype", "uint8", "--nav", "100x1000", "--sig", "4x4", "--workers", "2"];
    const slow = `${path("slow_udf.ts")}:marker=${folder}/marker`;
    await body(["run", slow, `${folder}/a.raw`, "--partitions", "3000", ...flags], folder);
  });
}

/** Waits until the slow UDF has seen its first partitions. */
async function underWay(folder: string): Promise<void> {
  while (!await Deno.stat(`${folder}/marker`).then(() => true, () => false)) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

Deno.test("the manifest of a part is named after the part", () => {
  for (
    const [path, manifest, part, ofPart] of [
      ["com.npy", "com.run.json", "com.partial.npy", "com.partial.run.json"],
      ["a/com.npz", "a/com.npz.run.json", "a/com.partial.npz", "a/com.partial.npz.run.json"],
      ["a/com.npy", "a/com+sum.run.json", "a/com.partial.npy", "a/com+sum.partial.run.json"],
    ] as const
  ) {
    const { paths, manifest: found } = partialPlace({ paths: new Map([["com", path]]), manifest });
    assertEquals([paths.get("com"), found], [part, ofPart]);
  }
});

Deno.test("an interrupt keeps what was done beside the old result, and says what it covers", async () => {
  await withLongRun(async (words, folder) => {
    const old = ["seen.npy", "seen.png", "seen.run.json"];
    for (const name of old) await Deno.writeTextFile(`${folder}/${name}`, `old ${name}`);
    const controller = new AbortController();
    const running = cli([...words, "-o", `${folder}/seen.npy`, "--json"], { signal: controller.signal });
    await underWay(folder);
    controller.abort(new Error("interrupted"));
    const { code, err, json } = await running;
    assertEquals(code, 130, err);
    const [, said] = /^tilewise: interrupted after about (\d+) of 100000 frames; .*$/m.exec(err)!;
    assertMatch(err, /; the partial result is kept in \S+seen\.partial\.npy, \S+seen\.npy is as it was\n$/);
    for (const name of old) assertEquals(await Deno.readTextFile(`${folder}/${name}`), `old ${name}`);
    const [stats] = (await cli(["stats", "--json", `${folder}/seen.partial.npy`])).json();
    assertEquals([stats!.shape, stats!.sum, stats!.min, stats!.max], [[100, 1000], "NaN", 1, 1]);
    const [row] = json();
    assertEquals(row!.files, ["npy", "png"].map((kind) => `${folder}/seen.partial.${kind}`));
    assertEquals(row!.manifest, `${folder}/seen.partial.run.json`);
    const { partial } = JSON.parse(await Deno.readTextFile(`${folder}/seen.partial.run.json`));
    assertEquals(row!.partial, partial);
    const damage: [number, number][] = partial.damage;
    const covered = damage.reduce((sum, [start, stop]) => sum + stop - start, 0);
    assertEquals([partial.framesTotal, covered, String(partial.frames)], [100_000, row!.finite, said]);
    const replayed = await cli(["replay", `${folder}/seen.partial.run.json`]);
    assertEquals(replayed.code, 1);
    assertMatch(
      replayed.err,
      /\[unsupported\] Cannot replay \S+: the run was interrupted after \d+ of 100000/,
    );
    assertEquals([...Deno.readDirSync(folder)].filter(({ name }) => name.startsWith(".")), []);
  });
});

Deno.test("a replay that is interrupted compares nothing", async () => {
  await withLongRun(async (words, folder) => {
    const controller = new AbortController();
    const first = cli([...words, "-o", `${folder}/seen.npy`], { signal: controller.signal });
    await underWay(folder);
    controller.abort(new Error("interrupted"));
    await first;
    const path = `${folder}/seen.partial.run.json`;
    const { partial: _, ...manifest } = JSON.parse(await Deno.readTextFile(path));
    await Deno.writeTextFile(`${folder}/whole.run.json`, JSON.stringify(manifest));
    await Deno.remove(`${folder}/marker`);
    const again = new AbortController();
    const replay = cli(["replay", `${folder}/whole.run.json`, "--allow-modules"], { signal: again.signal });
    await underWay(folder);
    again.abort(new Error("interrupted"));
    const { code, out, err } = await replay;
    assertEquals([code, out], [130, ""]);
    assertMatch(err, /^tilewise: interrupted: /m);
  });
});

for (const verb of ["stats", "pick", "convert"]) {
  Deno.test(`${verb} hears an interrupt while it works`, async () => {
    await withFolder(async (folder) => {
      await Deno.writeFile(`${folder}/a.raw`, new Uint8Array(0));
      await Deno.truncate(`${folder}/a.raw`, 2 ** 29); // zeros that take no room
      const shape = ["--dtype", "uint8", "--nav", "2048", "--sig", "512x512"];
      const words: Record<string, string[]> = {
        stats: ["--sha256"],
        pick: ["--box", "0:2048,0:512,0:512", "-o", `${folder}/b.npy`],
        convert: [`${folder}/b.npy`, "--workers", "0"],
      };
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error("interrupted")), 30);
      const { code, err } = await cli([verb, `${folder}/a.raw`, ...words[verb]!, ...shape], {
        signal: controller.signal,
      });
      assertEquals(code, 130, err);
      assert(/^tilewise: interrupted: [^\n]*\n$/.test(err), err);
      assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["a.raw"]);
    });
  });
}

Deno.test("a process ends even when a UDF never does", async () => {
  await withLongRun(async ([verb, , ...words]) => {
    const udf = path("../analyses/threshold_udf.ts") + "#endless";
    const command = new Deno.Command(Deno.execPath(), {
      args: [
        ...TILEWISE,
        verb!,
        udf,
        ...words,
        "--stall-timeout",
        "1",
      ],
      stdout: "null",
      stderr: "piped",
    });
    const { code, stderr } = await command.output();
    const text = new TextDecoder().decode(stderr);
    assertEquals(code, 1, text);
    assert(/^tilewise: \[(timeout|worker)\] [^\n]*\n$/.test(text), text);
  });
});

Deno.test("a process ends with 130 at Ctrl-C, and with what it says on one line", async () => {
  await withLongRun(async (words, folder) => {
    const command = new Deno.Command(Deno.execPath(), {
      args: [...TILEWISE, ...words],
      stdout: "piped",
      stderr: "piped",
    });
    const child = command.spawn();
    await underWay(folder);
    child.kill("SIGINT");
    const { code, stderr } = await child.output();
    const text = new TextDecoder().decode(stderr);
    assertEquals(code, 130, text);
    assert(/^tilewise: interrupted: [^\n]*\n$/.test(text), text);
  });
});

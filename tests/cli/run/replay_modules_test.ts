/** A manifest that names modules: they are imported only when the user allows it. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { cli, type Terminal, withFolder, writeNpy } from "../harness.ts";

/** A UDF that leaves a mark when it is imported. */
const module = (mark: string, factor = 1) =>
  `Deno.writeTextFileSync(${JSON.stringify(mark)}, "imported");
export default {
  name: "mine",
  buffers: { total: { kind: "nav", dtype: "float64" } },
  processFrame({ data }, { total }) { total[0] = ${factor} * data.reduce((a, b) => a + b, 0); },
};
export const most = (data) => Math.max(...data);
`;

interface Made {
  readonly folder: string;
  readonly path: string;
  readonly manifest: string;
  readonly replay: (flags: readonly string[], terminal?: Terminal) => ReturnType<typeof cli>;
  readonly wasImported: () => boolean;
}

/** A run of `word`, in which MODULE stands for the module, and its manifest; nobody has imported the module since. */
async function withRun(word: string, body: (made: Made) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/scan.npy`, "|u1", [4, 2, 2], Uint8Array.from({ length: 16 }, (_, i) => i));
    const mark = `${folder}/mark`;
    const path = `${folder}/mine.ts`;
    await Deno.writeTextFile(path, module(mark));
    const flags = ["--workers", "1", "--quiet", "-o", `${folder}/out/`];
    const run = await cli(["run", word.replace("MODULE", path), `${folder}/scan.npy`, ...flags]);
    assertEquals(run.code, 0, run.err);
    await Deno.remove(mark);
    const [{ name } = { name: "" }] = [...Deno.readDirSync(`${folder}/out`)].filter(({ name }) =>
      name.endsWith(".run.json")
    );
    const manifest = `${folder}/out/${name}`;
    await body({
      folder,
      path,
      manifest,
      replay: (flags, terminal) => cli(["replay", manifest, "--quiet", ...flags], terminal),
      wasImported: () => [...Deno.readDirSync(folder)].some(({ name }) => name === "mark"),
    });
  });
}

for (const word of ["MODULE", "map:MODULE#most"]) {
  Deno.test(`replay of ${word} without a terminal is refused, names the module and the flag, and imports nothing`, async () => {
    await withRun(word, async ({ path, manifest, replay, wasImported }) => {
      for (const flags of [[], ["--allow-modules=other.ts"]]) {
        const { code, err, out } = await replay(flags);
        assertEquals([code, out], [1, ""]);
        assert(
          err.startsWith(`tilewise: [permission] Cannot use ${manifest}: it names the module ${path}, `),
          err,
        );
        assert(err.includes(`--allow-modules=${path}, or all modules with --allow-modules`), err);
        assert(!wasImported());
      }
    });
  });

  Deno.test(`replay of ${word} with the flag gives the same bits`, async () => {
    await withRun(word, async ({ path, replay, wasImported }) => {
      for (const flag of ["--allow-modules", `--allow-modules=${path}`, `--allow-modules=other.ts,${path}`]) {
        const { code, err, out } = await replay([flag]);
        assertEquals([code, err], [0, ""]);
        assertMatch(out, /same bits/);
        assert(wasImported());
      }
    });
  });
}

Deno.test("replay asks on a terminal: yes imports the module, no does not", async () => {
  await withRun("MODULE", async ({ path, replay, wasImported }) => {
    const no = await replay([], { answer: false });
    assertEquals(no.code, 1);
    assertMatch(no.err, /names the module \S+mine\.ts: its code would run\. Import it\? \[y\/N\]/);
    assertMatch(no.err, /\[permission\] Cannot use/);
    assert(!wasImported());
    const yes = await replay([], { answer: true });
    assertEquals(yes.code, 0, yes.err);
    assert(wasImported());
    const flag = await replay([`--allow-modules=${path}`], { answer: false });
    assertEquals([flag.code, flag.err], [0, ""], "nobody is asked about what is allowed");
  });
});

Deno.test("replay says that a module is not the one that the run used, before it asks", async () => {
  await withRun("MODULE", async ({ path, manifest, replay }) => {
    const { command } = JSON.parse(await Deno.readTextFile(manifest));
    assertEquals(Object.keys(command.modules), [path]);
    await Deno.writeTextFile(path, module("/dev/null", 2));
    const { code, err } = await replay([], { answer: false });
    assertEquals(code, 1);
    assertMatch(
      err,
      /^tilewise: warning: \S+mine\.ts is not the module that the run used\ntilewise: .*\[y\/N\]/,
    );
    const { err: told } = await replay(["--allow-modules"]);
    assertMatch(told, /is not the module that the run used/);
  });
});

Deno.test("replay asks about every module, and imports none if one is refused", async () => {
  await withRun("MODULE", async ({ folder, path, manifest, replay, wasImported }) => {
    const other = `${folder}/other.ts`;
    await Deno.copyFile(path, other);
    const text = await Deno.readTextFile(manifest);
    const recorded = JSON.parse(text);
    recorded.command.arguments.splice(1, 0, `map:${other}#most`, "sum");
    await Deno.writeTextFile(manifest, JSON.stringify(recorded));
    const { code, err } = await replay([`--allow-modules=${path}`]);
    assertEquals(code, 1);
    assertMatch(err, /names the module \S+other\.ts/);
    assert(!wasImported());
    await Deno.writeTextFile(manifest, text);
  });
});

Deno.test("--allow-modules takes no word after it: that is a manifest", async () => {
  await withRun("MODULE", async ({ manifest }) => {
    const { code, err } = await cli(["replay", "--allow-modules", manifest, "--quiet"]);
    assertEquals([code, err], [0, ""]);
    const empty = await cli(["replay", "--allow-modules=", manifest]);
    assertEquals(empty.code, 2);
    assertMatch(empty.err, /--allow-modules was given an empty value/);
    assertMatch((await cli(["replay", "--help"])).out, /--allow-modules\[=PATH,…\]/);
  });
});

/** Every field of a manifest may be anything: replay computes, or says in one line which field is wrong and what it must be. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { cases, share } from "../../suite/cases.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Way = readonly (string | number)[];

/** What takes the place of a value; nothing: the field is left out. */
const OTHERS: readonly (Json | undefined)[] = [undefined, null, true, -1.5, 1e300, "", "\u001b[2J x", [], [
  null,
], {}];

/** A manifest of a run, with all optional fields that a run can have. */
async function withManifest(
  body: (path: string, manifest: Json, folder: string) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/scan.npy`, "|u1", [4, 2, 2], Uint8Array.from({ length: 16 }, (_, i) => i));
    const words = ["run", "sum", "com:r=1", `${folder}/scan.npy`, "--roi", "0:3", "--exclude", "0,0"];
    const path = `${folder}/all.npz.run.json`;
    const { code, err } = await cli([...words, "--workers", "0", "--quiet", "-o", `${folder}/all.npz`]);
    assertEquals(code, 0, err);
    await body(path, JSON.parse(await Deno.readTextFile(path)), folder);
  });
}

/** The ways to all values in `json`. */
function* ways(json: Json, way: Way = []): Generator<Way> {
  if (way.length > 0) yield way;
  if (typeof json !== "object" || json === null) return;
  for (const [key, value] of Object.entries(json)) {
    yield* ways(value as Json, [...way, Array.isArray(json) ? Number(key) : key]);
  }
}

/** `json` with another value at the end of the way. */
function changed(json: Json, way: Way, value: Json | undefined): Json {
  const copy = structuredClone(json);
  const holder = way.slice(0, -1).reduce((at, key) => (at as Record<string, Json>)[key]!, copy);
  const last = way.at(-1)!;
  if (value !== undefined) (holder as Record<string, Json>)[last] = value;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete (holder as Record<string, Json>)[last];
  return copy;
}

Deno.test("any field of a manifest with any other value is read, or is a typed error in one line with the file", async () => {
  await withManifest(async (path, manifest) => {
    let refused = 0;
    for (const [n, way] of [...ways(manifest)].entries()) {
      if (["axes", "values"].includes(String(way[2])) && way.length > 3) continue; // what results say of themselves is for readers: replay reads none of it
      const isCommand = way[0] === "command" && way[1] === "arguments" && way.length > 2;
      for (const other of share(OTHERS, 3, n)) {
        await Deno.writeTextFile(path, JSON.stringify(changed(manifest, way, other)));
        const { code, err, out } = await cli(["replay", path, "--quiet", "--workers", "0"]);
        const at = `${way.join(".")} = ${JSON.stringify(other)}: ${err}`;
        assert(code === 0 || code === 1, `${code}: ${at}`);
        for (const line of err.trimEnd().split("\n").filter((line) => line !== "")) {
          assertMatch(line, /^tilewise: (\[[a-z-]+\] |warning: |\S+ was made in|the run was made by)/, at);
        }
        assert(!(err + out).includes("[corrupt]") && !(err + out).includes("\u001b"), at);
        const error = /\[([a-z-]+)\] (.*)/.exec(err);
        if (!error) continue;
        refused++;
        if (!isCommand) assert(error[2]!.startsWith(`Cannot replay ${path}: `), at);
      }
    }
    assert(refused > cases(100, 300), `${refused}`);
  });
});

Deno.test("a field that is wrong is named with what it must be", async () => {
  await withManifest(async (path, manifest) => {
    const cases = [
      [["kernels"], "0123", /its field kernels must be a SHA-256 of 64 hexadecimal digits, and has "0123"/],
      [["results", 0, "shape"], "4", /its field results\[0\]\.shape must be a list, and has "4"/],
      [
        ["inputs", 0, "bytes"],
        -1,
        /its field inputs\[0\]\.bytes must be a whole number from 0 on, and has -1/,
      ],
      [["command"], [], /its field command must be an object, and has \[\]/],
      [["command", "arguments", 0], 7, /its field command\.arguments\[0\] must be a text, and has 7/],
      [["plan"], undefined, /its field plan must be an object, and has nothing/],
      [["created"], "soon", /its field created must be a time as in ISO 8601/],
    ] satisfies [Way, Json | undefined, RegExp][];
    for (const [way, value, text] of cases) {
      await Deno.writeTextFile(path, JSON.stringify(changed(manifest, way, value)));
      const { code, err } = await cli(["replay", path]);
      assertEquals(code, 1);
      assert(err.startsWith(`tilewise: [malformed] Cannot replay ${path}: `), err);
      assertMatch(err, text);
    }
  });
});

Deno.test("a command in a manifest that run does not understand is a malformed manifest, not a wrong command", async () => {
  await withManifest(async (path, manifest, folder) => {
    const scan = `${folder}/scan.npy`;
    for (
      const words of [[], [scan], ["--help"], ["sum", "--help"], ["summ", scan], ["sum", scan, "--what"], [
        "sum",
        "",
      ]]
    ) {
      await Deno.writeTextFile(path, JSON.stringify(changed(manifest, ["command", "arguments"], words)));
      const { code, err } = await cli(["replay", path]);
      assertEquals(code, 1, words.join(" "));
      assertMatch(
        err,
        /^tilewise: \[malformed\] Cannot replay \S+all\.npz\.run\.json: its command is none that/,
      );
    }
    await Deno.writeTextFile(path, JSON.stringify(manifest));
    assertEquals(
      (await cli(["replay", path, "--workers", "x"])).code,
      2,
      "what was typed is a wrong command",
    );
  });
});

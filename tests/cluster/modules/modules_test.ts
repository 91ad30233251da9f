/** Code of users with and without imports, on every way in which somebody else runs it. */

import "../../fences/mod.ts";
import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { mustAllow } from "../../../src/cluster/engine/serve.ts";
import { checkHere } from "../../../src/cluster/manifest/check.ts";
import { moduleIdentities } from "../../../src/cluster/manifest/modules.ts";
import { admits, isOwnPackage } from "../../../src/cluster/manifest/own.ts";
import { VERSION } from "../../../src/version.ts";
import { TilewiseError } from "../../../src/errors.ts";
import { memoryStore } from "../memory/store.ts";
import { createContext } from "../../../src/runner/context.ts";
import { udf } from "../../../src/udf/interface/udf_ref.ts";
import { withFolder } from "../../cli/harness.ts";
import { onEngine } from "../on_engine.ts";
import { smallRun } from "../small_run.ts";
import { subjects } from "./subjects.ts";
import { onEveryWay, type Workers } from "./ways.ts";

for (const { name, write } of subjects()) {
  Deno.test(`${name} gives the same on every way`, async () => {
    await withFolder(async (folder) => {
      await using context = createContext({ workers: 0 });
      const workers: Workers = (store, run, allow) => onEngine(store, run, context, allow);
      await onEveryWay({ subject: await write(folder), folder, context, workers });
    });
  });
}

const MINE = `import { defineUdf } from "@tilewise/tilewise";
export default defineUdf({ name: "mine", buffers: { t: { kind: "nav", dtype: "float64" } },
  processFrame({ data }, { t }) { t[0] = data[0]; } });\n`;

Deno.test("code of Tilewise is trusted by its digest: other code of the same version is refused", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/mine.ts`, MINE);
    const mine = udf(new URL(`file://${folder}/mine.ts`));
    await using small = await smallRun(folder, memoryStore(), { mine });
    const { manifest } = small.stored;
    await checkHere(manifest);
    const modules = manifest.modules.map((module) =>
      module.url === "tilewise:mod.ts" ? { ...module, sha256: "0".repeat(64) } : module
    );
    const error = await assertRejects(() => checkHere({ ...manifest, modules }), TilewiseError);
    assertEquals(error.code, "unsupported");
    assertMatch(error.message, /0000 of the code of Tilewise \(tilewise:mod\.ts\)/);
    const more = [...manifest.modules, { url: "tilewise:src/nothing.ts", sha256: "0".repeat(64) }];
    await assertRejects(() => checkHere({ ...manifest, modules: more }), TilewiseError, "nothing.ts");
  });
});

Deno.test("packages of others are named with their version, and allowed by it", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(
      `${folder}/mine.ts`,
      `import "smol-toml";\nimport "node:fs";\nimport "no such name";\n`,
    );
    const modules = await moduleIdentities([`file://${folder}/mine.ts`]);
    assertEquals(modules.slice(1), [{ url: "no such name" }, { url: "npm:smol-toml@1.9.1" }]);
    const here = `file://${folder}/`;
    assertThrows(() => mustAllow(modules.slice(0, 1), []), TilewiseError, `--allow-modules ${here} `);
    const known = modules.filter(({ url }) => url !== "no such name");
    assertThrows(() => mustAllow(known, [here]), TilewiseError, "--allow-modules npm:smol-toml@1.9.1");
    mustAllow(known, [here, "npm:smol-toml@1.9.1"]);
  });
});

Deno.test("Tilewise from a registry is that of this version", () => {
  const yes = ["", `@${VERSION}`, `@^${VERSION}`, `@~${VERSION}/udf`, "/udf", "@*"];
  for (const end of yes) {
    assertEquals([
      isOwnPackage(`jsr:@tilewise/tilewise${end}`),
      isOwnPackage(`npm:/@tilewise/tilewise${end}`),
    ], [
      true,
      true,
    ]);
  }
  for (
    const one of [
      "jsr:@tilewise/tilewise@99.0.0",
      "jsr:@tilewise/tilewise2",
      "npm:tilewise",
      "@tilewise/tilewise",
    ]
  ) {
    assertEquals(isOwnPackage(one), false, one);
  }
  const cases: readonly (readonly [range: string, version: string, admitted: boolean])[] = [
    ["1.2.3", "1.2.3", true],
    ["1.2.3", "1.2.4", false],
    ["1.2", "1.2.9", true],
    ["1.2.*", "1.2.9", true],
    ["1.2", "1.3.0", false],
    ["^1.2.3", "1.9.0", true],
    ["^1.2.3", "1.2.2", false],
    ["^1.2.3", "2.0.0", false],
    ["^0.1.2", "0.1.9", true],
    ["^0.1.2", "0.2.0", false],
    ["^0.0.3", "0.0.3", true],
    ["^0.0.3", "0.0.4", false],
    ["~1.2.3", "1.2.8", true],
    ["~1.2.3", "1.3.0", false],
    [">=1", "1.2.0", false],
    ["latest", "1.2.0", false],
  ];
  for (const [range, version, admitted] of cases) {
    assertEquals(admits(range, version), admitted, `${range} ${version}`);
  }
});

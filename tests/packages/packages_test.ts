/**
 * Packages that are loaded when something needs them: the same versions everywhere, and none that Deno would fetch before
 * a program starts.
 *
 * @module
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { TilewiseError } from "../../src/errors.ts";
import { PACKAGES_AHEAD } from "../../src/offline.ts";
import { loadPackage, type PackageName, PACKAGES } from "../../src/packages.ts";

const NAMES = Object.keys(PACKAGES) as PackageName[];

Deno.test("deno.json, the packages loaded on demand and those fetched ahead are the same, each of one version", () => {
  const imports: Readonly<Record<string, string>> = config.imports;
  assertEquals(Object.fromEntries(NAMES.map((name) => [name, imports[name]])), { ...PACKAGES });
  assertEquals(Object.keys(PACKAGES_AHEAD), NAMES);
  for (const name of NAMES) {
    assert(/^npm:[a-z0-9-]+@\d+\.\d+\.\d+(\/|$)/.test(PACKAGES[name]), PACKAGES[name]);
  }
});

Deno.test("each package is what is fetched ahead", async () => {
  for (const name of NAMES) {
    assertEquals(await loadPackage<unknown>(name, "Cannot test"), await PACKAGES_AHEAD[name]!(), name);
  }
});

Deno.test("nothing that is published is made of packages, but for the module that fetches all of them", async () => {
  for (const entry of Object.values(config.exports)) {
    const { modules, npmPackages } = await graphOf(entry);
    assert(modules > 0, entry);
    assertEquals(npmPackages.length > 0, entry === config.exports["./offline"], `${entry}: ${npmPackages}`);
  }
});

interface Graph {
  readonly modules: readonly {
    readonly specifier: string;
    readonly kind: string;
    readonly npmPackage?: string;
  }[];
}

/** What Deno sees, and fetches, when it is to run a module. */
async function graphOf(entry: string): Promise<{ modules: number; npmPackages: string[] }> {
  const args = ["info", "--json", new URL(`../../${entry}`, import.meta.url).pathname];
  const { stdout, success } = await new Deno.Command(Deno.execPath(), { args }).output();
  assert(success, entry);
  const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as Graph;
  const npmPackages = modules.flatMap(({ npmPackage }) => npmPackage === undefined ? [] : [npmPackage]);
  return { modules: modules.length, npmPackages };
}

Deno.test("a package that cannot be loaded is an error that says what for, and how to fetch it", async () => {
  const missing = "no-such-package" as PackageName;
  (PACKAGES as Record<string, string>)[missing] = "./no/such/file.js";
  const error = await assertRejects(() => loadPackage(missing, "Cannot read x.h5"), TilewiseError);
  delete (PACKAGES as Record<string, string>)[missing];
  assertEquals(error.code, "unsupported");
  assert(
    /^Cannot read x\.h5: the package \.\/no.*cannot be loaded \(.*\)\. It is fetched once, .*"deno cache/
      .test(error.message),
    error.message,
  );
});

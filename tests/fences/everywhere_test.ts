/** Tests that run UDFs, views or cubes do so with fences: each of them imports `tests/fences/mod.ts`, if not by itself. */

import { assert, assertEquals } from "@std/assert";
import { fromFileUrl, join, relative, toFileUrl } from "@std/path";

const TESTS = fromFileUrl(new URL("../", import.meta.url));
const FENCES = join(TESTS, "fences/mod.ts");

/** The folder of which every test runs with fences. */
const WITHIN = "udf";

/** Others that lease memory. */
const LEASING = /createContext|defaultContext|run\(await plan|new Arena\(/;

/** Tests of the arena itself, of programs that are started, of what leases no memory for kernels, and of a fault that fences hide. */
const WITHOUT = [
  /^memory\//,
  /^io\/map\//,
  /^cli\//,
  /^channels\//,
  /^notebook\//,
  /^fences\//,
  /^views\/chunks_apart_test\.ts$/,
];

function* tests(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory) yield* tests(path);
    else if (path.endsWith("_test.ts")) yield path;
  }
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

const known = new Map<string, boolean>();

/** Whether a file of the tests imports the fences, maybe through others. */
function hasFences(path: string): boolean {
  if (path === FENCES) return true;
  if (!path.startsWith(TESTS)) return false;
  const found = known.get(path);
  if (found !== undefined) return found;
  known.set(path, false); // in a circle there are none
  if (!exists(path)) return false; // an import in the text of a test
  const imports = Deno.readTextFileSync(path).matchAll(/^(?:import|\} from|.* from) .*?"(\.[^"]+\.ts)";/gm);
  const has = [...imports].some(([, target]) => hasFences(fromFileUrl(new URL(target!, toFileUrl(path)))));
  known.set(path, has);
  return has;
}

Deno.test("whatever runs in memory of an arena is tested with fences", () => {
  const bare: string[] = [];
  for (const path of tests(TESTS)) {
    const name = relative(TESTS, path);
    if (WITHOUT.some((pattern) => pattern.test(name))) continue;
    const must = name.split("/")[0] === WITHIN || LEASING.test(Deno.readTextFileSync(path));
    if (must && !hasFences(path)) bare.push(name);
  }
  assertEquals(bare, []);
});

Deno.test("what does not import them has none", () => {
  assert(!hasFences(join(TESTS, "memory/arena_test.ts")));
  assert(hasFences(join(TESTS, "udf/run/run_test.ts")));
});

Deno.test("benches run without fences, which make runs ten times slower", () => {
  const bench = fromFileUrl(new URL("../../bench/", import.meta.url));
  const files = ["", "formats", "kernels", "start_up", "workloads", "peers"].flatMap((folder) =>
    [...Deno.readDirSync(join(bench, folder))].filter(({ name }) => name.endsWith(".ts"))
      .map(({ name }) => join(bench, folder, name))
  );
  const fenced = files.flatMap((path) =>
    [...Deno.readTextFileSync(path).matchAll(/"(\.[^"]*tests\/[^"]+\.ts)"/g)]
      .map(([, target]) => fromFileUrl(new URL(target!, toFileUrl(path)))).filter(hasFences)
  );
  assert(files.length > 10);
  assertEquals(fenced, []);
});

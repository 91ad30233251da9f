/**
 * Random UVH5 files that pyuvdata wrote, compared with what it reads from them:
 * `deno run -A tests/compare/observations/main.ts --python PYTHON --count 100 --seed 1`, with a Python that has pyuvdata.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import { openObservation } from "../../../src/observations/open.ts";
import { compare, type Expected } from "../../observations/expected.ts";

function flag(name: string, otherwise: string): string {
  const at = Deno.args.indexOf(`--${name}`);
  return at < 0 ? otherwise : Deno.args[at + 1] ?? otherwise;
}

const [count, seed] = [flag("count", "100"), flag("seed", "1")];
const folder = await Deno.makeTempDir();
const script = fromFileUrl(new URL("make.py", import.meta.url));
const { stdout, stderr, success } = await new Deno.Command(flag("python", "python3"), {
  args: [script, folder, count, seed],
}).output();
if (!success) console.error(new TextDecoder().decode(stderr).trimEnd());
let [files, failed] = [0, 0];
for (const line of new TextDecoder().decode(stdout).trim().split("\n").filter((line) => line !== "")) {
  const { path, seed, expected } = JSON.parse(line) as { path: string; seed: number; expected: Expected };
  files++;
  try {
    await using found = await openObservation(path);
    await compare(found, expected);
  } catch (error) {
    failed++;
    console.error(`seed ${seed}\n  ${error}`);
  }
}
await Deno.remove(folder, { recursive: true });
console.log(`${files} files, ${failed} differ`);
if (failed > 0 || !success) Deno.exit(1);

/**
 * Random tables that casacore wrote, compared with what casacore reads from them:
 * `deno run -A tests/compare/tables/main.ts --python PYTHON --count 100 --seed 1`, with a Python that has python-casacore.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { openAllStored as openAll } from "../../../src/formats/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { sha256 } from "../../formats/read_all.ts";

interface Made {
  readonly path: string;
  readonly seed: number;
  readonly info: string;
  readonly columns: Readonly<Record<string, { readonly shape: readonly number[]; readonly sha256: string }>>;
}

function flag(name: string, otherwise: string): string {
  const at = Deno.args.indexOf(`--${name}`);
  return at < 0 ? otherwise : Deno.args[at + 1] ?? otherwise;
}

/** What is wrong with a table; nothing if all of its columns are right. */
async function differences({ path, columns }: Made): Promise<string[]> {
  const found = await openAll(path);
  const missing = Object.keys(columns).filter((name) => !found.some(({ array }) => array === name));
  const wrong = missing.map((name) => `${name} is missing: ${found[0]?.warnings}`);
  for (const dataset of found) {
    const expected = columns[dataset.array]!;
    if (dataset.shape.join() !== expected.shape.join()) {
      wrong.push(`${dataset.array} is ${dataset.shape}, not ${expected.shape}`);
      continue;
    }
    const { data } = await readBox(dataset, wholeBox(dataset.shape));
    const digest = await sha256(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    if (digest !== expected.sha256) wrong.push(`${dataset.array}, ${dataset.dtype}, has other samples`);
  }
  return wrong;
}

const [count, seed] = [flag("count", "100"), flag("seed", "1")];
const folder = await Deno.makeTempDir();
const script = fromFileUrl(new URL("make.py", import.meta.url));
const { stdout, stderr, success } = await new Deno.Command(flag("python", "python3"), {
  args: [script, folder, count, seed],
}).output();
if (!success) console.error(new TextDecoder().decode(stderr).trimEnd());
let [tables, columns, failed] = [0, 0, 0];
for (const line of new TextDecoder().decode(stdout).trim().split("\n").filter((line) => line !== "")) {
  const made = JSON.parse(line) as Made;
  const wrong = await differences(made).catch((error: unknown) => [String(error)]);
  tables++;
  columns += Object.keys(made.columns).length;
  if (wrong.length === 0) continue;
  failed++;
  console.error(`seed ${made.seed} ${made.info}\n  ${wrong.join("\n  ")}`);
}
await Deno.remove(folder, { recursive: true });
console.log(`${tables} tables with ${columns} columns, ${failed} differ`);
Deno.exit(failed > 0 || !success ? 1 : 0);

/**
 * Makes `expected.json` and `geometry.jsonl` again with NumPy: `deno run -A tests/oracles/regenerate.ts [PYTHON]`, where
 * PYTHON has numpy and h5py. Sources that are not there keep what was known of them.
 *
 * @module
 */

import { demoBytes, fileOf, SOURCES } from "./sources.ts";

const [python = "python3"] = Deno.args;
const folder = await Deno.makeTempDir();
const path = (url: URL) => decodeURIComponent(url.pathname);
const expected = path(new URL("expected.json", import.meta.url));

await Deno.writeFile(`${folder}/demo.npy`, demoBytes());
const words: string[] = [];
for (const source of SOURCES) {
  const file = source.file ? path(fileOf(source)) : `${folder}/demo.npy`;
  const isThere = await Deno.stat(file).then(() => true, () => false);
  if (isThere) words.push(`${source.name}=${file}${source.array ? `#${source.array}` : ""}`);
}
const script = path(new URL("analyses.py", import.meta.url));
await compute(script, `${folder}/out.json`, ...words);
const known = await Deno.readTextFile(expected).then(JSON.parse, () => ({}));
const found = JSON.parse(await Deno.readTextFile(`${folder}/out.json`));
await Deno.writeTextFile(expected, JSON.stringify({ ...known, ...found }) + "\n");
await compute(
  path(new URL("geometry.py", import.meta.url)),
  path(new URL("geometry.jsonl", import.meta.url)),
);
await Deno.remove(folder, { recursive: true });
console.log(`${expected}: ${words.length} sources`);

async function compute(...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(python, { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

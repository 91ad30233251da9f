/**
 * Runs the examples that its arguments name, one after another, in the folder it is started in, and prints one line of JSON for
 * each: its name, and how many milliseconds it took. They find a scan and an observation there, as `tilewise demo` makes them.
 *
 * @module
 */

import { toFileUrl } from "@std/path";
import { cli } from "../../tests/cli/harness.ts";

/** What the examples open. */
const DEMOS = [
  ["demo", "--scan", "48x48", "--side", "64", "--quiet", "-o", "scan"],
  ["demo", "radio", "--quiet", "-o", "radio"],
];

for (const words of DEMOS) {
  const { code, err } = await cli(words);
  if (code !== 0) throw new Error(`tilewise ${words.join(" ")}: ${err}`);
}
const print = console.log;
console.log = () => {}; // what examples print is for those who run them
for (const path of Deno.args) {
  const start = performance.now();
  await import(toFileUrl(path).href);
  print(JSON.stringify({ path, milliseconds: Math.round(performance.now() - start) }));
}

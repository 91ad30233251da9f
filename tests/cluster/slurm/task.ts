/**
 * A task of an array: runs the commands in the files that are named, whose words end with NUL, one file after another.
 *
 * @module
 */

import { cli } from "../../cli/harness.ts";

for (const file of Deno.args) {
  const words = (await Deno.readTextFile(file)).split("\0").slice(0, -1);
  const { code, err } = await cli(words);
  if (code !== 0) throw new Error(`${words.join(" ")}\n${err}`);
}

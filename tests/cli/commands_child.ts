/** Runs commands one after another in this process, with its folder and its permissions, and says what they did. */

import { cli } from "./harness.ts";

for (const words of Deno.args) {
  const { code, out, err } = await cli(JSON.parse(words));
  console.log(JSON.stringify({ code, out, err }));
}

/** Runs commands one after another in this process, which has no permission, and says what they did. */

import { cli } from "../harness.ts";

for (const command of Deno.args) {
  const { code, out, err } = await cli(command.split(" "));
  console.log(JSON.stringify({ command, code, err, writes: out.length > 0 }));
}

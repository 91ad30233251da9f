/** Every back end follows the rules of the suite. */

import { SUBJECTS } from "./subjects.ts";
import { RULES } from "./suite.ts";

for (const [name, withSubject] of Object.entries(SUBJECTS)) {
  for (const { name: rule, writes, check } of RULES) {
    if (!writes || name !== "http") Deno.test(`${name}: ${rule}`, () => withSubject(check));
  }
}

/** The rules of back ends, checked where there is no test runner. */

import { MANY_CALLS, RULES } from "../suite.ts";
import type { Subject } from "../subject.ts";

/** What came of every rule: `fine`, or what is wrong. Each rule gets a subject of its own. */
export async function checked(
  subject: (number: number) => Promise<Subject>,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [number, { name, check }] of [...RULES, MANY_CALLS].entries()) {
    found[name] = await check(await subject(number)).then(
      () => "fine",
      (error) => String(error?.stack ?? error),
    );
  }
  return found;
}

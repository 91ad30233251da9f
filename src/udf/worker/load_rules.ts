/**
 * Loads what is looked for in UDFs of users.
 *
 * @module
 */

import { followRules, userRules } from "../interface/user_rules.ts";

/** Lets this thread follow the rules for UDFs of users. */
export async function loadUserRules(): Promise<void> {
  if (userRules()) return;
  const [{ checkBuffer }, { hintFor }] = await Promise.all([
    import("../buffers/buffer_checks.ts"),
    import("../interface/hints.ts"),
  ]);
  followRules({ checkBuffer, hintFor });
}

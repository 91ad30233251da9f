/**
 * How programs set times.
 *
 * @module
 */

import type { NodeTimes } from "../../backends/back_end.ts";
import { CLOCK, TIME_FLAG } from "../common/codes.ts";
import { ERRNO, granted, refuse } from "../common/errno.ts";
import { errnoAt } from "./paths.ts";
import { clockTime } from "./process_calls.ts";
import type { ProgramState } from "../common/state.ts";

/** Times as a program asks for them; flags of {@link TIME_FLAG} say which. */
export interface AskedTimes extends NodeTimes {
  readonly flags: number;
}

/** Sets the times of a name; `inval` for a time that is both given and now. */
export function setTimes(
  { files, times }: ProgramState,
  name: string,
  { accessed, modified, flags }: AskedTimes,
  follow: boolean,
): number {
  const has = (flag: number) => (flags & flag) !== 0;
  const [a, m] = [TIME_FLAG.accessed, TIME_FLAG.modified];
  const [aNow, mNow] = [TIME_FLAG.accessedNow, TIME_FLAG.modifiedNow];
  if (flags & ~(a | aNow | m | mNow) || (has(a) && has(aNow)) || (has(m) && has(mNow))) refuse(ERRNO.inval);
  if (flags === 0) return ERRNO.success;
  const old = times.factsOf(files, name, follow);
  if (typeof old === "number") return errnoAt(files, name, old);
  const now = clockTime(CLOCK.realtime);
  const asked = {
    accessed: has(a) ? BigInt.asUintN(64, accessed) : has(aNow) ? now : old.times.accessed,
    modified: has(m) ? BigInt.asUintN(64, modified) : has(mNow) ? now : old.times.modified,
  };
  granted(files.setTimes(name, asked, follow));
  const found = files.stat(name, follow);
  if (typeof found !== "number") times.note(found, asked);
  return ERRNO.success;
}

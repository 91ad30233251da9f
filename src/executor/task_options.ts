/**
 * The names of the options of a run of tasks.
 *
 * @module
 */

import type { OptionNames } from "../options.ts";
import { limit, signal, whole } from "../options/rules.ts";
import type { TaskOptions } from "./task.ts";

/** The names of {@link TaskOptions}, with the rules for their values. */
// deno-fmt-ignore: written by `deno task build`
export const TASK_OPTIONS: OptionNames<TaskOptions> = {
  memory: true, signal, stallTimeout: limit, attempts: whole(1),
};

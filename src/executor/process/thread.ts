/**
 * The module that the computing thread of a worker process runs.
 *
 * @module
 */

import "../worker.ts";

// Keeps code of users away from the standard output, through which a process answers: its output goes to standard error.
//
// Malicious code can still write to the standard output; then the invalid messages are noticed and the process is replaced.

const PRINTING = [
  "log",
  "info",
  "debug",
  "dir",
  "dirxml",
  "table",
  "count",
  "timeEnd",
  "timeLog",
  "group",
  "groupCollapsed",
];

/** Redirects all printing on this thread away from the standard output. */
function quieten(): void {
  const own = console as unknown as Record<string, unknown>;
  const { error } = console;
  for (const name of PRINTING) own[name] = (...words: unknown[]) => error(...words);
  Object.defineProperty(Deno, "stdout", { value: Deno.stderr });
  const { process } = globalThis as { process?: { stderr: unknown } };
  if (process) Object.defineProperty(process, "stdout", { get: () => process.stderr });
}

quieten();

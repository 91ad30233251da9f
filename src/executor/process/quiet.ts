/**
 * Keeps code of users away from the way on which a process answers: what it prints goes to the stream of errors.
 *
 * Code that means to do harm finds that way nonetheless; then its process is known to talk nonsense and is replaced.
 *
 * @module
 */

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

/** From now on nothing on this thread that prints goes to the standard output. */
export function quieten(): void {
  const own = console as unknown as Record<string, unknown>;
  const { error } = console;
  for (const name of PRINTING) own[name] = (...words: unknown[]) => error(...words);
  Object.defineProperty(Deno, "stdout", { value: Deno.stderr });
  const { process } = globalThis as { process?: { stderr: unknown } };
  if (process) Object.defineProperty(process, "stdout", { get: () => process.stderr });
}

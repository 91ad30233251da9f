/** Which tests were ignored because the samples do not lie beside the checkout. */

import { dirname, join } from "@std/path";

/** Whether a file reads samples, or imports a file beside it that does. */
function readsSamples(path: string, depth = 1): boolean {
  const text = Deno.readTextFileSync(path);
  if (/\.\.\/shared\//.test(text)) return true;
  if (depth === 0) return false;
  const imports = text.matchAll(/from "(\.[^"]+\.ts)"/g);
  return [...imports].some(([, to]) =>
    !to!.includes("/src/") && readsSamples(join(dirname(path), to!), depth - 1)
  );
}

/** What a report of the tests in `root` says of it: a line, or nothing where the samples are there. */
export function ignoredForSamples(root: string, report: string): string[] {
  if (isThere(join(root, "../shared/data"))) return [];
  const cases = report.matchAll(/<testcase [^>]*classname="\.?\/?([^"]+)"[^>]*>\s*<skipped/g);
  const count = [...cases].filter(([, file]) => readsSamples(join(root, file!))).length;
  return [
    `${count} tests were ignored because the samples are not there: ask the maintainers for the folder "shared", and put it beside the checkout`,
  ];
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

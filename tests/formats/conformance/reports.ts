/**
 * Files with right values by other programs that lie in `../shared/reports` beside the checkout, as cases of JSON or alone.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";

/** A case: files, the command that reads them, and what it must give. */
export interface ReportCase {
  /** What it is called. */
  readonly id: string;
  /** Its files, from the folder of the report. */
  readonly files: readonly string[];
  /** The words of the command. */
  readonly command: string;
  /** What it must give; `check` says how. */
  readonly expected: Readonly<Record<string, unknown>> & { readonly check: string };
}

const FOLDER = new URL("../../../../shared/reports/", import.meta.url);

/** The path of a file of the reports. */
export function reportPath(file: string): string {
  return fromFileUrl(new URL(file, FOLDER));
}

/** The cases of the report `name`; none where it is not at hand, which then is seen in the report of the tests. */
export function reportCases(name: string): ReportCase[] {
  try {
    return JSON.parse(Deno.readTextFileSync(new URL(`${name}/cases.json`, FOLDER)));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    Deno.test({ name: `the report ${name} does not lie beside this checkout`, ignore: true, fn() {} });
    return [];
  }
}

/** A test of a file of the reports, which is ignored where it is not at hand. */
export function reportTest(name: string, file: string, test: (path: string) => Promise<void>): void {
  const path = reportPath(file);
  Deno.test({ name, ignore: !isThere(path), fn: () => test(path) });
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/**
 * All tests in browsers: `deno task test:browser [--full] [--filter TEXT]`. The pages are built once, and files are tested in
 * {@link GROUPS} that run side by side, each with one browser. With `--full`, one file after another, with all that takes long:
 * figures, every way to compute. Each file can be tested alone as well: `deno test -A --no-check tests/browser/golden_test.ts`.
 *
 * @module
 */

import { fromFileUrl, join, toFileUrl } from "@std/path";
import { testFiles } from "../suite/joined.ts";
import { buildPages, stopBundler } from "./setup/bundle.ts";
import { FULL, PAGES } from "./setup/full.ts";

const HERE = fromFileUrl(new URL(".", import.meta.url));

/** As many as tests run side by side. A browser of its own takes a file one to two seconds of processor time. */
const GROUPS = 3;

/** Writes into `folder` what tests all files in groups; the paths. */
function writeGroups(folder: string): string[] {
  const imports = Array.from({ length: GROUPS }, () => "");
  for (const [i, file] of testFiles(HERE, "", []).entries()) {
    imports[i % GROUPS] += `import ${JSON.stringify(toFileUrl(join(HERE, file)).href)};\n`;
  }
  return imports.map((text, i) => {
    const path = join(folder, `group_${i}_test.ts`);
    Deno.writeTextFileSync(path, text);
    return path;
  });
}

/** Tests all files with pages in `folder`; the exit code. */
async function test(folder: string, full: boolean, words: readonly string[]): Promise<number> {
  const paths = full ? [HERE] : writeGroups(folder);
  const how = full ? [] : ["--quiet", "--parallel"]; // --quiet hides the figures as well
  const args = ["test", "-A", "--no-check", ...how, ...words, ...paths];
  const env = { [PAGES]: folder, [FULL]: full ? "1" : "", DENO_JOBS: String(GROUPS) };
  const { code } = await new Deno.Command(Deno.execPath(), { args, env, cwd: HERE }).spawn().status;
  return code;
}

const words = Deno.args.filter((word) => word !== "--full");
const folder = await Deno.makeTempDir({ prefix: "tilewise-pages-" });
try {
  await buildPages(folder);
  await stopBundler();
  Deno.exitCode = await test(folder, words.length < Deno.args.length, words);
} finally {
  await Deno.remove(folder, { recursive: true });
}

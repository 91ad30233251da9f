/**
 * All tests in browsers: `deno task test:browser [--full] [--filter TEXT]`. The pages are built once, and files are tested side
 * by side, each with a browser of its own. With `--full`, one after another, with all that takes long: figures, every way to
 * compute. Each file can be tested alone as well: `deno test -A --no-check tests/browser/golden_test.ts`.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import { buildPages, stopBundler } from "./setup/bundle.ts";
import { FULL, PAGES } from "./setup/full.ts";

const HERE = fromFileUrl(new URL(".", import.meta.url));

/** Tests all files with pages in `folder`; the exit code. */
async function test(folder: string, full: boolean, words: readonly string[]): Promise<number> {
  const how = full ? [] : ["--quiet", "--parallel"]; // --quiet hides the figures as well
  const args = ["test", "-A", "--no-check", ...how, ...words, HERE];
  const env = { [PAGES]: folder, [FULL]: full ? "1" : "" };
  const { code } = await new Deno.Command(Deno.execPath(), { args, env }).spawn().status;
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

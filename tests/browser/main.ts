/**
 * All tests in browsers, with one browser and one server: `deno task test:browser [--filter TEXT]`. Each file can be tested
 * alone as well: `deno test -A --no-check tests/browser/golden_test.ts`.
 *
 * @module
 */

/** Tests of these pages, file by file. */
const FILES = [".", "page", "web"].flatMap((folder) =>
  [...Deno.readDirSync(new URL(`./${folder}/`, import.meta.url))]
    .filter(({ name }) => name.endsWith("_test.ts"))
    .map(({ name }) => `./${folder}/${name}`)
).toSorted();

for (const file of FILES) await import(file);

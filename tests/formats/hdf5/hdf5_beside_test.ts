/**
 * HDF5 files that name other files: those are read where they lie in the folder or below; what is missing, or lies
 * elsewhere, is an error until the caller allows it. The files are those of `tests/data/hdf5_beside`.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { OpenOptions } from "../../../src/formats/common/options.ts";
import { openStored as open } from "../../../src/formats/open.ts";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { cli, withFolder } from "../../cli/harness.ts";
import { failure } from "../helpers.ts";

const FOLDER = decodeURIComponent(new URL("../../data/hdf5_beside/", import.meta.url).pathname);
const scan = (name: string) => `${FOLDER}scans/${name}`;

/** First samples of the frames; 99 is the fill value. */
async function firsts(source: string, options: OpenOptions = {}): Promise<number[]> {
  const dataset = await open(source, options);
  const { data } = await readBox(dataset, wholeBox(dataset.shape));
  return Array.from({ length: dataset.frames }, (_, f) => Number(data[f * dataset.pixels]));
}

async function copy(to: string): Promise<void> {
  for (const folder of ["scans", "scans/below", "other"]) {
    await Deno.mkdir(`${to}/${folder}`, { recursive: true });
    for (const { name, isFile } of Deno.readDirSync(FOLDER + folder)) {
      if (isFile) await Deno.copyFile(`${FOLDER}${folder}/${name}`, `${to}/${folder}/${name}`);
    }
  }
}

Deno.test("sources in the folder and below it are read, by links and from wherever they are named", async () => {
  assertEquals(await firsts(scan("virtual.h5")), [1, 13, 31, 43]);
  assertEquals(await firsts(scan("external.h5")), [1, 13, 31, 43]);
  assertEquals(await firsts(scan("virtual_absolute.h5")), [1, 13, 1, 13]);
  assertEquals(await firsts(scan("virtual_nested.h5")), [31, 43, 1, 13]); // names count from the file that has them
});

for (const name of ["virtual_lost.h5", "external_lost.h5"]) {
  Deno.test(`${name}: a missing source is an error that names it, and the fill value where that is allowed`, async () => {
    const { message } = await failure(open(scan(name)), "not-found");
    assert(
      /shows .*lost\.(h5|bin), which cannot be found; with the option allowMissing/.test(message),
      message,
    );
    const options = { allowMissing: true };
    const expected = name.startsWith("virtual") ? [1, 13, 99, 99] : [99, 99, 1, 13];
    assertEquals(await firsts(scan(name), options), expected);
    const { warnings } = await open(scan(name), options);
    assert(warnings.some((text) => /lost\.\w+, which cannot be found: samples/.test(text)), warnings.join());
  });
}

for (const name of ["virtual_out.h5", "external_out.h5"]) {
  Deno.test(`${name}: a source in another folder is an error, though one of its name is beside; root permits it`, async () => {
    const error = await failure(open(scan(name)), "invalid");
    assert(
      /\.\.\/other\/.* a path inside its folder, or below .* option root/.test(error.message),
      error.message,
    );
    assertEquals(await firsts(scan(name), { root: FOLDER }), [1, 13, 61, 73]);
    assertEquals(await firsts(scan(name), { allowMissing: true }), [1, 13, 99, 99]);
    await failure(open(scan(name), { root: `${FOLDER}scans/below` }), "invalid");
  });
}

Deno.test("nobody chooses another array where the one behind a link is missing", async () => {
  const lost = await failure(open(scan("link_lost.h5")), "not-found");
  assert(
    /Cannot choose an array .* lost\.h5, which is not there; .*"\/small"/.test(lost.message),
    lost.message,
  );
  const out = await failure(open(scan("link_out.h5")), "not-found");
  assert(/path inside its folder, or below/.test(out.message), out.message);
  assertEquals(await firsts(scan("link_lost.h5"), { array: "/small" }), [1]);
  assertEquals(await firsts(scan("link_lost.h5"), { allowMissing: true }), [1]);
  assertEquals(await firsts(scan("link_out.h5"), { root: FOLDER }), [61, 73]);
  assertEquals(await firsts(scan("link_out.h5"), { array: "/frames", root: FOLDER }), [61, 73]);
});

Deno.test("symbolic links are followed before it is judged where a file lies", async () => {
  await withFolder(async (folder) => {
    await copy(folder);
    const below = `${folder}/scans/below`;
    await Deno.remove(`${below}/source.h5`);
    await Deno.symlink(`${folder}/other/source.h5`, `${below}/source.h5`);
    const error = await failure(open(`${folder}/scans/virtual.h5`), "invalid");
    assert(/below\/source\.h5/.test(error.message), error.message);
    assertEquals(await firsts(`${folder}/scans/virtual.h5`, { root: folder }), [1, 13, 61, 73]);
    await Deno.remove(`${below}/source.h5`);
    await Deno.symlink(`${folder}/scans/source.h5`, `${below}/source.h5`); // within the folder it may lead anywhere
    assertEquals(await firsts(`${folder}/scans/virtual.h5`), [1, 13, 1, 13]);
    await Deno.symlink(`${folder}/scans`, `${folder}/same`); // and so may the folder itself
    assertEquals(await firsts(`${folder}/same/virtual.h5`), [1, 13, 1, 13]);
  });
});

Deno.test("the command line refuses what is missing, and reads it where --allow-missing or --root says so", async () => {
  const refused = await cli(["stats", scan("virtual_lost.h5")]);
  assertEquals([refused.code, refused.out], [1, ""]);
  assert(/\[not-found\] .*lost\.h5.* with --allow-missing/.test(refused.err), refused.err);
  const run = (...flags: string[]) => cli(["stats", ...flags, "--json"]);
  const allowed = await run(scan("virtual_lost.h5"), "--allow-missing");
  assertEquals([allowed.code, allowed.json()[0]!.max], [0, 99]);
  assert(/warning: .*lost\.h5, which cannot be found/.test(allowed.err), allowed.err);
  const outside = await cli(["stats", scan("virtual_out.h5")]);
  assert(/--root/.test(outside.err), outside.err);
  assertEquals((await run(scan("virtual_out.h5"), "--root", FOLDER)).code, 0);
});

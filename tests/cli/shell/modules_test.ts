/**
 * How many modules commands load: each costs a part of a millisecond at every start. A module that is needed by some commands only is
 * imported by those.
 *
 * @module
 */

import { assert } from "@std/assert";
import { encodeNpy } from "../../npy_files.ts";
import { withFolder } from "../harness.ts";

const MAIN = new URL("../../../src/cli/main.ts", import.meta.url).pathname;

/** Commands over a scan, and the most modules that they may load. */
const MOST: readonly (readonly [command: string, most: number])[] = [
  ["info scan.npy", 138],
  ["run sum scan.npy --workers 0 -o sum.npy", 303],
  ["map gaussian:sigma=2 scan.npy --workers 0 -o blurred.ome.zarr", 386],
];

/** The modules of the library that a command loads, by their paths. */
async function loaded(command: string, folder: string): Promise<string[]> {
  const seen = await Deno.makeTempDir({ dir: folder });
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", MAIN, ...command.split(" ")],
    cwd: folder,
    env: { DENO_COVERAGE_DIR: seen },
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  const files = [...Deno.readDirSync(seen)].map(({ name }) => Deno.readTextFileSync(`${seen}/${name}`));
  return files.map((text) => JSON.parse(text).url as string).flatMap((url) => url.split("/src/").slice(1));
}

for (const [command, most] of MOST) {
  Deno.test(`${command} loads at most ${most} modules`, async () => {
    await withFolder(async (folder) => {
      const samples = Uint16Array.from({ length: 4 * 4 * 8 * 8 }, (_, i) => i);
      await Deno.writeFile(`${folder}/scan.npy`, encodeNpy(samples, [4, 4, 8, 8], "uint16"));
      const modules = await loaded(command, folder);
      const rooms = Map.groupBy(modules, (path) => path.split("/")[0]!);
      const counts = [...rooms].map(([room, { length }]) => `${room} ${length}`).sort().join(", ");
      assert(modules.length <= most && modules.length > 50, `${modules.length} modules: ${counts}`);
    });
  });
}

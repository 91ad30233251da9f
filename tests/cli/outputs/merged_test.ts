/** Merging parts into a file: the run stays open until the file is there. */

import { assertRejects } from "@std/assert";
import { mergedFile } from "../../../src/cli/outputs/merged.ts";
import { Arguments } from "../../../src/cli/shell/args.ts";
import type { CliIo } from "../../../src/cli/shell/io.ts";
import type { StoredRun } from "../../../src/cluster/manifest/read.ts";
import { ViewsRun } from "../../../src/cluster/kinds/map_run.ts";
import type { PartStore } from "../../../src/cluster/store/store.ts";
import type { Context } from "../../../src/runner/face.ts";

Deno.test("a run is open as long as its parts are merged", async () => {
  const folder = await Deno.makeTempDir();
  const { open } = ViewsRun;
  let isOpen = true;
  const run = {
    get manifest(): never {
      throw new Error(isOpen ? "asked while it is open" : "asked when it was closed");
    },
    [Symbol.asyncDispose]() {
      isOpen = false;
      return Promise.resolve();
    },
  };
  try {
    Object.assign(ViewsRun, { open: () => Promise.resolve(run) });
    const args = new Arguments([], new Map([["output", [`${folder}/out.npy`]]]));
    const stored = { manifest: { kind: "map" } } as unknown as StoredRun;
    const merged = mergedFile({} as PartStore, stored, {} as Context, args, {} as CliIo);
    await assertRejects(() => merged, Error, "asked while it is open");
  } finally {
    Object.assign(ViewsRun, { open });
    await Deno.remove(folder, { recursive: true });
  }
});

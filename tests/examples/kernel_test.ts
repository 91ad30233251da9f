/** Notebooks in the real kernel: what cells show there, live displays among it. */

import { assert, assertEquals } from "@std/assert";
import { succeeds } from "../installed.ts";
import { PYTHON } from "../sinks/python.ts";

const SCRIPT = decodeURIComponent(new URL("./run_notebooks.py", import.meta.url).pathname);
const ROOT = decodeURIComponent(new URL("../../", import.meta.url).pathname);

const ignore = !succeeds(PYTHON, "-c", "import jupyter_client"); // the kernel speaks ZeroMQ, for which Deno has no client of its own

/** What a cell gave. */
interface Cell {
  readonly outputs: readonly (readonly [kind: string, types: readonly string[]])[];
  readonly error: string | null;
}

Deno.test({
  name: `a notebook in the kernel shows tables, pictures and a live display${
    ignore ? ` (skipped: ${PYTHON} has no jupyter_client)` : ""
  }`,
  ignore,
  async fn() {
    const notebook = `${ROOT}examples/notebooks/virtual_detectors.ipynb`;
    const { success, stdout, stderr } = await new Deno.Command(PYTHON, { args: [SCRIPT, ROOT, notebook] })
      .output();
    assert(success, new TextDecoder().decode(stderr));
    const { cells } = JSON.parse(new TextDecoder().decode(stdout)) as { cells: Cell[] };
    assertEquals(cells.map(({ error }) => error), cells.map(() => null));
    const [scan, plan, shown] = cells.map(({ outputs }) => outputs);
    assert(scan![0]![1].includes("text/html") && plan![0]![1].includes("text/html"));
    assertEquals(shown!.map(([kind]) => kind).filter((kind, i, all) => kind !== all[i - 1]), [
      "display_data",
      "update_display_data",
      "execute_result",
    ]);
    assert(shown!.at(-1)![1].includes("image/png"));
  },
});

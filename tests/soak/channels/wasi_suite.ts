/**
 * The public suite of programs for WASI preview 1, by both routes. It is not part of this repository: `WASI_TESTSUITE` names the
 * folder of a clone of `WebAssembly/wasi-testsuite`, on the branch `prod/testsuite-base`, which has the compiled programs.
 *
 * @module
 */

import { join } from "@std/path";
import { cp } from "node:fs/promises";
import { createContext } from "../../../src/runner/context.ts";
import { startHost } from "../../../src/channels/host/host.ts";
import type { Route } from "../../../src/channels/host/route.ts";
import { runWasi } from "../../../src/channels/wasi/run.ts";
import { ROUTES } from "../../channels/wasi/wasi_side.ts";
import { type Part, Tally, withFolder } from "../part.ts";

const FOLDER = Deno.env.get("WASI_TESTSUITE");
const GROUPS = ["assemblyscript", "c", "rust"];

/** What a program is given, and how it must end; these words are those of the suite. */
interface Case {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly root?: string;
  readonly exit_code?: number;
  readonly stdout?: string;
}

/** The part. */
export const WASI_SUITE: Part = {
  name: "wasi-suite",
  help: "all programs of the public suite for WASI preview 1, by both routes",
  needs: {
    what: "WASI_TESTSUITE, a clone of WebAssembly/wasi-testsuite on prod/testsuite-base",
    isThere: () => FOLDER !== undefined,
  },
  run: async ({ quick }) => {
    const tally = new Tally();
    for (const group of GROUPS) {
      const at = join(FOLDER!, "tests", group, "testsuite", "wasm32-wasip1");
      const names = [...Deno.readDirSync(at)].map(({ name }) => name).filter((name) => name.endsWith(".wasm"))
        .sort();
      for (const name of quick ? names.slice(0, 1) : names) {
        for (const route of ROUTES) {
          await tally.add(
            `${group}/${name} ${route}`,
            () => wrong(at, name.slice(0, -".wasm".length), route),
          );
        }
      }
    }
    return tally;
  },
};

/** How a program ended, if not as it must. */
async function wrong(at: string, name: string, route: Route): Promise<string | undefined> {
  const asked = await caseOf(join(at, `${name}.json`));
  return await withFolder(async (folder) => {
    if (asked.root) await cp(join(at, asked.root), folder, { recursive: true });
    await using context = createContext({ memory: "40MiB", workers: 1 });
    await using host = await startHost(context, {
      channels: 2,
      bufferLength: 1000,
      elementSize: 8,
      roots: [folder],
    });
    const { code, stdout, stderr } = await runWasi(host, { file: join(at, `${name}.wasm`) }, {
      args: asked.args ?? [],
      env: asked.env ?? {},
      roots: asked.root ? { "/": "." } : {},
      route,
    });
    const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    if (code === (asked.exit_code ?? 0) && out === (asked.stdout ?? out)) return undefined;
    return `exit code ${code}: ${out} ${err}`;
  });
}

async function caseOf(path: string): Promise<Case> {
  try {
    return JSON.parse(await Deno.readTextFile(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw error;
  }
}

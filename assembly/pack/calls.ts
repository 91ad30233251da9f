/**
 * Splits the calls of built-in UDFs from what runs.
 *
 * A built-in UDF is one module: the function that users call, its options, and what workers run. Bundlers never split a module,
 * and a page that imports one function from an entry loads every module that the entry names and that a run may load later. So
 * in the package such a script `x.js` has what runs, and `x.call.js` beside it the rest, for all who import calls.
 *
 * @module
 */

import { build, type Plugin } from "esbuild";
import { read, resolved, type Script } from "./emit.ts";

/** The table of built-in UDFs; those in rooms of their own are no part of `mod.ts`. */
const TABLE = "src/udf/worker/builtins.js";

/** What runs: the functions that make UDFs. */
const RUNS = /Udf$/;

/** An import or export of names from another module. */
const NAMED = /^((?:import|export) \{([^}]*)\} from )"(\.[^"]+)";/gm;

/** The scripts, with the calls of the UDFs in the table apart. */
export async function withCalls(scripts: ReadonlyMap<string, Script>): Promise<Map<string, Script>> {
  const all = new Map([...scripts].map(([path, { text }]) => [path, text]));
  const made = [...scripts.get(TABLE)!.text.matchAll(/import\("(\.\.\/builtin\/[^"/]+)"\)/g)].map((
    [, name],
  ) => resolved(TABLE, name!));
  const split = new Set<string>();
  for (const path of new Set(made)) {
    const script = scripts.get(path)!.text;
    const names = exportsOf(script);
    const calls = names.filter((name) => !RUNS.test(name));
    if (calls.length === 0 || calls.length === names.length) continue;
    const apart = path.replace(/\.js$/, ".call.js");
    split.add(path);
    all.set(apart, await only(calls, script));
    all.set(path, await only(names.filter((name) => RUNS.test(name)), script));
  }
  for (const [path, script] of all) {
    const between = (whole: string, head: string, names: string, name: string) => {
      if (!split.has(resolved(path, name))) return whole;
      const listed = names.split(",");
      const runs = listed.filter((one) => RUNS.test(one.trim())).length;
      if (runs === 0) return `${head}"${name.replace(/\.js$/, ".call.js")}";`;
      if (runs === listed.length) return whole;
      throw new Error(`${path} imports calls and what runs from ${name} at once`);
    };
    all.set(path, script.replace(NAMED, between));
  }
  return new Map([...all].sort().map(([path, text]) => [path, read(path, text)]));
}

/** The names that a script exports, as esbuild writes them: at the end. */
function exportsOf(script: string): string[] {
  const [, names = ""] = /^export \{([^}]*)\};/m.exec(script) ?? [];
  return names.split(",").map((name) => name.trim().replace(/^.* as /, "")).filter((name) => name !== "");
}

/** The part of a script that these exports need. */
async function only(names: readonly string[], script: string): Promise<string> {
  const whole: Plugin = {
    name: "whole",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^whole$/ }, ({ path }) => ({ path, namespace: "whole" }));
      onLoad({ filter: /./, namespace: "whole" }, () => ({ contents: script }));
      onResolve({ filter: /^\./ }, ({ path }) => ({ path, external: true, sideEffects: false }));
    },
  };
  const { outputFiles: [file] } = await build({
    stdin: { contents: `export { ${names.join(", ")} } from "whole";` },
    write: false,
    bundle: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    plugins: [whole],
  });
  return file!.text;
}

/**
 * The time from the start of a process to its first result.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import { type BenchData, benchData } from "../data.ts";
import { type BenchRow, measure } from "../timing.ts";

const MAIN = fromFileUrl(new URL("../../src/cli/main.ts", import.meta.url));

/** `tilewise run sum` on a small file: whole processes, modules cached. */
export async function startUpRows(large: BenchData): Promise<BenchRow[]> {
  const tiny = await benchData("tiny");
  const out = await Deno.makeTempDir();
  try {
    return [
      await processRow("start-up, tiny scan", tiny, out),
      await processRow("start-up, whole scan", large, out),
    ];
  } finally {
    await Deno.remove(out, { recursive: true });
  }
}

async function processRow(name: string, data: BenchData, out: string): Promise<BenchRow> {
  const args = ["run", "-A", "--no-check", MAIN, "run", "sum", data.path, "--quiet"];
  const shape = ["--nav", data.nav.join("x"), "--sig", data.sig.join("x"), "--dtype", data.dtype];
  const once = async () => {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...args, ...shape, "--format", "raw", "-o", `${out}/sum.npy`],
      stdout: "null",
    }).output();
    if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  };
  return { name, by: "tilewise run", ...await measure(once, { repeats: 7 }) };
}

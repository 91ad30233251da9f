/** The Python with the packages of others: PYTHON=…, or python3. */

import { fromFileUrl } from "@std/path";

const PYTHON = Deno.env.get("PYTHON") ?? "python3";

/** The script that reads what targets write, one line of JSON per file. */
export const READ_TARGETS: string = fromFileUrl(new URL("read_targets.py", import.meta.url));

/** What Python prints for some words; `error` if there is no Python, or it fails. */
export async function python(...args: readonly string[]): Promise<{ out: string; error: string }> {
  try {
    const { success, stdout, stderr } = await new Deno.Command(PYTHON, { args: [...args] }).output();
    const [out, error] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    return { out: out!, error: success ? "" : error! };
  } catch (error) {
    return { out: "", error: String(error) };
  }
}

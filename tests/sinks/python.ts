/** The Python with the packages of others: PYTHON=…, or python3. */

import { fromFileUrl } from "@std/path";

/** Its name. */
export const PYTHON: string = Deno.env.get("PYTHON") ?? "python3";

/** The script that reads what targets write, one line of JSON per file. */
export const READ_TARGETS: string = fromFileUrl(new URL("read_targets.py", import.meta.url));

/** What Python prints for some words, and bytes on stdin; `error` if there is no Python, or it fails. */
export async function python(
  ...args: readonly (string | Uint8Array | Uint16Array)[]
): Promise<{ out: string; error: string }> {
  const words = args.filter((word) => typeof word === "string");
  const bytes = args.find((word) => typeof word !== "string");
  try {
    const command = new Deno.Command(PYTHON, {
      args: words,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    });
    const child = command.spawn(), writer = child.stdin.getWriter();
    if (bytes) {
      await writer.write(new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength));
    }
    await writer.close();
    const { success, stdout, stderr } = await child.output();
    const [out, error] = [stdout, stderr].map((found) => new TextDecoder().decode(found));
    return { out: out!, error: success ? "" : error! };
  } catch (error) {
    return { out: "", error: String(error) };
  }
}

/**
 * Makes the virtual environment that the Python peers run in, outside the tree.
 *
 * ```sh
 * deno run -A bench/peers/setup.ts [--venv FOLDER]
 * ```
 *
 * @module
 */

import { tmpdir } from "node:os";
import { fromFileUrl, join } from "@std/path";
import { readArguments } from "../arguments.ts";
import { print } from "../timing.ts";

/** A Python that has the peers, or the reason why there is none. */
export type Peers = { readonly python: string } | { readonly skipped: string };

const REQUIREMENTS = new URL("./requirements.txt", import.meta.url);

/** A copy of the requirements in a folder says that it is complete. */
const MARK = "tilewise-requirements.txt";

/** The folder used unless one is named. */
export function venvFolder(): string {
  return join(tmpdir(), "tilewise-peers");
}

/** Whether the environment is there. */
export async function hasPeers(folder: string = venvFolder()): Promise<boolean> {
  return await readText(join(folder, MARK)) === await Deno.readTextFile(REQUIREMENTS);
}

/**
 * Makes the environment unless it is there already with the same requirements.
 *
 * A machine without Python, or without a package registry, gives a reason instead of an error.
 */
export async function ensurePeers(folder: string = venvFolder()): Promise<Peers> {
  const python = join(folder, Deno.build.os === "windows" ? "Scripts/python.exe" : "bin/python");
  if (await hasPeers(folder)) return { python };
  for (
    const [program, ...args] of [
      ["python3", "-m", "venv", folder],
      [python, "-m", "pip", "install", "--quiet", "--requirement", fromFileUrl(REQUIREMENTS)],
      [python, "-c", "import libertem.api, libertem_blobfinder, numpy"],
    ] as const
  ) {
    const failure = await run(program, args);
    if (failure !== undefined) return { skipped: `${program} ${args.slice(0, 2).join(" ")}: ${failure}` };
  }
  await Deno.copyFile(REQUIREMENTS, join(folder, MARK));
  return { python };
}

/** Nothing when the program ended well, else the last line it said. */
async function run(program: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { success, stderr } = await new Deno.Command(program, { args: [...args], stdout: "null" }).output();
    return success ? undefined : new TextDecoder().decode(stderr).trim().split("\n").at(-1) || "failed";
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "not installed";
    throw error;
  }
}

/** Nothing where there is no such file, or none can be: then making the environment says why. */
async function readText(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    const { NotADirectory, NotFound, PermissionDenied } = Deno.errors;
    if ([NotADirectory, NotFound, PermissionDenied].some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}

if (import.meta.main) {
  const peers = await ensurePeers(readArguments(Deno.args, ["venv"]).options.venv);
  print("python" in peers ? `peers run in ${peers.python}` : `peers skipped: ${peers.skipped}`);
}

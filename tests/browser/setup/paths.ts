/**
 * Where programs of the machine are: the browsers that tests drive.
 *
 * @module
 */

import { join } from "@std/path";

/** Names of Chromium, and the variable that names another one. */
export const CHROMIUM = { variable: "CHROMIUM", names: ["chromium", "chromium-browser", "google-chrome"] };

/** Names of Firefox, and the variable that names another one. */
export const FIREFOX = { variable: "FIREFOX", names: ["firefox-esr", "firefox"] };

/** The path of a program, or `undefined` if it is not there. */
export function programPath({ variable, names }: typeof CHROMIUM): string | undefined {
  const own = Deno.env.get(variable);
  if (own) return own;
  const folders = (Deno.env.get("PATH") ?? "").split(Deno.build.os === "windows" ? ";" : ":");
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isFile);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/**
 * Opens a link in the browser of the user.
 *
 * The link has a token, and all users of a machine see the arguments of all commands: the browser is given a file instead, that
 * only its owner can read and that leads to the link.
 *
 * @module
 */

import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { reasonOf } from "../../reason.ts";
import { system } from "../shell/system.ts";

/** The command that opens a file, by operating system. */
const COMMANDS: Readonly<Record<string, readonly [command: string, ...before: string[]]>> = {
  darwin: ["open"],
  windows: ["cmd", "/c", "start", ""],
};

/** A link that was handed to the browser; its file goes when this is disposed of. */
export interface OpenedLink extends AsyncDisposable {
  /** Why it could not be handed over; absent: it was. */
  readonly failed?: string;
}

/** Starts a program with arguments; tests replace it. */
export type Start = (command: string, args: readonly string[]) => Promise<void>;

/** Opens `link`. */
export async function openLink(link: string, start: Start = startProgram): Promise<OpenedLink> {
  const folder = await mkdtemp(join(tmpdir(), "tilewise-")); // only its owner may enter it
  const gone = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
  try {
    const file = join(folder, "open.html");
    await writeFile(file, leadingTo(link), { mode: 0o600 });
    const [command, ...before] = COMMANDS[system.platform] ?? ["xdg-open"];
    await start(command, [...before, pathToFileURL(file).href]);
    return gone;
  } catch (error) {
    return { failed: reasonOf(error), ...gone };
  }
}

/** A page that leads to `link`. */
export function leadingTo(link: string): string {
  const text = link.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">` +
    `<meta http-equiv="refresh" content="0; url=${text}"><title>Tilewise</title><a href="${text}">Tilewise</a>\n`;
}

function startProgram(command: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { timeout: 10_000 }, (error) => error ? reject(error) : resolve());
  });
}

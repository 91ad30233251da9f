/**
 * The link that the command prints and opens, and the list of sources that the page is told.
 *
 * The link has a token, and all users of a machine see the arguments of all commands: the browser is given a file instead, that
 * only its owner can read and that leads to the link.
 *
 * @module
 */

import { SOURCE_FLAGS } from "../flags/source_flags.ts";
import type { Arguments } from "../shell/args.ts";
import type { FolderPart, Served } from "./contents.ts";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { reasonOf } from "../../reason.ts";
import { system } from "../shell/system.ts";

/** A source, or a folder that is browsed, as the page is told of it. */
export interface ListedSource {
  /** Its name. */
  readonly name: string;
  /** Its address, below the page; of a folder its number, which its list is asked for with. */
  readonly url: string;
  /** The addresses of all files that belong together; the first is its own. A folder has none. */
  readonly files: readonly string[];
  /** Options of `open`, as they were typed. */
  readonly options: Readonly<Record<string, string>>;
}

/** What the page makes if no source is given. */
const SAMPLE = "crystal";

/** All sources, with their addresses and the options of the command. */
export function listSources(served: readonly Served[], options: ListedSource["options"]): ListedSource[] {
  return served.map(({ name, files }, n) => listed(name, `${n}`, files, options));
}

/** The sources in a part of the folder with number `n`. */
export function listPart(
  { sources }: FolderPart,
  n: number,
  options: ListedSource["options"],
): ListedSource[] {
  return sources.map(({ key, served: { name, files } }) =>
    listed(name, `${n}/${inUrl(key)}`, files, options)
  );
}

function listed(
  name: string,
  below: string,
  files: readonly string[],
  options: ListedSource["options"],
): ListedSource {
  const urls = files.map((file) => `data/${below}/${inUrl(file)}`);
  return { name, url: urls[0] ?? below, files: urls, options };
}

function inUrl(key: string): string {
  return key.split("/").map(encodeURIComponent).join("/");
}

/**
 * The link to the page: its token, which source it opens, and how. Several sources, and a folder, are listed by the page.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const url = "data/0/a%20b.mib";
 * const source = { name: "a b.mib", url, files: [url], options: { nav: "64x64" } };
 * assertEquals(linkTo("http://127.0.0.1:80", "T", [source]), "http://127.0.0.1:80/#token=T&v=1&url=data/0/a%2520b.mib&open.nav=64x64");
 * assertEquals(linkTo("http://127.0.0.1:80", "T", []), "http://127.0.0.1:80/#token=T&v=1&sample=crystal");
 * ```
 */
export function linkTo(origin: string, token: string, listed: readonly ListedSource[]): string {
  const [source, ...others] = listed;
  const rows = others.length > 0
    ? []
    : source && source.files.length === 0
    ? [["folder", source.url]]
    : source
    ? [["url", source.url], ...Object.entries(source.options).map(([name, text]) => [`open.${name}`, text])]
    : [["sample", SAMPLE]];
  const parts = [["token", token], ["v", "1"], ...rows];
  return `${origin}/#${parts.map(([name, value]) => `${name}=${readable(value!)}`).join("&")}`;
}

/** Options that mean something on this machine only. */
const LOCAL = ["root", "gainMap"];

/** The options of `open` among the flags, as text. */
export function optionsIn(args: Arguments): Record<string, string> {
  const given = SOURCE_FLAGS.filter(({ name, option }) => args.has(name) && !LOCAL.includes(option ?? ""));
  return Object.fromEntries(given.map(({ name, option = name, value }) => [
    option,
    value === undefined ? "true" : args.text(name)!,
  ]));
}

/** A value in the fragment of an address: only what would end it is encoded. */
function readable(text: string): string {
  return encodeURIComponent(text).replace(/%(2C|2F|3A)/g, decodeURIComponent);
}

/** The command that opens a file, by operating system. */
const COMMANDS: Readonly<Record<string, readonly [command: string, ...before: string[]]>> = {
  darwin: ["open"],
  windows: ["cmd", "/c", "start", ""],
};

/** A link that was handed to the browser; its file goes when this is disposed of. */
interface OpenedLink extends AsyncDisposable {
  /** Why it could not be handed over; absent: it was. */
  readonly failed?: string;
}

/** Starts a program with arguments; tests replace it. */
type Start = (command: string, args: readonly string[]) => Promise<void>;

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

/**
 * `tilewise view`: serves the page to the browser on this machine, and the sources to the page. Headers say what the
 * page may load, and who may load it.
 *
 * @module
 */

import { HEADS } from "../shell/heads.ts";
import type { OpenOptions } from "../../formats/common/options.ts";
import { openOptions, SOURCE_FLAGS } from "../flags/source_flags.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { type CliIo, outJson, printable } from "../shell/io.ts";
import type { Verb } from "../shell/verb.ts";
import { inUrl, isLoopback, Keeper, newToken, type ServerAddress, tokenFrom } from "./guard.ts";
import { linkTo, type ListedSource, listPart, listSources, openLink, optionsIn } from "./link.ts";
import { builtPage } from "./page.ts";
import { servedSource } from "./served.ts";
import type { Served } from "./contents.ts";
import { listenAt } from "./server.ts";

/** The headers; the page may connect to `hosts` besides the server itself, by default to any: users open URLs in it. */
export function securityHeaders(
  hosts: readonly string[] = ["http:", "https:"],
): Readonly<Record<string, string>> {
  return {
    "content-security-policy": [
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "style-src 'self'",
      "worker-src 'self'",
      `connect-src ${["'self'", ...hosts].join(" ")}`,
      "img-src 'self' blob:",
      "font-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "permissions-policy": UNUSED.map((feature) => `${feature}=()`).join(", "),
  };
}

/** What browsers can do and the page does not need. */
const UNUSED = [
  "accelerometer",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "hid",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "publickey-credentials-get",
  "serial",
  "usb",
];

/** The verb. */
export const VIEW: Verb = {
  ...HEADS.view,
  least: 0,
  flags: [
    { name: "open", help: "opens the link in the browser" },
    { name: "demo", help: "the page makes a sample; so it does without a SOURCE" },
    { name: "port", value: "N", help: "port to listen at; default any free one" },
    {
      name: "connect",
      value: "HOST",
      multiple: true,
      help: "the page may open URLs of this host only; default any host",
    },
    {
      name: "listen",
      value: "ADDRESS",
      help: "address to listen at; other machines reach others than 127.0.0.1, which need --token-file",
    },
    {
      name: "token-file",
      value: "FILE",
      help: "file with the token that the link has (mode 0600); it is made if it is not there",
    },
    ...SOURCE_FLAGS,
  ],
  notes: [
    "The page computes in the browser. Sources are served to it read-only, in parts, and to nobody else: the link has a",
    "random token that the page exchanges for a cookie. The command runs until Ctrl-C.",
  ],
  examples: [
    ["tilewise view", "Prints a link to the page, which makes a sample to try out."],
    ["tilewise view scan.mib --open", "Opens the browser with a scan; files that belong to it are found."],
    [
      "tilewise view scan.raw --dtype uint16 --nav 64x64 --sig 128x128",
      "Facts that the file does not have; the page asks for those that are missing.",
    ],
  ],
  source: ({ positionals }) => positionals.length === 1 ? positionals[0] : undefined,
  run: view,
};

async function view(args: Arguments, io: CliIo): Promise<number> {
  const address = addressOf(args);
  const port = args.count("port", 0, 65535) ?? 0;
  const options = openOptions(args, io.signal);
  const [page, served] = [await builtPage(), await allSources(args, options)];
  const file = args.text("token-file");
  const token = file === undefined ? newToken() : await tokenFrom(file);
  await using server = await listenAt(address, port);
  const { place } = server;
  const listed = listSources(served, optionsIn(args));
  const keeper = new Keeper(token, place.port);
  server.serve({ place, keeper, page, served, listed }, securityHeaders(hostsOf(args)));

  const link = linkTo(originOf(place), token, await onlyOne(served, listed));
  say(link, place, listed.map(({ name }) => name), args, io);
  await using opened = args.has("open") ? await openLink(link) : undefined;
  if (opened?.failed) {
    io.err(`tilewise: warning: cannot open the browser (${opened.failed}); open the link above\n`);
  }
  await interrupted(io.signal);
  return 0; // Ctrl-C is how it ends
}

/** The address to listen at. */
function addressOf(args: Arguments): string {
  if (args.has("demo") && args.positionals.length > 0) {
    throw new UsageError("--demo is for the page without a SOURCE; leave one of them out");
  }
  const address = args.text("listen")?.replace(/^\[|\]$/g, "") ?? "127.0.0.1";
  if (isLoopback(address) || args.has("token-file")) return address;
  throw new UsageError(
    `--listen ${address} lets other machines in: add --token-file FILE, a file that only you can read`,
  );
}

/** The hosts that the page may open URLs of. */
function hostsOf(args: Arguments): readonly string[] | undefined {
  if (!args.has("connect")) return undefined;
  return args.texts("connect").map((host) => {
    if (/^(https?:\/\/)?(\*\.)?[\w.-]+(:\d+)?$/i.test(host)) return host;
    throw new UsageError(`--connect ${host}: write a host, such as data.example.org`);
  });
}

/** What the link leads to: of a folder with one source and nothing else, that source. */
async function onlyOne(
  served: readonly Served[],
  listed: readonly ListedSource[],
): Promise<readonly ListedSource[]> {
  const [first, ...others] = served;
  const part = others.length === 0 ? await first?.folder?.list("", 0) : undefined;
  return part?.sources.length === 1 && part.folders.length === 0 && part.next === undefined
    ? listPart(part, 0, listed[0]!.options)
    : listed;
}

async function allSources(args: Arguments, options: OpenOptions): Promise<Served[]> {
  const all: Served[] = [];
  for (const source of args.positionals) all.push(await servedSource(source, options));
  return all;
}

/** The address of a server as browsers write it; one that listens everywhere is reached from its own machine as well. */
function originOf({ address, name = address, port }: ServerAddress): string {
  const host = address === "0.0.0.0" ? "127.0.0.1" : address === "::" ? "::1" : name;
  return `http://${inUrl(host)}:${port}`;
}

function say(link: string, place: ServerAddress, names: readonly string[], args: Arguments, io: CliIo): void {
  if (args.has("json")) outJson(io, { url: link, port: place.port, sources: names });
  else io.out(`${link}\n`);
  if (args.has("quiet")) return;
  if (!isLoopback(place.address)) {
    io.err("tilewise: warning: other machines can reach this, and nothing is encrypted on the way\n");
  }
  const what = names.length === 0
    ? "a sample"
    : names.length > 3
    ? `${names.length} sources`
    : names.join(", ");
  io.err(`Open the link in a browser: ${printable(what)}. Ctrl-C ends the command.\n`);
}

function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

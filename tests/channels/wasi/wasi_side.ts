/** What the tests of programs share: a host over a folder, and the programs. */

import { fromFileUrl, join } from "@std/path";
import { createContext } from "../../../src/runner/context.ts";
import { type ChannelHost, startHost } from "../../../src/channels/host/host.ts";
import type { Route } from "../../../src/channels/host/route.ts";
import { runWasi, type WasiResult } from "../../../src/channels/wasi/run.ts";
import type { WasiInstance, WasiOptions } from "../../../src/channels/wasi/options.ts";
import { succeeds } from "../../installed.ts";

export const ROUTES: readonly Route[] = ["rpc", "direct"];

const PROGRAMS = fromFileUrl(new URL("./programs/", import.meta.url));

/** The path of a file beside the programs. */
export const programFile = (name: string): string => join(PROGRAMS, name);

export interface Side {
  readonly host: ChannelHost;
  readonly folder: string;
  /** Runs a program with the folder as its root. */
  run(program: string, args: readonly string[], options?: WasiOptions & WasiInstance): Promise<WasiResult>;
}

/** Runs `body` with a host whose only root is a fresh folder; afterwards all memory must be home. */
export async function withSide(
  body: (side: Side) => Promise<void>,
  { elementSize = 8, workers = 1 } = {},
): Promise<void> {
  await using context = createContext({ memory: "12MiB", workers });
  const folder = await Deno.makeTempDir();
  try {
    const settings = { channels: 2, bufferLength: 100, elementSize, roots: [folder] };
    await using host = await startHost(context, settings);
    const defaults: WasiOptions = { memory: "2MiB", roots: { "/": "." } };
    await body({
      host,
      folder,
      run: (program, args, options = {}) =>
        runWasi(host, { file: programFile(`${program}.wasm`) }, { ...defaults, args, ...options }),
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  await context.settled();
  if (context.used !== 0) throw new Error(`${context.used} bytes did not come home`);
}

export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** All files and directories below a folder, with their contents. */
export function treeOf(folder: string, path = ""): string[] {
  const entries = [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  return entries.flatMap(({ name, isDirectory }) => {
    const below = join(folder, name), known = `${path}/${name}`;
    return isDirectory
      ? [`${known}/`, ...treeOf(below, known)]
      : [`${known} ${Deno.readFileSync(below).toHex()}`];
  });
}

/** Whether a command can be run here. */
export function has(command: string): boolean {
  return succeeds(command, "--version");
}

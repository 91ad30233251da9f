/**
 * The options of programs, and what they mean.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { openSource } from "../../io/open.ts";
import { readBytes } from "../../io/source/source.ts";
import { checkOptionNames, inWords, type OptionNames, type OptionRule } from "../../options.ts";
import { callable, each, limit, must, oneOf, text, wrongValue } from "../../options/rules.ts";
import { RUN_SETTINGS, type RunSettings, runSettings } from "../../runner/runner.ts";
import { byteCount, bytes, bytesOrNone } from "../../space/rules.ts";
import { unshared } from "../../space/bytes.ts";
import { nameOf } from "../../user_kernels/source.ts";
import { declaredRoots } from "../host/files.ts";
import type { ChannelHost } from "../host/host.ts";
import { insideOfHost } from "../host/inside.ts";
import type { Route } from "../host/route.ts";
import type { ChannelLayout } from "../protocol/channel.ts";
import type { Preopen } from "./program.ts";

// The directories that a program has from the start.

/** Where the names of a host begin. */
const START = ".";

/** The directories of a program: those that were asked for, or all that the host serves. Errors: `invalid`. */
function preopensOf(
  call: string,
  layout: ChannelLayout,
  asked: Readonly<Record<string, string>> | undefined,
): Preopen[] {
  const declared = declaredRoots(layout);
  if (declared === undefined) {
    if (asked === undefined || Object.keys(asked).length === 0) return [];
    const text =
      `${call}: "roots" of a program lie below the roots of its host, and this host has declared none: it serves all ` +
      "files that the runtime permits; start it with roots";
    throw new TilewiseError("invalid", text, { option: "roots" });
  }
  const all = asked ?? Object.fromEntries(declared.map(({ given, path }) => [given, path]));
  return Object.entries(all).map(([guest, host]) => ({ guest, host: host === "" ? START : host }));
}

/**
 * A program: its bytes, or a file with them.
 * @category Channels
 */
export interface WasiSource {
  /** Its name in messages, and its first argument. Default: the name of the file, or `program`. */
  readonly name?: string;
  /** The module. */
  readonly wasm?: Uint8Array;
  /** A path or URL of the module. Give either `wasm` or `file`. */
  readonly file?: string | URL;
}

/**
 * What one instance of a program gets.
 * @category Channels
 */
export interface WasiInstance {
  /** Its arguments, without its name. Default: none. */
  readonly args?: readonly string[];
  /** Its environment. Default: empty. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its standard input, text as UTF-8. Default: empty. */
  readonly stdin?: Uint8Array | string;
}

/**
 * Progress of programs.
 * @category Channels
 */
export interface WasiProgress {
  /** Instances that have ended. */
  readonly instances: number;
  /** All instances. */
  readonly total: number;
  /** Calls that instances have made. */
  readonly calls: number;
  /** Seconds since the start. */
  readonly seconds: number;
}

/**
 * Options of {@link runWasi} and {@link launchWasi}.
 * @category Channels
 */
export interface WasiOptions extends RunSettings<WasiProgress> {
  /** Called with the standard output of an instance while it runs, instead of keeping it. An error that it throws ends the run. */
  readonly stdout?: (bytes: Uint8Array<ArrayBuffer>, instance: number) => void;
  /** The same for standard error. */
  readonly stderr?: (bytes: Uint8Array<ArrayBuffer>, instance: number) => void;
  /**
   * The directories that the program may use, by the names that it has for them, such as `{ "/data": "scans/2026" }`; they lie below
   * the roots of the host. Default: the roots of the host by the names with which they were declared; if its files are not those of
   * the operating system, all of them as `/`.
   */
  readonly roots?: Readonly<Record<string, string>>;
  /** Who answers file calls: the host (`rpc`, the default), or the worker of the program itself (`direct`). */
  readonly route?: Route;
  /** Most bytes of the memory of one instance, as a number or in text. Default 32 MiB. */
  readonly memory?: number | string;
  /** Most bytes that are kept of each output. Default 16 MiB. */
  readonly outputLimit?: number | string;
  /** Milliseconds after which the run fails with `timeout`. Above 0 or infinite. Default: no limit. */
  readonly timeout?: number;
}

// deno-fmt-ignore: written by `deno task build`
const SOURCE: OptionNames<WasiSource> = {
  name: text, wasm: must("a Uint8Array", (value) => value instanceof Uint8Array),
  file: must("a path or a URL", (value) => typeof value === "string" || value instanceof URL),
};

const withoutNul = must(
  "a text without the character U+0000",
  (value) => typeof value === "string" && !value.includes("\0"),
);

/** Texts by names, which cannot have the sign between name and text. */
const environment: OptionRule<Readonly<Record<string, string>>> = (call, option, value) => {
  each("an object of texts", withoutNul)(call, option, value);
  if (Object.keys(value as object).every((name) => /^[^=\0]+$/.test(name))) return;
  throw wrongValue(
    call,
    option,
    Object.keys(value as object).join(", "),
    "an object of texts by names without =",
  );
};

/** Names of the options of an instance. */
export const INSTANCE: OptionNames<WasiInstance> = {
  args: must("a list of texts without the character U+0000", (value) => {
    return Array.isArray(value) && value.every((one) => typeof one === "string" && !one.includes("\0"));
  }),
  env: environment,
  stdin: must("a text or a Uint8Array", (value) => typeof value === "string" || value instanceof Uint8Array),
};

/** Names of the options of a run. */
// deno-fmt-ignore: written by `deno task build`
export const WASI_OPTIONS: OptionNames<WasiOptions> = {
  ...RUN_SETTINGS, stdout: callable, stderr: callable,
  roots: each("an object of folders of the host by names for the program", text),
  route: oneOf("rpc", "direct"), memory: bytes, outputLimit: bytesOrNone, timeout: limit,
};

/** An instance with all that was left out. */
export interface InstanceSettings {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Uint8Array;
  readonly stdout: ((bytes: Uint8Array<ArrayBuffer>) => void) | undefined;
  readonly stderr: ((bytes: Uint8Array<ArrayBuffer>) => void) | undefined;
}

/** A run with all that was left out. */
export interface WasiSettings {
  readonly instances: readonly InstanceSettings[];
  readonly run: RunSettings<WasiProgress>;
  readonly preopens: readonly Preopen[];
  readonly route: Route;
  readonly memory: number;
  readonly outputLimit: number;
  readonly timeout: number;
}

/** The settings of a run. Errors: `invalid`. */
export function checkWasi(
  call: string,
  host: ChannelHost,
  instances: readonly WasiInstance[],
  options: WasiOptions,
): WasiSettings {
  checkOptionNames(call, options, WASI_OPTIONS);
  for (const instance of instances) checkOptionNames(call, instance, INSTANCE, "instances");
  if (!insideOfHost(host)) {
    const found = inWords(host);
    throw new TilewiseError(
      "invalid",
      `${call} takes a host, as startHost() makes it; it was given ${found}`,
      { found },
    );
  }
  const { signal, roots, route = "rpc", memory = "32MiB", outputLimit = "16MiB", timeout = Infinity } =
    options;
  return {
    instances: instances.map((instance, index) => instanceOf(instance, index, options)),
    run: { ...runSettings(options), signal: signal ? AbortSignal.any([signal, host.signal]) : host.signal },
    preopens: preopensOf(call, insideOfHost(host)!.layout, roots),
    route,
    memory: byteCount(call, "memory", memory),
    outputLimit: byteCount(call, "outputLimit", outputLimit, 0),
    timeout,
  };
}

function instanceOf(
  { args = [], env = {}, stdin = "" }: WasiInstance,
  index: number,
  { stdout, stderr }: WasiOptions,
): InstanceSettings {
  return {
    args,
    env,
    stdin: typeof stdin === "string" ? new TextEncoder().encode(stdin) : unshared(stdin),
    stdout: stdout && ((bytes) => stdout(bytes, index)),
    stderr: stderr && ((bytes) => stderr(bytes, index)),
  };
}

/** The name and the bytes of a program. */
export async function wasiSource(
  call: string,
  program: WasiSource,
): Promise<{ name: string; bytes: Uint8Array }> {
  checkOptionNames(`the program of ${call}`, program, SOURCE);
  const { wasm, file } = program;
  if ((wasm === undefined) === (file === undefined)) {
    throw new TilewiseError("invalid", `${call}: give the program as one of wasm and file`, {
      option: "wasm",
    });
  }
  const name = program.name ?? (file === undefined ? "program" : nameOf({ file }).replace(/\.wasm$/, ""));
  if (wasm) return { name, bytes: wasm };
  await using source = await openSource(file!);
  return { name, bytes: await readBytes(source, 0, source.size) };
}

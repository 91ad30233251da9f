/**
 * The permissions of a worker process: only those that its jobs need.
 *
 * @module
 */

import { parseUrl } from "../../portable.ts";
import { TilewiseError, type WireError } from "../../errors.ts";
import { folderOf } from "../../io/source/permission.ts";
import { home } from "../../place.ts";
import type { SourceSpec } from "../../io/source/source.ts";
import type { Job } from "../task.ts";

/**
 * Permissions of Deno, each with the paths, hosts or names that it is limited to.
 * @category Executors
 */
export interface ProcessPermissions {
  /** Paths that may be read. */
  readonly read?: readonly string[];
  /** Paths that may be written. */
  readonly write?: readonly string[];
  /** Hosts that may be reached, as `example.org` or `example.org:8080`. */
  readonly net?: readonly string[];
  /** Names of environment variables that may be seen. */
  readonly env?: readonly string[];
  /** Programs that may be run. */
  readonly run?: readonly string[];
  /** Hosts that modules may come from. */
  readonly import?: readonly string[];
}

/** The kinds of permissions. */
const KINDS = ["read", "write", "net", "env", "run", "import"] as const;

/** Paths of the code of Tilewise, and of the module that modules of users import; none if the code does not lie in files. */
function codePaths(): string[] {
  const paths = ["src", "mod.ts"].map((path) => folderOf(new URL(path, home())));
  return paths.flatMap((path) => path === undefined ? [] : [path.replace(/\/$/, "")]);
}

/** Hosts that the code of Tilewise comes from. */
function codeHosts(): string[] {
  return ["jsr.io:443", ...ofModule(home().href).map((grant) => grant.replace("import=", ""))];
}

/** Most bytes of an argument of a command; systems have a limit of 128 KiB. */
const MOST_TEXT = 100_000;

/** Permissions that jobs need, cached: a job may name thousands of files, and is checked for every task. */
const known = new WeakMap<Job<unknown>, Grants>();

/** One permission, such as reading a path. */
type Grant = `${(typeof KINDS)[number]}=${string}`;

/** What processes may do. */
export class Grants {
  readonly #all: ReadonlySet<Grant>;

  private constructor(grants: Iterable<Grant>) {
    this.#all = new Set(grants);
  }

  /** The permissions in `permissions`. */
  static from(permissions: ProcessPermissions): Grants {
    return new Grants(
      KINDS.flatMap((kind) =>
        (permissions[kind] ?? []).flatMap((what) =>
          kind === "read" || kind === "write" ? granted(kind, what) : [`${kind}=${what}` as Grant]
        )
      ),
    );
  }

  /** Permissions that `job` needs beside the code of Tilewise. Errors: `unsupported` for sources that no other process can read. */
  static of(job: Job<unknown>): Grants {
    const found = known.get(job) ?? new Grants([
      ...(job.sources ?? []).flatMap(ofSource),
      ...(job.files ?? []).flatMap((path) => [...granted("read", path), ...granted("write", path)]),
      ...[job.module, ...(job.modules ?? [])].flatMap(ofModule),
    ]);
    known.set(job, found);
    return found;
  }

  /** These and `others`. */
  and(...others: readonly Grants[]): Grants {
    return new Grants([this, ...others].flatMap((grants) => [...grants.#all]));
  }

  /** Whether all of `others` is granted. */
  covers(others: Grants): boolean {
    return [...others.#all].every((one) => this.#all.has(one) || this.#holds(one));
  }

  /** Whether a folder in which `one` lies may be read, or written. */
  #holds(one: Grant): boolean {
    return [...this.#all].some((own) =>
      /^(read|write)=/.test(own) && one.startsWith(`${own.replace(/\/$/, "")}/`)
    );
  }

  /** As arguments of `deno run`. */
  flags(): string[] {
    const code = codePaths();
    return KINDS.flatMap((kind) => {
      const all = [...this.#all].filter((one) => one.startsWith(`${kind}=`)).map((one) =>
        one.slice(kind.length + 1)
      );
      const list = kind === "read" ? short(code, all) : all;
      if (kind === "import" && list.length > 0) list.push(...codeHosts()); // otherwise Deno has its own list
      return list.length === 0 ? [] : [`--allow-${kind}=${list.map(withoutComma).join(",")}`];
    });
  }
}

/** Deno reads a comma as the end of a path and has no escape for it: such a path is replaced by its folder. */
function withoutComma(path: string): string {
  if (!path.includes(",")) return path;
  const folder = path.slice(0, path.indexOf(",")).replace(/[^/\\]*$/, "").replace(/[/\\]$/, "");
  if (folder !== "") return folder;
  const text =
    `Cannot let a worker process use ${path}: Deno takes the comma for the end of the path; give it another name, ` +
    "or use workerPool()";
  throw new TilewiseError("unsupported", text, { file: path, option: "executor" });
}

/** The error for a missing permission of a process, with the option that grants it. */
export function granting(error: WireError): WireError {
  const [, kind, what] = /^--allow-(\w+)=(.*)$/s.exec(String(error.details?.expected)) ?? [];
  if (error.code !== "permission" || !KINDS.some((one) => one === kind)) return error;
  const [problem] = error.message.split(": Deno may not do this; add --allow-", 1);
  const expected = `permissions: { ${kind}: [${JSON.stringify(what)}] }`;
  const message = `${problem}: a worker process may not do this; give processExecutor() ${expected}`;
  return { ...error, message, details: { ...error.details, expected, option: "permissions" } };
}

/** Folders instead of files, if there are too many files for a command. */
function short(code: readonly string[], paths: readonly string[]): string[] {
  const text = paths.reduce((sum, path) => sum + new TextEncoder().encode(path).length + 1, 0);
  if (text <= MOST_TEXT) return [...code, ...paths];
  return [...new Set([...code, ...paths.map((path) => path.replace(/[/\\][^/\\]*$/, "") || "/")])];
}

function ofSource(spec: SourceSpec): Grant[] {
  switch (spec.kind) {
    case "file":
      return granted("read", spec.path);
    case "http":
      return [`net=${hostOf(new URL(spec.url))}`];
    case "joined":
      return spec.parts.flatMap(({ source }) => ofSource(source));
    case "kept":
      return ofSource(spec.source);
    case "unpacked":
      return [...granted("read", spec.path), ...ofSource(spec.packed)];
    case "bytes":
      return [];
    case "blob":
      throw notHere(spec.name);
  }
}

function hostOf({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

/** A module may import other modules of its folder, so the folder is granted. */
function ofModule(module: string): Grant[] {
  const url = parseUrl(module);
  if (url && /^https?:$/.test(url.protocol)) return [`import=${hostOf(url)}`];
  const folder = url?.protocol === "file:" ? folderOf(new URL("./", url)) : undefined;
  if (folder === undefined || folder.startsWith(`${codePaths()[0]}/`)) return [];
  return granted("read", folder.replace(/(.)\/$/, "$1"));
}

/** A path and its target if it is a link: Deno checks both. */
function granted(kind: "read" | "write", path: string): Grant[] {
  const real = realPath(path);
  return real === undefined || real === path ? [`${kind}=${path}`] : [`${kind}=${path}`, `${kind}=${real}`];
}

function realPath(path: string): string | undefined {
  try {
    return Deno.realPathSync(path);
  } catch {
    return undefined; // it is not there yet, or this process may not look
  }
}

function notHere(name: string): TilewiseError {
  const text = `Cannot read ${name} in worker processes: it is a Blob, which one process alone can read; ` +
    "open its path, its URL or its bytes, or use workerPool()";
  return new TilewiseError("unsupported", text, { file: name, option: "executor" });
}

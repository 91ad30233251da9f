/**
 * What manifests of all kinds say: versions, code, inputs, and how the source is opened.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { TilewiseError } from "../../errors.ts";
import type { StoredDataset } from "../../dataset/dataset.ts";
import type { OpenOptions } from "../../formats/common/options.ts";
import { openStored } from "../../formats/open.ts";
import { kernelsDigest } from "../../kernels/digest.ts";
import type { Pack } from "../../kernels/families/packs.ts";
import { VERSION } from "../../version.ts";
import type { PartStore } from "../store/store.ts";
import { absolute, runtimeHere } from "../manifest/here.ts";
import type { ClusterManifest, RunKind } from "../manifest/manifest.ts";
import { moduleIdentities } from "../manifest/modules.ts";
import { dataReader } from "../manifest/read.ts";
import { type Data, frozen, thawed } from "../manifest/values.ts";

/** What was opened, and how. */
export interface Opened {
  /** A path or a URL. */
  readonly source: string;
  /** The options. */
  readonly open: OpenOptions;
}

/** What a manifest says of its source, and of the command. */
interface Source {
  readonly source: string;
  readonly open: Pick<OpenOptions, "signal" | "root" | "gainMap">;
  readonly command?: ClusterManifest["command"];
}

/** What a run needs, what it computes, and how it is cut. */
interface Planned extends Pick<ClusterManifest, "inputs" | "results" | "work"> {
  /** Its packs of kernels. */
  readonly packs: readonly Pack[];
  /** URLs of modules of users. */
  readonly modules: readonly string[];
  /** What is computed, with all parameters. */
  readonly what: object;
}

/** A manifest, and the arrays that it names. */
export interface NamedData {
  readonly manifest: ClusterManifest;
  readonly data: Data;
}

/** The manifest of a planned run. Errors: `unsupported` for what cannot travel. */
export async function manifestFor(
  kind: RunKind,
  { source, open: { signal: _, ...options }, command }: Source,
  { packs, modules, inputs, what, results, work }: Planned,
): Promise<NamedData> {
  const data: Data = new Map();
  const manifest: ClusterManifest = {
    manifest: "tilewise-cluster-1",
    kind,
    tilewise: VERSION,
    runtime: runtimeHere(),
    kernels: { packs: [...packs], sha256: await kernelsDigest(packs) },
    modules: await moduleIdentities([...new Set(modules)]),
    inputs,
    open: { source: await absolute(source), options: await frozen(await withPaths(options), data) },
    what: await frozen(what, data),
    results,
    work,
    ...defined({ command }),
  };
  return { manifest, data };
}

/** What the run of a manifest computes. */
export async function whatOf<W>(store: PartStore, { what }: ClusterManifest): Promise<W> {
  return await thawed(what, dataReader(store)) as W;
}

/** Options that are paths, from the root. */
async function withPaths({ root, gainMap, ...others }: Source["open"]): Promise<Source["open"]> {
  return {
    ...others,
    ...(root === undefined ? {} : { root: await absolute(root) }),
    ...(gainMap === undefined
      ? {}
      : { gainMap: typeof gainMap === "string" ? await absolute(gainMap) : gainMap }),
  };
}

/**
 * Refuses a manifest whose run would import modules that it does not list: what is listed was compared, and allowed by who
 * started this worker. Errors: `malformed`.
 */
export function mustBeListed({ modules }: ClusterManifest, urls: readonly string[]): void {
  const left = urls.find((url) => !modules.some((known) => known.url === url && known.sha256 !== undefined));
  if (left === undefined) return;
  const text =
    `The run would import ${left}, which its manifest does not list among its modules; plan a new run`;
  throw new TilewiseError("malformed", text, { file: left });
}

/** Opens the source of a manifest. */
export async function openedAgain(
  store: PartStore,
  { open: { source, options } }: ClusterManifest,
  signal: AbortSignal | undefined,
): Promise<StoredDataset> {
  const given = await thawed(options, dataReader(store)) as OpenOptions;
  return await openStored(source, { ...given, ...defined({ signal }) });
}

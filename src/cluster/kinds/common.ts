/**
 * What manifests of all kinds say: versions, code, inputs, and how the source is opened.
 *
 * @module
 */

import type { Dataset } from "../../dataset/dataset.ts";
import type { OpenOptions } from "../../formats/common/options.ts";
import { open } from "../../formats/open.ts";
import type { SourceSpec } from "../../io/source/source.ts";
import { kernelsDigest } from "../../kernels/digest.ts";
import type { Pack } from "../../kernels/table/common/packs.ts";
import { VERSION } from "../../version.ts";
import type { PartStore } from "../store/store.ts";
import { absolute, runtimeHere } from "../manifest/here.ts";
import { identitiesOf } from "../manifest/inputs.ts";
import type { RunKind, RunManifest } from "../manifest/manifest.ts";
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

/** What a run needs. */
export interface Needs {
  /** Its packs of kernels. */
  readonly packs: readonly Pack[];
  /** URLs of modules of users. */
  readonly modules: readonly string[];
  /** All sources that it reads. */
  readonly sources: readonly SourceSpec[];
}

/** The facts that all manifests have; arrays among the options are put into `data`. */
export async function commonFacts(
  kind: RunKind,
  { source, open: { signal: _, ...options } }: Opened,
  { packs, modules, sources }: Needs,
  data: Data,
): Promise<Omit<RunManifest, "what" | "results" | "work" | "command">> {
  return {
    manifest: "tilewise-cluster-1",
    kind,
    tilewise: VERSION,
    runtime: runtimeHere(),
    kernels: { packs: [...packs], sha256: await kernelsDigest(packs) },
    modules: await moduleIdentities([...new Set(modules)]),
    inputs: await identitiesOf(sources),
    open: { source: absolute(source), options: await frozen(withPaths(options), data) },
  };
}

/** Options that are paths, from the root. */
function withPaths({ root, gainMap, ...others }: OpenOptions): OpenOptions {
  return {
    ...others,
    ...(root === undefined ? {} : { root: absolute(root) }),
    ...(gainMap === undefined ? {} : { gainMap: typeof gainMap === "string" ? absolute(gainMap) : gainMap }),
  };
}

/** Opens the source of a manifest. */
export async function openedAgain(
  store: PartStore,
  { open: { source, options } }: RunManifest,
  signal: AbortSignal | undefined,
): Promise<Dataset> {
  const given = await thawed(options, dataReader(store)) as OpenOptions;
  return await open(source, { ...given, ...(signal ? { signal } : {}) });
}

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
import type { ClusterManifest, InputIdentity, RunKind } from "../manifest/manifest.ts";
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

/** What a manifest says of its source. */
interface Source {
  readonly source: string;
  readonly open: Pick<OpenOptions, "signal" | "root" | "gainMap">;
}

/** What a run needs. */
interface Needs {
  /** Its packs of kernels. */
  readonly packs: readonly Pack[];
  /** URLs of modules of users. */
  readonly modules: readonly string[];
  /** All that it reads. */
  readonly inputs: readonly InputIdentity[];
}

/** The facts that all manifests have; arrays among the options are put into `data`. */
export async function commonFacts(
  kind: RunKind,
  { source, open: { signal: _, ...options } }: Source,
  { packs, modules, inputs }: Needs,
  data: Data,
): Promise<Omit<ClusterManifest, "what" | "results" | "work" | "command">> {
  return {
    manifest: "tilewise-cluster-1",
    kind,
    tilewise: VERSION,
    runtime: runtimeHere(),
    kernels: { packs: [...packs], sha256: await kernelsDigest(packs) },
    modules: await moduleIdentities([...new Set(modules)]),
    inputs,
    open: { source: await absolute(source), options: await frozen(await withPaths(options), data) },
  };
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

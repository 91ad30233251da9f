/**
 * What a part store is: named byte strings that are written once, whole or not at all, and never change.
 *
 * Workers that know nothing of each other share one. What is in it is done; what is not is to do. Results of a run never
 * take another way.
 *
 * ```
 * manifest            the run, as JSON: the first to write it decides
 * data/<sha256>       arrays of the manifest (masks, corrections, …), by their content
 * first/<key>         results of first passes, so that all shards use the same
 * parts/<key>         one part per node of the merge tree: key = SHA-256 of the digest of the manifest, and the node
 * ```
 *
 * @module
 */

/**
 * Where parts are. All names are relative, with `/` between their parts and no other special characters.
 * @category Cluster
 */
export interface PartStore {
  /** Where it is, as the user wrote it: `dir:/scratch/run7`, `s3://bucket/run7`. */
  readonly url: string;
  /** Whether the name is taken: looked up first, before anything is computed. */
  has(name: string): Promise<boolean>;
  /** The bytes of that name; `undefined` if there are none. Errors: `io`, `permission`. */
  get(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /**
   * Writes `pieces`, one after another, under a name that nothing has yet. They appear whole, and survive a loss of power.
   * `"new"`: it was written; `"same"`: the same bytes were there. Nothing else is done in the second case.
   *
   * Errors: `conflict` if other bytes are there, `io` (full, gone), `permission` if it is read-only.
   */
  commit(name: string, pieces: readonly Uint8Array[]): Promise<Committed>;
  /** The names that begin with `prefix`, in any order; files of interrupted writes are not among them. */
  list(prefix: string): Promise<string[]>;
}

/**
 * How a commit ended.
 * @category Cluster
 */
export type Committed = "new" | "same";

/**
 * The name of the manifest in its store.
 * @category Cluster
 */
export const MANIFEST = "manifest";

/**
 * The prefix of parts.
 * @category Cluster
 */
export const PARTS = "parts/";

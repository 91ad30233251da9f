/**
 * The manifest of a run on many machines: everything that decides its bits, and how it is cut into parts. It never
 * changes; its digest names the run.
 *
 * @module
 */

import type { Unit } from "../../runner/parts.ts";
import type { Shape } from "../../space/shape.ts";
import type { Glance } from "../../udf/results/digest.ts";
import type { Json } from "./json.ts";

/**
 * The kinds of runs: UDFs over a scan, filters over views, a cube, a conversion.
 * @category Cluster
 */
export type RunKind = "udf" | "map" | "cube" | "convert";

/**
 * What an input was when the run was planned. Workers compare it before they compute anything.
 * @category Cluster
 */
export interface InputIdentity extends Glance {
  /** Time of the last change in milliseconds (files), or entity tag (HTTP), where there is one. */
  readonly stamp?: string;
}

/**
 * A module of users, or one that it imports.
 * @category Cluster
 */
export interface ModuleIdentity {
  /** Its URL; `tilewise:PATH` for a module of Tilewise. */
  readonly url: string;
  /** SHA-256 of its text, for one of Tilewise of all that it imports as well; absent: a package, which its specifier names. */
  readonly sha256?: string;
}

/**
 * One result.
 * @category Cluster
 */
export interface ResultLayout {
  /** Key of the UDF, name of the operation. */
  readonly of: string;
  /** Name of the result. */
  readonly name: string;
  /** Its type; `object` for JSON values. */
  readonly dtype: string;
  /** Its shape. */
  readonly shape: Shape;
}

/**
 * Everything that decides the bits of a run.
 * @category Cluster
 */
export interface ClusterManifest {
  /** Kind and version of this record. */
  readonly manifest: "tilewise-cluster-1";
  /** What is run. */
  readonly kind: RunKind;
  /** The version of Tilewise. */
  readonly tilewise: string;
  /** Name and version of the runtime: `deno 2.9.6`. */
  readonly runtime: string;
  /** The packs of kernels that the run needs, and the SHA-256 of their modules. */
  readonly kernels: {
    /** The packs. */
    readonly packs: readonly string[];
    /** Digest of their modules. */
    readonly sha256: string;
  };
  /** The modules of users with all that they import, in order of their URLs. */
  readonly modules: readonly ModuleIdentity[];
  /** The files and URLs that are read. */
  readonly inputs: readonly InputIdentity[];
  /** The source and the options with which it is opened; arrays by their digests. */
  readonly open: {
    /** Path from the root, or URL. */
    readonly source: string;
    /** The options of `open`. */
    readonly options: Json;
  };
  /** What is computed, with all parameters after first passes; its form depends on `kind`. */
  readonly what: Json;
  /** The results. */
  readonly results: readonly ResultLayout[];
  /** How it is cut. */
  readonly work: {
    /** Frames in a leaf of the merge tree (rows in a band, 1 for tiles and shards). */
    readonly leaf: number;
    /** Bytes of samples in all units. */
    readonly bytes: number;
    /** The units. */
    readonly units: readonly Unit[];
    /** Most parts that one merge takes. */
    readonly fanIn: number;
  };
  /**
   * The command, if there was one, without what only says where and how fast it runs. It takes no part in the digest.
   */
  readonly command?: {
    /** Its arguments, without the verb. */
    readonly arguments: readonly string[];
    /** The folder in which it was called. */
    readonly folder: string;
  };
}

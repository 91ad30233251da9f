/**
 * The format of a part.
 *
 * ```
 * bytes   0 …  7   "TILEPART"
 *         8 … 11   version, 1 (all numbers little endian)
 *        12 … 15   bytes of the header
 *        16 … 23   bytes of the whole part
 *        24 … 55   SHA-256 of all that follows
 *        56 …      header: JSON with run, node, arrays (name, dtype, length), values
 *                  the arrays, little endian, each at a multiple of 8
 * ```
 * Nothing in it depends on who computed it, or when: the same node has the same bytes.
 *
 * @module
 */

import { sha256Of } from "../../io/hash.ts";
import { TilewiseError } from "../../errors.ts";
import { type DType, DTYPES, dtypeInfo, dtypeOf, type TypedArray, typedArray, unitsOf } from "../../space/dtype.ts";
import { nodeName, type TreeNode } from "./node.ts";

/**
 * The result of one node of the merge tree.
 * @category Cluster
 */
export interface Part {
  /** Digest of the manifest of its run. */
  readonly run: string;
  /** The node. */
  readonly node: TreeNode;
  /** Its arrays by name. */
  readonly arrays: Readonly<Record<string, TypedArray>>;
  /** All else that it has to say, as JSON: object buffers, positions as ranges. */
  readonly values: unknown;
}

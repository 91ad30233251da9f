/**
 * What all ways of writing share.
 *
 * @module
 */

import type { RoiInput } from "../../dataset/roi/roi.ts";
import type { Context } from "../../runner/context.ts";
import type { Exported } from "../../udf/run/export_dataset.ts";
import type { OutputFiles } from "../manifests/files.ts";
import type { Opened } from "../manifests/opened.ts";
import type { CliIo } from "../shell/io.ts";
import type { Advance } from "../shell/progress.ts";

/** What a conversion is done with. */
export interface Writing {
  /** The file or folder. */
  readonly out: string;
  /** The context in which to run. */
  readonly context: Context;
  /** Cancels it. */
  readonly signal: AbortSignal;
  /** Called repeatedly with the progress. */
  readonly onProgress: (progress: Advance) => void;
  /** The frames that are selected. Absent: all. */
  readonly roi: RoiInput | undefined;
  /** Which files are read. */
  readonly opened: Opened;
  /** Where output goes. */
  readonly io: CliIo;
}

/** What was written, and the manifest beside it. */
export type Written = Exported & Pick<OutputFiles, "manifest">;

/** The result in the manifest. */
export function resultOf(
  { shape, dtype, files, losses }: Pick<Exported, "shape" | "dtype" | "files" | "losses">,
  sha256: string,
) {
  return { result: "samples", shape, dtype, sha256, files, ...(losses === undefined ? {} : { losses }) };
}

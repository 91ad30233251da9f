/**
 * What kernels that are UDFs import from `tilewise/channels`: what launched kernels import, and where the frame lies that they get.
 *
 * @module
 */

import type { ImportRow } from "../../channels/files/import_table.ts";
import { type ChannelLibrary, channelLibrary, type LibraryPart } from "../../channels/files/library.ts";
import { LAUNCH_PARTS } from "../../channels/launch/library.ts";

/** The name of the only import of this part. */
export const FRAME_POSITION = "frame_position";

const FRAME_LIBRARY: LibraryPart = {
  imports: { [FRAME_POSITION]: ["frame: i32", "f64"] satisfies ImportRow },
  text: `
/** The flat scan position of frame \`frame\` of this call; a \`frame\` kernel has frame 0 alone. */
@inline export function framePosition(frame: i32 = 0): f64 { return frame_position(frame); }
`,
};

/** The library of channels for UDFs. */
export const UDF_LIBRARY: ChannelLibrary = channelLibrary([...LAUNCH_PARTS, FRAME_LIBRARY]);

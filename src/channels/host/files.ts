/**
 * The files of a host on any of its threads, from what its layout says of them.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { BackEnd, Soon, SynchronousBackEnd } from "../backends/back_end.ts";
import { type FilePlace, filesAtOnce, openFiles } from "../backends/open_files.ts";
import { SYSTEM_FILES } from "../backends/stores.ts";
import type { ChannelLayout } from "../protocol/channel.ts";

const SYSTEM: FilePlace = { store: SYSTEM_FILES, offset: 0 };

function placeOf({ files }: ChannelLayout): FilePlace {
  return files as FilePlace | undefined ?? SYSTEM;
}

/** The files of a host on a thread that can wait for them. */
export function filesOf(memory: WebAssembly.Memory, layout: ChannelLayout): Soon<BackEnd> {
  return openFiles(memory, placeOf(layout));
}

/** The files of a host on the thread of a kernel. Errors: `unsupported` where they can only be reached through a channel. */
export function filesOfKernel(memory: WebAssembly.Memory, layout: ChannelLayout): SynchronousBackEnd {
  const place = placeOf(layout);
  const files = filesAtOnce(memory, place);
  if (files) return files;
  const kind = "module" in place.store ? "those of a user" : place.store.kind;
  const text = `Cannot do the I/O of ${kind} files on the thread of the kernel: choose the route "rpc"`;
  throw new TilewiseError("unsupported", text, { option: "route", found: "direct", expected: "rpc" });
}

/**
 * How `path_open` opens: from its flags to one of the modes of a host.
 *
 * @module
 */

import { STATUS } from "../../protocol/status.ts";
import type { ByteFiles } from "../common/byte_files.ts";
import { OPEN_FLAG } from "../common/codes.ts";
import type { OpenDirectory, OpenFile } from "../common/descriptors.ts";
import { ERRNO, refuse } from "../common/errno.ts";
import { errnoAt, type HostPath } from "./paths.ts";

/** What a program asks for. */
export interface Wish {
  /** Flags of {@link OPEN_FLAG}. */
  readonly how: number;
  /** Whether the descriptor may write. */
  readonly write: boolean;
  /** Whether all writes go to the end. */
  readonly append: boolean;
}

/** Opens a file or a directory as wished, or ends the call. */
export function openNode(files: ByteFiles, place: HostPath, wish: Wish): OpenFile | OpenDirectory {
  const { how, write } = wish;
  if (!place.directory && how === 0 && !write) return openToRead(files, place);
  const facts = files.stat(place.name);
  if (typeof facts === "number" && facts !== -STATUS["not-found"]) refuse(errnoAt(files, place.name, facts));
  if (typeof facts === "number") return create(files, place, wish, facts);
  if (how & OPEN_FLAG.create && place.slash) refuse(ERRNO.isdir);
  if (how & OPEN_FLAG.create && how & OPEN_FLAG.exclusive) refuse(ERRNO.exist);
  return facts.kind === "directory" ? directory(place, wish) : openThere(files, place, wish);
}

/** The short way, without a question before: most files are opened so. */
function openToRead(files: ByteFiles, { name }: HostPath): OpenFile | OpenDirectory {
  const file = files.open(name, "read_only");
  if (file === -STATUS["is-directory"]) return { kind: "directory", name };
  if (file < 0) refuse(errnoAt(files, name, file));
  return { kind: "file", name, file, appends: false, cursor: 0 };
}

function directory({ name }: HostPath, { how, write }: Wish): OpenDirectory {
  if (write || how & (OPEN_FLAG.create | OPEN_FLAG.truncate)) refuse(ERRNO.isdir);
  return { kind: "directory", name };
}

function openThere(files: ByteFiles, place: HostPath, wish: Wish): OpenFile {
  if (place.directory || wish.how & OPEN_FLAG.directory) refuse(ERRNO.notdir);
  const truncate = (wish.how & OPEN_FLAG.truncate) !== 0;
  if (truncate) return emptied(files, place, wish);
  return opened(files, place, wish);
}

function create(files: ByteFiles, place: HostPath, wish: Wish, missing: number): OpenFile {
  if (!(wish.how & OPEN_FLAG.create)) refuse(errnoAt(files, place.name, missing));
  if (place.directory) refuse(ERRNO.isdir); // a file cannot have such a name
  return emptied(files, place, wish, "append_only");
}

/** Makes or empties the file first, then opens it in the mode that it stays in. */
function emptied(
  files: ByteFiles,
  place: HostPath,
  wish: Wish,
  mode: "append_only" | "erase_read_write" = "erase_read_write",
): OpenFile {
  const file = files.open(place.name, mode); // to append keeps what another thread may have written since
  if (file < 0) refuse(errnoAt(files, place.name, file));
  if (mode === "erase_read_write" && !wish.append) {
    return { kind: "file", name: place.name, file, appends: false, cursor: 0 };
  }
  files.close(file);
  return opened(files, place, wish);
}

function opened(files: ByteFiles, { name }: HostPath, { write, append }: Wish): OpenFile {
  const appends = write && append;
  const file = files.open(name, appends ? "append_read" : write ? "read_write" : "read_only");
  if (file < 0) refuse(errnoAt(files, name, file));
  return { kind: "file", name, file, appends, cursor: 0 };
}

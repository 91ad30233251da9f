/**
 * The folders below which a host uses files, and the way from a name to a path that does not leave them.
 *
 * A name is checked twice. Before a file is opened, every link on its way is followed, and where that ends must lie below the
 * root. After it was opened, and before a byte of it is read or changed, the open file itself must lie below the root: another
 * process may have replaced a folder by a link in between. On Linux the system says where an open file lies, if the runtime may
 * ask it; elsewhere the file at the checked path must have the same device and number.
 *
 * Not guaranteed, against a process that replaces folders by links at the right moment: that no empty file or directory is made
 * outside, that no names outside are listed, and, where only numbers are compared, that two more replacements in time are
 * noticed. A hard link is a file of the folder that it lies in.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { reasonOf } from "../../reason.ts";
import { fileError, isErrno } from "./back_end.ts";
import { isLinux, nodeFs, nodePath } from "./platform.ts";

/** A folder below which files are used. */
interface Root {
  /** As the user has written it. */
  readonly given: string;
  /** Its whole path. */
  readonly path: string;
  /** Its path without links. */
  readonly real: string;
}

/** The place of a name: a path without links, up to the last part. */
export interface RootedPath {
  /** The path. */
  readonly path: string;
  /** The root above it. */
  readonly root: Root;
}

/** The folders below which files are used. */
export class Roots {
  readonly #roots: readonly Root[];

  /** Errors: `not-found`, `permission`, `not-a-file`, for a root that is not a folder here. */
  constructor(folders: readonly string[]) {
    this.#roots = folders.map(rootAt);
  }

  /** The place of a file or folder, after all links; the last part may be missing, and then is not a link. */
  follow(verb: string, name: string): RootedPath {
    const { path, root } = this.parent(verb, name);
    try {
      return this.#checked(verb, name, nodeFs().realpathSync(path), root);
    } catch (error) {
      if (isErrno(error, "ENOENT") && !isLink(path)) return { path, root };
      throw error;
    }
  }

  /** The place of a name, whose last part may be a link or missing. */
  parent(verb: string, name: string): RootedPath {
    const { dirname, basename, join } = nodePath();
    const { path, root } = this.#asked(verb, name);
    if (path === root.path || path === root.real) return { path: root.real, root };
    const folder = this.#checked(verb, name, nodeFs().realpathSync(dirname(path)), root);
    return { path: join(folder.path, basename(path)), root };
  }

  /** Whether a place is the root itself. */
  isRoot({ path, root }: RootedPath): boolean {
    return path === root.real;
  }

  /** Throws unless the open file lies below the root. */
  verify(file: number, name: string, { path, root }: RootedPath): void {
    const found = pathOf(file);
    if (found === undefined ? isFileAt(file, this.#realPath(path), root) : isBelow(found, root.real)) return;
    throw leads("open", name, root, found ?? "elsewhere");
  }

  #realPath(path: string): string | undefined {
    try {
      return nodeFs().realpathSync(path);
    } catch {
      return undefined; // gone, or replaced by something that this thread may not see
    }
  }

  /** The path that a name asks for: relative names start at the first root. */
  #asked(verb: string, name: string): RootedPath {
    const { isAbsolute, join, normalize, sep } = nodePath();
    const first = this.#roots[0]!;
    const parts = name.split(sep === "\\" ? /[\\/]/ : "/");
    if (parts.includes("..")) {
      const text = `Cannot ${verb} ${name}: ".." is not followed, as it could lead out of ${this.#named()}`;
      throw fileError("EACCES", text, { file: name, root: first.given });
    }
    const isOdd = sep === "\\" && parts.slice(isAbsolute(name) ? 1 : 0).some((part) => part.includes(":"));
    const path = withoutEnd(isAbsolute(name) ? normalize(name) : join(first.path, name), sep);
    const root = this.#roots.find(({ path: own, real }) => isBelow(path, own) || isBelow(path, real));
    if (root && !isOdd) return { path, root };
    const text = `Cannot ${verb} ${name}: it does not lie below ${this.#named()}`;
    throw fileError("EACCES", text, { file: name, root: first.given });
  }

  #checked(verb: string, name: string, real: string, root: Root): RootedPath {
    const own = this.#roots.find((other) => isBelow(real, other.real)); // a link may lead to another root
    if (own) return { path: real, root: own };
    throw leads(verb, name, root, real);
  }

  #named(): string {
    const names = this.#roots.map(({ given }) => given);
    return names.length === 1 ? `the root ${names[0]}` : `the roots ${names.join(", ")}`;
  }
}

function rootAt(given: string): Root {
  try {
    const path = nodePath().resolve(given);
    const real = nodeFs().realpathSync(path);
    if (nodeFs().statSync(real).isDirectory()) return { given, path, real };
  } catch (error) {
    const code = isErrno(error, "ENOENT") ? "not-found" : "permission";
    const text = `Cannot use the root ${given}: ${reasonOf(error)}`;
    throw new TilewiseError(code, text, { file: given, root: given }, { cause: error });
  }
  throw new TilewiseError("invalid", `Cannot use the root ${given}: it is not a folder`, { root: given });
}

function leads(verb: string, name: string, { given }: Root, found: string): TilewiseError {
  const text = `Cannot ${verb} ${name}: a link leads out of the root ${given}`;
  return fileError("EACCES", text, { file: name, root: given, found });
}

function withoutEnd(path: string, sep: string): string {
  return path.length > 1 && path.endsWith(sep) && !path.endsWith(`:${sep}`) ? path.slice(0, -1) : path;
}

function isBelow(path: string, folder: string): boolean {
  const { sep } = nodePath();
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function isLink(path: string): boolean {
  return nodeFs().lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** Where an open file lies, if the system and the runtime tell. */
function pathOf(file: number): string | undefined {
  if (!isLinux()) return undefined;
  try {
    return nodeFs().readlinkSync(`/proc/self/fd/${file}`);
  } catch {
    return undefined; // the runtime does not let this thread look there
  }
}

function isFileAt(file: number, path: string | undefined, { real }: Root): boolean {
  if (path === undefined || !isBelow(path, real)) return false;
  const own = nodeFs().fstatSync(file, { bigint: true });
  const there = nodeFs().lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return own.ino === there?.ino && own.dev === there.dev;
}

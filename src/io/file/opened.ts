/**
 * Which files this thread opens for reading, for those who must not write over them.
 *
 * @module
 */

const logs = new Set<Set<string>>();

/** Adds the path of every file that this thread opens from now on to `paths`, until the result is disposed of. */
export function logOpened(paths: Set<string>): Disposable {
  logs.add(paths);
  return { [Symbol.dispose]: () => void logs.delete(paths) };
}

/** The file at `path` is read. */
export function noteOpened(path: string): void {
  for (const paths of logs) paths.add(path);
}

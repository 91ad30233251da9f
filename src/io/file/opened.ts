/**
 * Records which files this thread opens for reading, so that no output replaces them.
 *
 * @module
 */

const logs = new Set<Set<string>>();

/** From now on adds the path of every file that this thread opens to `paths`, until the result is disposed of. */
export function logOpened(paths: Set<string>): Disposable {
  logs.add(paths);
  return { [Symbol.dispose]: () => void logs.delete(paths) };
}

/** Notes that the file at `path` is read. */
export function noteOpened(path: string): void {
  for (const paths of logs) paths.add(path);
}

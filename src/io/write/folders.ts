/**
 * What is in a folder that may be replaced.
 *
 * @module
 */

/** Whether there is nothing at `path`, or an empty folder, or a folder with one of the files `marks`. */
export async function mayReplace(path: string, marks: readonly string[]): Promise<boolean> {
  const { readdir } = await import("node:fs/promises");
  try {
    const names = await readdir(path);
    return names.length === 0 || marks.some((mark) => names.includes(mark));
  } catch (error) {
    return (error as { code?: string }).code !== "ENOTDIR";
  }
}

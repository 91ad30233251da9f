/**
 * Parts of this room that few calls need: each is loaded when it is needed first. The readers of formats are in `readers.ts`.
 *
 * @module
 */

/** Loads each part. */
export const ON_DEMAND = {
  /** Other axes as scan and frame. */
  axes: () => import("../dataset/split_axes.ts"),
  /** Arrays and sparse matrices in memory. */
  memory: () => import("./memory/open.ts"),
  /** Which of the files that a user has picked belong together. */
  picked: () => import("./picked.ts"),
  /** How all formats are recognised. */
  recognise: () => import("./recognise.ts"),
  /** What formats are called. */
  registry: () => import("./registry.ts"),
  /** Which of several arrays is meant. */
  several: () => import("./several.ts"),
  /** Errors for folders. */
  folders: () => import("./folders.ts"),
  /** What is in folders of the system: nothing that a page can load. */
  listing: () => import("../io/file/folder.ts"),
} as const;

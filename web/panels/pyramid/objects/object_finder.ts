/**
 * Looks for the objects of what is shown: the latest question wins.
 *
 * @module
 */

import type { TileSource } from "@tilewise/tilewise/web";
import { Newest } from "../../../state/newest.ts";
import type { FoundObjects, ObjectsAsked } from "./find_objects.ts";
import type { Tiles } from "../opening.ts";

/** What is looked for: the image is opened without its filters when it is needed. */
export type ObjectsWanted = Omit<ObjectsAsked, "image"> & {
  /** The image without filters, if it is open. */
  readonly image: TileSource | undefined;
  /** What is the same for the same question. */
  readonly key: string;
};

/** Whom the finder tells. */
export interface FinderListener {
  /** It has begun. */
  begun(): void;
  /** It has found objects; undefined: those before are over. */
  found(objects: FoundObjects | undefined): void;
  /** It cannot. */
  failed(error: unknown): void;
  /** Opens the image without its filters. */
  plain(): Promise<TileSource>;
}

/** Milliseconds without another question before it begins: a slider may still move. */
const QUIET = 200;

/** Finds objects, one question at a time. */
export class ObjectFinder {
  #asked: ObjectsWanted | undefined;
  readonly #newest = new Newest();
  #latest: FoundObjects | undefined;

  /** `listener` hears what is found with `tiles`. */
  constructor(readonly tiles: () => Tiles | undefined, readonly listener: FinderListener) {}

  /** What was found last. */
  get found(): FoundObjects | undefined {
    return this.#latest;
  }

  /** Looks for objects, unless the same is asked for; undefined: for none. */
  ask(wanted: ObjectsWanted | undefined): void {
    const before = this.#asked;
    if (wanted?.key === before?.key && wanted?.filtered === before?.filtered) return;
    this.#asked = wanted;
    this.#newest.stop();
    if (!wanted) return this.#tell(undefined);
    this.listener.begun(); // what was found is no answer any more
    void this.#newest.begin(
      (signal) => this.#find(wanted, signal),
      (found) => this.#tell(found),
      (error) => {
        this.#tell(undefined);
        this.listener.failed(error);
      },
    );
  }

  async #find(
    { image, key: _, ...asked }: ObjectsWanted,
    signal: AbortSignal,
  ): Promise<FoundObjects | undefined> {
    await new Promise((resolve) => setTimeout(resolve, QUIET));
    signal.throwIfAborted();
    const { findObjects } = await import("./find_objects.ts");
    const context = this.tiles()?.context;
    if (!context) return undefined;
    const plain = image ?? await this.listener.plain();
    return await findObjects({ ...asked, image: plain }, { context, signal });
  }

  #tell(found: FoundObjects | undefined): void {
    this.#latest = found;
    this.listener.found(found);
  }
}

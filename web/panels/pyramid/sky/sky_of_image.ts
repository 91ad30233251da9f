/**
 * What lies over an image of the sky: a grid of coordinates, the beam, and the sources of a list, which stand in a table.
 *
 * @module
 */

/// <reference lib="dom" />

import { FilePicker } from "../../../open/files.ts";
import { textButton } from "../../../parts/buttons.ts";
import { element, setText } from "../../../parts/dom.ts";
import type { SkyMarks } from "../../../pictures/mod.ts";
import { Newest } from "../../../state/newest.ts";
import type { PageState } from "../../../state/state.ts";
import type { Workbench } from "../../workbench.ts";
import type { ImagePicture } from "../image_picture.ts";
import { ObjectTable } from "../objects/object_table.ts";
import { type Beam, beamOf, gridOf } from "./grid.ts";
import { listAmong, type ListedPlace, sourcesOn } from "./sources.ts";
import type { Sky } from "./sky.ts";

/** What it is given. */
export interface SkyHost {
  readonly image: ImagePicture;
  bench(): Workbench;
  /** Changes the state. */
  update(change: Parameters<Workbench["store"]["update"]>[0]): void;
}

/** Samples around a source that are seen after it was chosen in the table. */
const AROUND = 24;

/** The part of the panel for images of the sky. */
export class SkyOfImage {
  readonly #host: SkyHost;
  readonly #picker = new FilePicker(([list]) => list && void this.#read(list.name, list));
  readonly #grid = element("input", {
    type: "checkbox",
    change: () => this.#host.update({ grid: this.#grid.checked || undefined }),
  });
  readonly #title = element("h2", {}, "Sky");
  readonly #beamText = element("p", { class: "hint" });
  readonly #said = element("p", { class: "hint", role: "status" });
  readonly #table = new ObjectTable({
    one: "Source",
    all: "Table of sources",
    shown: (columns) => [
      ["Name", columns["name"]!],
      ["RA, Dec", columns["where"]!],
      ["Jy", columns["flux"]!],
    ],
  }, (label) => this.#choose(label, true));
  /** All of it. */
  readonly root: HTMLElement = element(
    "section",
    { class: "part objects", hidden: true, "aria-label": "Sky" },
    this.#title,
    element("label", {}, this.#grid, " Grid of coordinates"),
    this.#beamText,
    textButton({ label: "Show a list of sources", look: "small", press: () => this.#picker.open(false) }),
    this.#said,
    this.#table.root,
    this.#picker.root,
  );
  readonly #newest = new Newest();
  #sky: Sky | undefined;
  #beam: Beam | undefined;
  #sources: readonly ListedPlace[] = [];
  #columns = columnsOf([]);
  #chosen: number | undefined;

  /** Nothing yet. */
  constructor(host: SkyHost) {
    this.#host = host;
  }

  /** Shows what belongs to the image that is open. */
  show({ grid = false }: PageState): void {
    const { opened, element: picture } = this.#host.image;
    if (opened?.sky !== this.#sky) this.#begin();
    this.root.hidden = !this.#sky;
    this.#grid.checked = grid;
    const sky = this.#sky;
    picture.marks = sky && (() => this.#marks(sky, grid));
  }

  /** The circle of a source was clicked. */
  picked(mark: number): void {
    this.#choose(mark, false);
  }

  /** Another image is open: its list may have been dropped beside it. */
  #begin(): void {
    const { opened } = this.#host.image;
    const [{ height, width } = { height: 0, width: 0 }] = opened?.source.levels ?? [];
    this.#sky = opened?.sky;
    this.#beam = this.#sky && beamOf(opened!.dataset.metadata, this.#sky, [height / 2, width / 2]);
    setText(this.#title, this.#sky?.frame ? `Sky in ${this.#sky.frame}` : "Sky");
    this.#beamText.hidden = !this.#beam;
    setText(this.#beamText, this.#beam ? `Beam ${this.#beam.text}, in the corner` : "");
    this.#newest.stop();
    this.#list([], "");
    const list = this.#sky && listAmong(this.#host.bench().session?.files ?? new Map());
    if (list) void this.#read(...list);
  }

  async #read(name: string, list: Blob): Promise<void> {
    const { opened } = this.#host.image;
    if (!opened?.sky) return;
    const { sky, source: { levels: [level] } } = opened;
    await this.#newest.begin(
      () => sourcesOn(sky, list, level!),
      ({ sources, others }) => {
        const rest = others > 0 ? `, ${others} not` : "";
        this.#list(sources, `${name}: ${sources.length} on the image${rest}`);
      },
      (error) => this.#list([], error instanceof Error ? error.message : String(error)),
    );
  }

  #list(sources: readonly ListedPlace[], text: string): void {
    this.#sources = sources;
    this.#columns = columnsOf(sources);
    this.#chosen = undefined;
    setText(this.#said, text);
    this.#showTable();
  }

  #showTable(): void {
    this.#table.root.hidden = this.#sources.length === 0;
    this.#table.show(this.#columns, this.#chosen);
    this.show(this.#host.bench().store.state);
  }

  /** Chooses a source; from the table, the image moves there. */
  #choose(label: number, isMoved: boolean): void {
    this.#chosen = label;
    const source = this.#sources[label];
    if (isMoved && source) this.#host.update({ look: this.#host.image.element.lookAt(source.at, AROUND) });
    this.#showTable();
  }

  #marks(sky: Sky, grid: boolean): SkyMarks {
    const lines = grid ? gridOf(sky, this.#host.image.element.seenPart) : [];
    return {
      lines: lines.map(({ of, parts, text }) => ({ parts, text, side: of === "dec" ? "left" : "top" })),
      circles: this.#sources,
      ...(this.#chosen === undefined ? {} : { chosen: this.#chosen }),
      ...(this.#beam ? { corner: this.#beam.outline } : {}),
    };
  }
}

function columnsOf(sources: readonly ListedPlace[]) {
  return {
    label: sources.map((_, i) => i),
    name: sources.map(({ name }) => name),
    where: sources.map(({ where }) => where),
    flux: sources.map(({ flux }) => flux),
  };
}

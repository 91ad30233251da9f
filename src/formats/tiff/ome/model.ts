/**
 * What OME-XML says about images: dimensions, the place of each plane, axes, channels, positions and instrument.
 *
 * Source: the OME data model and the OME-TIFF specification.
 *
 * @module
 */

import { defined } from "../../../options.ts";
import { plainXml } from "../../common/xml.ts";

// Tags of an XML text one after another, with their attributes: one pass, as the text of large sets has a tag per image.

/** An opening tag, and the text behind it. */
export interface Tag {
  /** Its name without a prefix, such as `Pixels`. */
  readonly name: string;
  /** Its attributes, by names without prefixes. */
  readonly attributes: ReadonlyMap<string, string>;
  /** The text up to the next tag. */
  readonly text: string;
  /** Names of the elements that it lies in, the outermost first. */
  readonly path: readonly string[];
}

/** Most tags that are read, and how deep they may lie. */
const MOST_TAGS = 2 ** 22;
const MOST_DEPTH = 64;

/**
 * The opening tags of `xml` in order.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const [outer, inner] = tagsOf('<a:OME><Pixels SizeX="3">x</Pixels></a:OME>');
 * assertEquals([outer!.name, inner!.attributes.get("SizeX"), inner!.path, inner!.text], ["OME", "3", ["OME"], "x"]);
 * ```
 */
export function* tagsOf(xml: string): Generator<Tag> {
  const path: string[] = [];
  for (let at = xml.indexOf("<"), count = 0; at >= 0 && count < MOST_TAGS; count++) {
    const end = endOf(xml, at);
    if (end < 0) return;
    const next = xml.indexOf("<", end);
    const inside = xml.slice(at + 1, end - 1);
    if (inside.startsWith("/")) path.pop();
    else if (!inside.startsWith("!") && !inside.startsWith("?")) {
      const isEmpty = inside.endsWith("/");
      const name = localName(/^[^\s/>]+/.exec(inside)?.[0] ?? "");
      const text = isEmpty ? "" : plainXml(xml.slice(end, next < 0 ? xml.length : next)).trim();
      yield { name, attributes: attributesOf(inside), text, path: [...path] };
      if (!isEmpty && path.length < MOST_DEPTH) path.push(name);
    }
    at = next;
  }
}

/** One past the end of the tag, comment or declaration at `at`; -1 where it has none. */
function endOf(xml: string, at: number): number {
  const close = xml.startsWith("<!--", at) ? "-->" : xml.startsWith("<![CDATA[", at) ? "]]>" : ">";
  const end = xml.indexOf(close, at);
  return end < 0 ? -1 : end + close.length;
}

function attributesOf(inside: string): Map<string, string> {
  const found = new Map<string, string>();
  for (
    const [, name, double, single] of inside.matchAll(/([\w:.-]+)\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)')/g)
  ) {
    found.set(localName(name!), plainXml(double ?? single ?? ""));
  }
  return found;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** Where planes lie. */
export interface OmeTiffData {
  /** Number of the first page. */
  readonly ifd: number;
  /** The plane that it shows. */
  readonly first: Readonly<Record<"Z" | "C" | "T", number>>;
  /** How many planes follow each other; absent: all that are left, or one. */
  readonly count?: number;
  /** File name; absent: the file with the description. */
  readonly file?: string;
  /** What identifies that file, whatever it is called now. */
  readonly uuid?: string;
}

/** A channel. */
interface OmeChannel {
  /** Its name. */
  readonly name?: string;
  /** Samples per pixel. */
  readonly samples: number;
  /** Further facts as in the file, such as wavelengths. */
  readonly facts: Readonly<Record<string, string>>;
}

/** Facts about one plane. */
interface OmePlane {
  /** Which plane. */
  readonly z: number;
  /** Which plane. */
  readonly c: number;
  /** Which plane. */
  readonly t: number;
  /** Facts as in the file, such as `PositionX`. */
  readonly facts: Readonly<Record<string, string>>;
}

/** One image of many planes. */
export interface OmeImage {
  /** Its name. */
  readonly name: string;
  /** When it was taken. */
  readonly acquired: string;
  /** Attributes of its pixels, such as `SizeX` and `DimensionOrder`. */
  readonly pixels: ReadonlyMap<string, string>;
  /** Its channels. */
  readonly channels: readonly OmeChannel[];
  /** Where its planes lie. */
  readonly data: readonly OmeTiffData[];
  /** Facts about its planes, not more than {@link MOST_PLANES}. */
  readonly planes: readonly OmePlane[];
  /** Id of the objective. */
  readonly objective: string;
}

/** An OME-XML text. */
export interface Ome {
  /** Its images. */
  readonly images: readonly OmeImage[];
  /** What identifies the file with this text. */
  readonly uuid: string;
  /** The file that describes the images instead; absent: this one. */
  readonly metadataFile?: string;
  /** Attributes of objectives, by their ids. */
  readonly objectives: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Model of the first detector. */
  readonly detector: string;
  /** Which axes count two things at once, in words. */
  readonly modulo: readonly string[];
}

/** Planes whose facts are kept. */
const MOST_PLANES = 10_000;

/** What `xml` says. */
export function readOme(xml: string): Ome {
  const reading = new Reading();
  for (const tag of tagsOf(xml)) reading.take(tag);
  const { images, metadataFile, objectives, detector, uuid, modulo } = reading;
  return { images, objectives, detector, uuid, modulo, ...defined({ metadataFile }) };
}

/** An image while it is read. */
interface Growing extends OmeImage {
  name: string;
  acquired: string;
  pixels: ReadonlyMap<string, string>;
  objective: string;
  readonly channels: OmeChannel[];
  readonly data: Mutable[];
  readonly planes: OmePlane[];
}

type Mutable = { -readonly [K in keyof OmeTiffData]: OmeTiffData[K] };

class Reading {
  readonly images: Growing[] = [];
  readonly objectives = new Map<string, ReadonlyMap<string, string>>();
  metadataFile: string | undefined;
  detector = "";
  uuid = "";
  readonly modulo: string[] = [];

  take(tag: Tag): void {
    const { name, attributes, path } = tag;
    if (name === "OME") this.uuid = attributes.get("UUID") ?? "";
    else if (name === "Image") this.images.push(emptyImage(attributes.get("Name") ?? ""));
    else if (name === "BinaryOnly") this.metadataFile = attributes.get("MetadataFile");
    else if (name === "Objective" && attributes.has("ID")) {
      this.objectives.set(attributes.get("ID")!, attributes);
    } else if (name.startsWith("ModuloAlong")) this.modulo.push(moduloOf(name, attributes));
    else if (name === "Detector" && this.detector === "") this.detector = attributes.get("Model") ?? "";
    else if (path.includes("Image") && this.images.length > 0) this.#inImage(tag, this.images.at(-1)!);
  }

  #inImage({ name, attributes, text, path }: Tag, image: Growing): void {
    if (name === "Pixels") image.pixels = attributes;
    else if (name === "AcquisitionDate" || name === "AcquiredDate") image.acquired = text;
    else if (name === "ObjectiveSettings") image.objective = attributes.get("ID") ?? "";
    else if (!path.includes("Pixels")) return;
    else if (name === "Channel") image.channels.push(channelOf(attributes));
    else if (name === "TiffData") image.data.push(dataOf(attributes));
    else if (name === "UUID" && path.at(-1) === "TiffData" && attributes.has("FileName")) {
      const last = image.data.at(-1);
      if (last) Object.assign(last, { file: attributes.get("FileName")!, uuid: text });
    } else if (name === "Plane" && image.planes.length < MOST_PLANES) image.planes.push(planeOf(attributes));
  }
}

/** An axis that counts something else within each of its steps, as Bio-Formats writes it. */
function moduloOf(name: string, attributes: ReadonlyMap<string, string>): string {
  const facts = [...attributes].filter(([key]) => key !== "Type").map(([key, value]) => `${key} ${value}`);
  return `Axis ${name.at(-1)} also counts ${attributes.get("Type") ?? "something else"} (${name}: ${
    facts.join(", ")
  }), which is not split from it`;
}

function emptyImage(name: string): Growing {
  return { name, acquired: "", pixels: new Map(), channels: [], data: [], planes: [], objective: "" };
}

function channelOf(attributes: ReadonlyMap<string, string>): OmeChannel {
  const name = attributes.get("Name");
  const facts = Object.fromEntries(
    [...attributes].filter(([key]) => !["ID", "Name", "SamplesPerPixel"].includes(key)),
  );
  return { samples: wholeOf(attributes.get("SamplesPerPixel"), 1), facts, ...(name ? { name } : {}) };
}

function dataOf(attributes: ReadonlyMap<string, string>): Mutable {
  const number = (name: string) => wholeOf(attributes.get(name), 0);
  const count = attributes.get("PlaneCount") ?? attributes.get("NumPlanes") ??
    (attributes.has("IFD") ? "1" : undefined);
  return {
    ifd: number("IFD"),
    first: { Z: number("FirstZ"), C: number("FirstC"), T: number("FirstT") },
    ...(count === undefined ? {} : { count: wholeOf(count, 1) }),
  };
}

function planeOf(attributes: ReadonlyMap<string, string>): OmePlane {
  const number = (name: string) => wholeOf(attributes.get(name), 0);
  const facts = Object.fromEntries([...attributes].filter(([name]) => !/^The[ZCT]$/.test(name)));
  return { z: number("TheZ"), c: number("TheC"), t: number("TheT"), facts };
}

/** A count in a text; `otherwise` where there is none. */
export function wholeOf(text: string | undefined, otherwise: number): number {
  const value = text === undefined || text.trim() === "" ? NaN : Number(text);
  return Number.isSafeInteger(value) && value >= 0 ? value : otherwise;
}

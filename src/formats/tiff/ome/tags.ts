/**
 * Tags of an XML text one after another, with their attributes: one pass, as the text of large sets has a tag per image.
 *
 * @module
 */

import { plainXml } from "../../common/xml.ts";

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

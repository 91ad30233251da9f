/**
 * A small part of XML: the text of a file in any encoding, and its attributes and texts without escapes.
 *
 * @module
 */

/** The text of an XML file without comments: UTF-8, UTF-16 with a mark, or what its first line says. */
export function xmlText(bytes: Uint8Array): string {
  const marked = bytes[0] === 0xff && bytes[1] === 0xfe
    ? "utf-16le"
    : bytes[0] === 0xfe && bytes[1] === 0xff
    ? "utf-16be"
    : undefined;
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  const named = /^<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)["']/i.exec(start)?.[1];
  return decoder(marked ?? named ?? "utf-8").decode(bytes).split("<!--")
    .map((part, i) => i === 0 ? part : part.includes("-->") ? part.slice(part.indexOf("-->") + 3) : "").join(
      "",
    );
}

function decoder(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding);
  } catch {
    return new TextDecoder(); // an unknown encoding
  }
}

/** Most elements of one name that are read. */
const MOST_ELEMENTS = 1000;

const NAMES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * A text without escapes.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(plainXml("a &amp; b&#246;&#x21;"), "a & b\u00f6!");
 * ```
 */
export function plainXml(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (all, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : hex ? parseInt(hex, 16) : undefined;
    if (code !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    return NAMES[name] ?? all;
  });
}

/** The first elements `element`: the text between its tags, and its first tag. Elements of that name have none inside. */
export function xmlElements(
  text: string,
  element: string,
): { readonly tag: string; readonly inside: string }[] {
  const open = new RegExp(`<${element}(?:\\s[^<>]{0,2000})?>`, "gi");
  const close = new RegExp(`</${element}\\s{0,100}>`, "gi");
  const found: { tag: string; inside: string }[] = [];
  for (let tag = open.exec(text); tag && found.length < MOST_ELEMENTS; tag = open.exec(text)) {
    if (tag[0].endsWith("/>")) {
      found.push({ tag: tag[0], inside: "" });
      continue;
    }
    close.lastIndex = open.lastIndex;
    const end = close.exec(text);
    if (!end) break;
    found.push({ tag: tag[0], inside: text.slice(open.lastIndex, end.index) });
    open.lastIndex = close.lastIndex;
  }
  return found;
}

/** The attribute `name` of the first element `element` that has it. */
export function xmlAttribute(text: string, element: string, name: string): string | undefined {
  const pattern =
    `<${element}\\s(?:[^<>]{0,2000}?\\s)?${name}\\s{0,100}=\\s{0,100}(?:"([^"<]{0,4000})"|'([^'<]{0,4000})')`;
  const [, double, single] = new RegExp(pattern, "i").exec(text) ?? [];
  const found = double ?? single;
  return found === undefined ? undefined : plainXml(found);
}

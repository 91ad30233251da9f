/**
 * What OME-XML is recognised by.
 *
 * @module
 */

/** Whether a description is OME-XML. */
export function isOme(text: string): boolean {
  const start = text.slice(0, 4000);
  return /<(\w+:)?OME[\s>]/.test(start) && /openmicroscopy\.org|<(\w+:)?(Image|BinaryOnly)\b/i.test(text);
}

/** Whether a file is a description of an OME-TIFF set without images. */
export function isCompanion(head: Uint8Array): boolean {
  const text = new TextDecoder("latin1").decode(head.slice());
  return /^(\u00ef\u00bb\u00bf)?\s*</.test(text) && isOme(text) &&
    /<(\w+:)?OME[^>]*openmicroscopy/.test(text);
}

/**
 * Text in pictures: a font of 5 × 7 dots.
 *
 * @module
 */

/**
 * Each character as seven rows from the top, a digit of base 32 each: its bits are the five dots, the left one is the highest.
 * 14, the digit `e`, is `.
 */
const GLYPHS: Readonly<Record<string, string>> = {
  "A": "4ahhvhh",
  "B": "uhhuhhu",
  "C": "ehggghe",
  "D": "uhhhhhu",
  "E": "vgguggv",
  "F": "vgguggg",
  "G": "ehgnhhf",
  "H": "hhhvhhh",
  "I": "e44444e",
  "J": "72222ic",
  "K": "hikokih",
  "L": "ggggggv",
  "M": "hrllhhh",
  "N": "hplljhh",
  "O": "ehhhhhe",
  "P": "uhhuggg",
  "Q": "ehhhlid",
  "R": "uhhukih",
  "S": "fgge11u",
  "T": "v444444",
  "U": "hhhhhhe",
  "V": "hhhhha4",
  "W": "hhhllrh",
  "X": "hha4ahh",
  "Y": "hha4444",
  "Z": "v1248gv",
  "a": "00e1fhf",
  "b": "gguhhhu",
  "c": "00eggge",
  "d": "11fhhhf",
  "e": "00ehvge",
  "f": "698s888",
  "g": "00fhf1e",
  "h": "gguhhhh",
  "i": "40c444e",
  "j": "20622ic",
  "k": "ggikoki",
  "l": "c44444e",
  "m": "00qllll",
  "n": "00uhhhh",
  "o": "00ehhhe",
  "p": "00uhugg",
  "q": "00fhf11",
  "r": "00mpggg",
  "s": "00fge1u",
  "t": "88s8896",
  "u": "00hhhjd",
  "v": "00hhha4",
  "w": "00hhlla",
  "x": "00ha4ah",
  "y": "00hhf1e",
  "z": "00v248v",
  "0": "ehjlphe",
  "1": "4c4444e",
  "2": "eh1248v",
  "3": "eh161he",
  "4": "26aiv22",
  "5": "vgu11he",
  "6": "68guhhe",
  "7": "v124888",
  "8": "ehhehhe",
  "9": "ehhf12c",
  " ": "0000000",
  ".": "00000cc",
  ",": "0000c48",
  ":": "0cc0cc0",
  ";": "0cc0c48",
  "-": "000e000",
  "+": "044v440",
  "−": "000v000",
  "–": "000v000",
  "=": "00v0v00",
  "/": "11248gg",
  "\\": "gg84211",
  "(": "2488842",
  ")": "8422248",
  "[": "e88888e",
  "]": "e22222e",
  "<": "248g842",
  ">": "8421248",
  "*": "0level0",
  "'": "4440000",
  '"': "aaa0000",
  "!": "4444404",
  "?": "eh12404",
  "_": "000000v",
  "%": "pp248jj",
  "#": "aavavaa",
  "&": "cic8lid",
  "@": "ehnlnge",
  "|": "4444444",
  "~": "009li00",
  "^": "4ah0000",
  "°": "ciic000",
  "′": "4480000",
  "″": "aak0000",
  "×": "00ha4ah",
  "·": "0004000",
  "λ": "o44eahh",
  "σ": "00fiiic",
  "µ": "00iiitg",
  "μ": "00iiitg",
  "ν": "00hiik8",
  "α": "00diiid",
  "δ": "684ehhe",
  "Δ": "44aahhv",
  "Σ": "v84248v",
  "…": "000000l",
};

/** Dots of a character, and from one character to the next. */
export const [GLYPH_WIDTH, GLYPH_HEIGHT, ADVANCE] = [5, 7, 6] as const;

/** What stands for characters without a glyph. */
const UNKNOWN = "vhhhhhv";

/**
 * Width of a text in dots.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([textWidth(""), textWidth("u"), textWidth("RA")], [0, 5, 11]);
 * ```
 */
export function textWidth(text: string): number {
  const { length } = [...text];
  return length === 0 ? 0 : length * ADVANCE - 1;
}

/**
 * Calls `dot` with the place of every dot of a text, from its upper left corner.
 *
 * @example The letter T is a bar and a stem
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const dots: string[] = [];
 * eachDot("T", (x, y) => dots.push(`${x},${y}`));
 * assertEquals(dots.join(" "), "0,0 1,0 2,0 3,0 4,0 2,1 2,2 2,3 2,4 2,5 2,6");
 * ```
 */
export function eachDot(text: string, dot: (x: number, y: number) => void): void {
  [...text].forEach((character, n) => {
    const glyph = GLYPHS[character] ?? UNKNOWN;
    for (let y = 0; y < GLYPH_HEIGHT; y++) {
      const bits = parseInt(glyph[y]!, 32);
      for (let x = 0; x < GLYPH_WIDTH; x++) if (bits >> (GLYPH_WIDTH - 1 - x) & 1) dot(n * ADVANCE + x, y);
    }
  });
}

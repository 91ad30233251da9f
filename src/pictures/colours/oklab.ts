/**
 * Colours by lightness, chroma and hue in the Oklab space, in which equal steps look equal.
 *
 * @module
 */

/**
 * The sRGB bytes of a colour. If sRGB cannot show it, its chroma is reduced; lightness and hue do not change.
 *
 * @param lightness from 0 (black) to 1 (white)
 * @param chroma from 0 (gray) to about 0.3
 * @param hue in degrees: 30 red, 110 yellow, 145 green, 260 blue
 *
 * @example White
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(oklab(1, 0, 0), [255, 255, 255]);
 * ```
 */
export function oklab(lightness: number, chroma: number, hue: number): [number, number, number] {
  for (let c = chroma; c > 0.001; c *= 0.96) {
    const linear = toLinear(lightness, c, hue);
    if (linear.every((v) => v >= -1e-4 && v <= 1.0001)) return encode(linear);
  }
  return encode(toLinear(lightness, 0, 0));
}

/** Linear light; the constants are from the definition of the space. */
function toLinear(lightness: number, chroma: number, hue: number): [number, number, number] {
  const a = chroma * Math.cos(hue * Math.PI / 180), b = chroma * Math.sin(hue * Math.PI / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function encode(linear: readonly number[]): [number, number, number] {
  return linear.map((v) => {
    const x = Math.max(0, Math.min(1, v));
    return Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
  }) as [number, number, number];
}

/**
 * The programs of the graphics card: they find the sample of each pixel, and its colour.
 *
 * Samples are found by two tables of indices, which are computed in double precision; the same as without a graphics card.
 *
 * @module
 */

import { HUES, LENGTHS } from "../../src/pictures/mod.ts";
import type { TextureKind } from "./texture.ts";
import { LOG_FACTOR } from "./transfer.ts";

/** Two triangles that cover the screen. */
export const VERTEX_SHADER = `#version 300 es
void main() {
  gl_Position = vec4(float(gl_VertexID & 1) * 4.0 - 1.0, float(gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}`;

/** How a number above the lower limit is read, by kind; missing ones set \`missing\`. */
const READ: Readonly<Record<TextureKind, string>> = {
  unsigned: `uniform highp usampler2D PLANE;
float READ(ivec2 at, inout bool missing) { return float(texelFetch(PLANE, at, 0).r) - BASE.x - BASE.y; }`,
  signed: `uniform highp isampler2D PLANE;
float READ(ivec2 at, inout bool missing) { return float(texelFetch(PLANE, at, 0).r) - BASE.x - BASE.y; }`,
  float: `uniform highp usampler2D PLANE;
float READ(ivec2 at, inout bool missing) {
  uint bits = texelFetch(PLANE, at, 0).r;
  missing = missing || isMissing(bits);
  return uintBitsToFloat(bits) - BASE.x - BASE.y;
}`,
  double: `uniform highp usampler2D PLANE;
float READ(ivec2 at, inout bool missing) {
  uvec2 bits = texelFetch(PLANE, at, 0).rg;
  missing = missing || isMissing(bits.x);
  return (uintBitsToFloat(bits.x) - BASE.x) + (uintBitsToFloat(bits.y) - BASE.y);
}`,
};

const HEAD = `#version 300 es
precision highp float;
precision highp int;
out vec4 pixel;
uniform highp isampler2D rows;
uniform highp isampler2D columns;
uniform sampler2D colours;
uniform int height;
uniform ivec2 corner;
uniform vec2 base;
uniform vec2 none;
uniform float span;
uniform float gamma;
uniform bool isLog;
bool isMissing(uint bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }
float shareOf(float above) {
  if (span > 0.0) return clamp(above / span, 0.0, 1.0);
  return above > 0.0 ? 1.0 : 0.0;
}
float placeOf(float share) {
  float place = isLog ? log(1.0 + ${LOG_FACTOR.toFixed(1)} * share) / log(${
  (LOG_FACTOR + 1).toFixed(1)
}) : share;
  return gamma == 1.0 ? place : place <= 0.0 ? 0.0 : pow(place, gamma);
}
`;

const BODY = `
void main() {
  int row = texelFetch(rows, ivec2(height - 1 - (int(gl_FragCoord.y) - corner.y), 0), 0).r;
  int column = texelFetch(columns, ivec2(int(gl_FragCoord.x) - corner.x, 0), 0).r;
  bool missing = row < 0 || column < 0;
  pixel = vec4(0.0);
  if (missing) return;
  ivec2 at = ivec2(column, row);
  COLOUR
}`;

const VALUE = `float place = placeOf(shareOf(value(at, missing)));
  if (!missing) pixel = texelFetch(colours, ivec2(int(floor(255.0 * place + 0.5)), 0), 0);`;

const VECTOR = `float y = down(at, missing), x = right(at, missing);
  float place = placeOf(shareOf(length(vec2(y, x))));
  float turn = y == 0.0 && x == 0.0 ? 0.0 : atan(y, x) / 6.283185307179586;
  int hue = int(floor((turn + 1.0) * ${HUES}.0 + 0.5)) % ${HUES};
  if (!missing) pixel = texelFetch(colours, ivec2(int(floor(place * ${LENGTHS - 1}.0 + 0.5)), hue), 0);`;

/** The shader for values, or for vectors, of a kind of texture. */
export function fragmentShader(kind: TextureKind, isVector: boolean): string {
  const read = (name: string, plane: string, base: string) =>
    READ[kind].replaceAll("READ", name).replaceAll("PLANE", plane).replaceAll("BASE", base);
  const reads = isVector
    ? [read("down", "first", "none"), read("right", "second", "none")]
    : [read("value", "first", "base")];
  return [HEAD, ...reads, BODY.replace("COLOUR", isVector ? VECTOR : VALUE)].join("\n");
}

/** A number as two floats whose sum it is. */
export function asFloats(value: number): [high: number, low: number] {
  const high = Math.fround(value);
  return [high, Number.isFinite(high) ? value - high : 0];
}

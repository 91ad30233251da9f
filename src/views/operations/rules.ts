/**
 * Rules for parameters that several operations over views share.
 *
 * @module
 */

export { radiusRule } from "../../space/halo.ts";

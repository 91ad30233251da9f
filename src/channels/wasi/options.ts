/**
 * The options of programs, and what they mean.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { readFile } from "../../io/open.ts";
import { checkOptionNames, inWords, type OptionNames } from "../../options.ts";
import { callable, either, each, limit, list, must, oneOf, text, wrongValue } from "../../options/rules.ts";
import { RUN_SETTINGS, type RunSettings } from "../../runner/runner.ts";
import { byteCount, bytes as bytesRule } from "../../space/rules.ts";

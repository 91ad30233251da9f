/**
 * The answering end of remote calls: functions of users as answers to calls on channels.
 *
 * The value of a result stands in the first numbers of the call, its bytes in the buffer; the answer itself is the number of those
 * bytes. So a result below zero is not taken for a status, and 64 bits stay exact.
 *
 * @module
 */

import type { Soon } from "../backends/back_end.ts";
import type { Answer, Call } from "../protocol/call.ts";
import { STATUS } from "../protocol/status.ts";
import type { RemoteFunction, RemoteFunctions } from "./function.ts";
import { fail } from "./message.ts";
import { PieceStore } from "./pieces.ts";
import { REMOTE, type Signature, signaturesOf } from "./table.ts";
import { CHECK, FREE_STREAM, type Placed } from "./wire.ts";
import { halves, isOf, type RemoteValue, unpack } from "./values.ts";
import { checkOf } from "./table.ts";

/** Six-fold order along a ring: the sixth Fourier coefficient of each frame, as length. */

import { open, plan, radialFourier, run, save } from "@tilewise/tilewise";
import { ndarray } from "@tilewise/tilewise/arrays";

const scan = await open("scan/scan.hdr");

const rings = radialFourier({ ri: 16, ro: 26, bins: 1, maxOrder: 6 });
const { order } = await run(await plan(scan, { order: rings }));
const { absolute } = order;
const data = Float32Array.from({ length: 48 * 48 }, (_, n) => absolute!.data[7 * n + 6]!);
await save(ndarray(data, [48, 48], "float32"), "six_fold.png");

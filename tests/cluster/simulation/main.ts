/**
 * The coordinator and workers in simulated time, beside the model: `deno task simulate [TEXT]`.
 *
 * @module
 */

import { print } from "../../../bench/timing.ts";
import { simulate } from "./cluster.ts";
import { forecastOf, SCENES } from "./scenes.ts";

const [text = ""] = Deno.args;
print("scene · simulated s · model s · ratio · bound by · lost workers · units computed twice · wrong units");
for (const [name, scene] of Object.entries(SCENES).filter(([name]) => name.includes(text))) {
  const { seconds, committed, again, lost } = await simulate(scene);
  const model = forecastOf(scene);
  const wrong = committed.filter((times) => times !== 1).length;
  const figures = [
    seconds.toFixed(0),
    model.seconds.toFixed(0),
    (seconds / model.seconds).toFixed(2),
    model.bound,
  ];
  print([name, ...figures, lost, again, wrong].join(" · "));
}

/**
 * The coordinator and workers in simulated time, beside the model: `deno task simulate [TEXT]`.
 *
 * @module
 */

import { asksForHelp, inOneLine, mustBeOneOf } from "../../../assembly/task.ts";
import { print } from "../../../bench/timing.ts";
import { simulate } from "./cluster.ts";
import { forecastOf, SCENES } from "./scenes.ts";

if (asksForHelp("simulate")) Deno.exit();
const [text = ""] = Deno.args;
const scenes = Object.entries(SCENES).filter(([name]) => name.includes(text));
await inOneLine("simulate", () => {
  if (scenes.length === 0) mustBeOneOf("scene", [text], Object.keys(SCENES));
});
print("scene · simulated s · model s · ratio · bound by · lost workers · units computed twice · wrong units");
for (const [name, scene] of scenes) {
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

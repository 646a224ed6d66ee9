import { shownNumber } from "../../app/language";
import type { MapSpec } from "../../generated/api";
import { mapWords as say } from "../../words/map";
import { degreesOf, sharesOf, valuesOf } from "./geometry";

const WORST = 20;

/** The map to read: how much of the area each band takes at each stage, and the worst squares. */
export function MapTable({ spec, layer }: { spec: MapSpec; layer: string }) {
  const own = spec.layers.find((one) => one.id === layer);
  const stages = (["before", "after"] as const).filter((stage) => valuesOf(own, stage).length > 0);
  const shares = stages.map((stage) => sharesOf(valuesOf(own, stage), spec.bands));
  const first = valuesOf(own, "before");
  const worst = first.map((value, at) => ({ value, at })).filter((one): one is { value: number; at: number } => one.value !== null);
  worst.sort((a, b) => a.value - b.value);
  return (
    <div class="chart-twin">
      <table>
        <caption>{spec.title}</caption>
        <thead>
          <tr>
            <th scope="col">{say("band")}</th>
            {stages.map((stage) => (
              <th key={stage} scope="col" class="number">
                {say("share", { stage: say(stage) })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {spec.bands.map((band, at) => (
            <tr key={band.title}>
              <th scope="row">{band.title}</th>
              {shares.map((one, place) => (
                <td key={place} class="number">
                  {percent(one[at] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <table>
        <caption>{say("worst", { count: Math.min(WORST, worst.length), total: first.length })}</caption>
        <thead>
          <tr>
            <th scope="col">{say("longitude")}</th>
            <th scope="col">{say("latitude")}</th>
            {stages.map((stage) => (
              <th key={stage} scope="col" class="number">
                {say(stage)} ({spec.unit})
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {worst.slice(0, WORST).map(({ at }) => (
            <tr key={at}>
              {degreesOf(spec, at).map((degrees, place) => (
                <td key={place}>{degrees.toFixed(5)}</td>
              ))}
              {stages.map((stage) => (
                <td key={stage} class="number">
                  {shownNumber(valuesOf(own, stage)[at] ?? 0, { minimumFractionDigits: 1, maximumFractionDigits: 1 })}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A share with one decimal. */
export function percent(share: number): string {
  return `${shownNumber(share, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} %`;
}

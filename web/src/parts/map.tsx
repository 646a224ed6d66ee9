import { useSignal } from "@preact/signals";

import "../styles/pictures.css";
import "../styles/map.css";
import { shownNumber } from "../app/language";
import type { MapSpec } from "../generated/api";
import { mapWords as say } from "../words/map";
import { bandAt, bandsOf, cornerOf, sharesOf, squareOf, valuesOf, type StageName } from "./map/geometry";
import { coloursOf } from "./map/palette";
import { MapPicture } from "./map/picture";
import { MapTable, percent } from "./map/table";

const STAGES: readonly StageName[] = ["before", "after", "difference"];

/** A map with its switches, its legend, a line that reads the square under the cursor, and a table instead. */
export function MapView({ spec }: { readonly spec: MapSpec }) {
  const stage = useSignal<StageName>("before");
  const layer = useSignal(spec.layers[0]?.id ?? "");
  const [sectors, base, asTable, cursor] = [useSignal(true), useSignal(true), useSignal(false), useSignal<number | null>(null)];
  const own = spec.layers.find((one) => one.id === layer.value);
  const stages = STAGES.filter((one) => valuesOf(own, one).length > 0);
  return (
    <figure class="chart map">
      <figcaption class="chart-head">
        <span class="chart-title">{spec.title}</span>
        <button type="button" class="chart-button" aria-pressed={asTable.value} onClick={() => (asTable.value = !asTable.value)}>
          {say("asTable")}
        </button>
      </figcaption>
      <div class="map-tools">
        {stages.length > 1 && <Switch label={say("stage")} all={stages.map((one) => [one, say(one)])} now={stage.value} onPick={(one) => (stage.value = one)} />}
        {spec.layers.length > 1 && (
          <Switch label={say("layer")} all={spec.layers.map((one) => [one.id, one.title])} now={layer.value} onPick={(one) => (layer.value = one)} />
        )}
        <label class="check">
          <input type="checkbox" checked={sectors.value} onChange={(event) => (sectors.value = event.currentTarget.checked)} /> {say("sectors")}
        </label>
        <label class="check">
          <input type="checkbox" checked={base.value} onChange={(event) => (base.value = event.currentTarget.checked)} /> {say("base")}
        </label>
      </div>
      {asTable.value ? (
        <MapTable spec={spec} layer={layer.value} />
      ) : (
        <div class="map-body">
          <div class="map-frame">
            <MapPicture
              spec={spec}
              stage={stage.value}
              layer={layer.value}
              sectors={sectors.value}
              base={base.value}
              cursor={cursor.value}
              label={`${spec.title} · ${say(stage.value)}`}
              onCursor={(at) => (cursor.value = at)}
            />
          </div>
          <Legend spec={spec} stage={stage.value} layer={layer.value} />
        </div>
      )}
      <p class="chart-note map-reading" role="status">
        {cursor.value === null ? say("help") : reading(spec, stage.value, layer.value, cursor.value)}
      </p>
      {spec.note && <p class="chart-note">{spec.note}</p>}
    </figure>
  );
}

interface SwitchProps<Name extends string> {
  readonly label: string;
  readonly all: readonly (readonly [Name, string])[];
  readonly now: Name;
  readonly onPick: (name: Name) => void;
}

function Switch<Name extends string>({ label, all, now, onPick }: SwitchProps<Name>) {
  return (
    <span class="map-switch" role="group" aria-label={label}>
      {all.map(([name, title]) => (
        <button key={name} type="button" class="chart-button" aria-pressed={name === now} onClick={() => onPick(name)}>
          {title}
        </button>
      ))}
    </span>
  );
}

/** The bands with their colours and the share of the area in each, the best first; the limit and the base below. */
function Legend({ spec, stage, layer }: { spec: MapSpec; stage: StageName; layer: string }) {
  const bands = bandsOf(spec, stage);
  const colours = coloursOf(bands.length, stage);
  const shares = sharesOf(valuesOf(spec.layers.find((one) => one.id === layer), stage), bands);
  return (
    <div class="map-legend">
      <p class="chart-note">{say("legend")}</p>
      <ul>
        {bands
          .map((band, at) => (
            <li key={band.title}>
              <Swatch fill={colours[at] ?? ""} />
              <span>{band.title}</span>
              <span class="number">{percent(shares[at] ?? 0)}</span>
            </li>
          ))
          .reverse()}
        {stage !== "difference" && spec.threshold !== undefined && (
          <li>
            <svg class="map-swatch" viewBox="0 0 14 14" aria-hidden="true">
              <path class="map-limit" d="M0 7h14" />
            </svg>
            <span>{say("threshold", { value: `${spec.threshold} ${spec.unit}` })}</span>
          </li>
        )}
        <li>
          <svg class="map-swatch" viewBox="0 0 14 14" aria-hidden="true">
            <path class="map-sector changed" d="M7 13L2 3A9 9 0 0 1 12 3z" />
          </svg>
          <span>{say("changed")}</span>
        </li>
        {spec.ground.map((one) => (
          <li key={one.kind}>
            <svg class="map-swatch" viewBox="0 0 14 14" aria-hidden="true">
              <rect class={`map-ground ${one.kind}`} width="14" height="14" />
            </svg>
            <span>{one.title}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Swatch({ fill }: { fill: string }) {
  return (
    <svg class="map-swatch" viewBox="0 0 14 14" aria-hidden="true">
      <rect width="14" height="14" rx="2" fill={fill} />
    </svg>
  );
}

/** What is said of the square under the cursor. */
function reading(spec: MapSpec, stage: StageName, layer: string, at: number): string {
  const value = valuesOf(spec.layers.find((one) => one.id === layer), stage)[at];
  const [x, y] = cornerOf(spec, at);
  const { wide, high } = squareOf(spec);
  const place = say("place", { x: Math.round(x + wide / 2), y: Math.round(spec.height_m - y - high / 2) });
  if (value === null || value === undefined) return say("none", { place });
  const bands = bandsOf(spec, stage);
  const unit = stage === "difference" ? spec.difference_unit : spec.unit;
  const shown = shownNumber(value, { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: stage === "difference" ? "exceptZero" : "auto" });
  return say("value", { place, measure: spec.measure, value: `${shown} ${unit}`, band: bands[bandAt(bands, value)]?.title ?? "" });
}

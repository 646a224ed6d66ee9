import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";

import "../styles/pictures.css";
import { pictureWords as say } from "../words/pictures";
import { fileName, framed, pngOf, saveFile } from "./chart/download";
import { Legend } from "./chart/legend";
import { colourOf, seriesOf } from "./chart/options";
import { Picture, type Drawn } from "./chart/picture";
import { CHART_KINDS, drawable, readSpec, toCsv, type ChartKind, type ChartSpec, type LooseRow } from "./chart/spec";
import { PLAIN_LOOK } from "./chart/theme";
import { Twin } from "./chart/twin";

/** What a chart is drawn from: a ChartSpec as the server sends it; `data` replaces its rows. */
export interface ChartProps {
  readonly spec: unknown;
  readonly data?: readonly LooseRow[];
  readonly decal?: boolean;
}

type Ending = "png" | "svg" | "csv";

/** A chart with its title, its series as switches, its table twin and its downloads. */
export function Chart({ spec: given, data, decal = false }: ChartProps) {
  const spec = useMemo(() => readSpec(given, data), [given, data]);
  const kind = useSignal<ChartKind>(spec.kind);
  const hidden = useSignal<ReadonlySet<string>>(new Set());
  const engine = useMemo<Drawn>(() => ({ now: null, look: PLAIN_LOOK }), []);
  const drawn = useSignal<ChartKind>(firstDrawn(spec));
  const pick = (one: ChartKind): void => {
    kind.value = one;
    if (one !== "table") drawn.value = one;
  };
  const kinds = CHART_KINDS.filter((one) => drawable(spec, one));
  const names = useMemo(() => seriesOf(spec, kind.value), [spec, kind.value]);
  const problem = useSignal("");
  const save = (ending: Ending): void => {
    problem.value = "";
    fileOf(spec, ending, engine, names, hidden.value).then(
      (file) => saveFile(fileName(spec.title, ending), file),
      (thrown: unknown) => (problem.value = thrown instanceof Error ? thrown.message : String(thrown)),
    );
  };
  return (
    <figure class="chart">
      <figcaption class="chart-head">
        <span class="chart-title">{spec.title}</span>
        <Tools kind={kind.value} kinds={kinds} drawn={drawn.value} onKind={pick} onSave={save} />
      </figcaption>
      {problem.value && (
        <p class="chart-note" role="alert">
          {say("saveFailed", { why: problem.value })}
        </p>
      )}
      {kind.value === "table" ? (
        <Twin spec={spec} />
      ) : (
        <>
          {names.length > 1 && <Legend names={names} hidden={hidden.value} onChange={(next) => (hidden.value = next)} />}
          <Picture spec={spec} kind={kind.value} hidden={hidden.value} decal={decal} engine={engine} />
        </>
      )}
      {spec.note && <p class="chart-note">{spec.note}</p>}
    </figure>
  );
}

async function fileOf(
  spec: ChartSpec,
  ending: Ending,
  { now, look }: Drawn,
  all: readonly string[],
  hidden: ReadonlySet<string>,
): Promise<Blob> {
  if (ending === "csv") return new Blob([toCsv(spec)], { type: "text/csv" });
  const keys = all.map((name, at) => ({ name, colour: colourOf(look, at) })).filter((key) => !hidden.has(key.name));
  const svg = framed(now?.svg() ?? "", spec.title, keys, look);
  return ending === "png" ? pngOf(svg, look.ground) : new Blob([svg], { type: "image/svg+xml" });
}

/** Which kind a chart that comes as a table is drawn as. */
function firstDrawn(spec: ChartSpec): ChartKind {
  return spec.kind !== "table" ? spec.kind : (CHART_KINDS.find((one) => drawable(spec, one)) ?? "table");
}

interface ToolsProps {
  readonly kind: ChartKind;
  readonly kinds: readonly ChartKind[];
  readonly drawn: ChartKind;
  readonly onKind: (kind: ChartKind) => void;
  readonly onSave: (ending: Ending) => void;
}

function Tools({ kind, kinds, drawn, onKind, onSave }: ToolsProps) {
  const isTable = kind === "table";
  const endings = isTable ? (["csv"] as const) : (["png", "svg", "csv"] as const);
  return (
    <span class="chart-tools">
      {!isTable && kinds.length > 2 && (
        <select aria-label={say("kind")} value={kind} onChange={(change) => onKind(change.currentTarget.value as ChartKind)}>
          {kinds
            .filter((one) => one !== "table")
            .map((one) => (
              <option key={one} value={one}>
                {say(one)}
              </option>
            ))}
        </select>
      )}
      {kinds.length > 1 && (
        <button type="button" class="chart-button" aria-pressed={isTable} onClick={() => onKind(isTable ? drawn : "table")}>
          {say("asTable")}
        </button>
      )}
      <span class="chart-saves" role="group" aria-label={say("save")}>
        {endings.map((ending) => (
          <button
            key={ending}
            type="button"
            class="chart-button"
            title={`${say("save")} ${ending.toUpperCase()}`}
            onClick={() => onSave(ending)}
          >
            <span aria-hidden="true">↓ </span>
            {ending.toUpperCase()}
          </button>
        ))}
      </span>
    </span>
  );
}

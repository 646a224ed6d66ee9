import { shownNumber, shownTime } from "../app/language";
import { place, setQuery } from "../app/router";
import { consoleWords as say, type ConsoleWord } from "../words/console";
import { countsOf, deltasOf, NOISE, runsOf, type Delta, type RunView } from "./bench-model";
import { Block, DataTable, Nothing, PageHead, Tiles, headsOf } from "./frame";
import { Await, useLoaded } from "./loaded";

const WORDS: Readonly<Record<Delta["verdict"], ConsoleWord>> = {
  worse: "verdictWorse",
  better: "verdictBetter",
  same: "verdictSame",
  only_base: "verdictOnlyBase",
  only_new: "verdictOnlyNew",
};
const TONES: Readonly<Record<Delta["verdict"], string>> = { worse: "bad", better: "good", same: "", only_base: "warn", only_new: "busy" };

/** Two benchmark runs beside each other, what got worse first. */
export function Bench() {
  const loaded = useLoaded("/api/bench");
  return (
    <>
      <PageHead title={say("bench")} lead={say("benchLead")} />
      <Await what={loaded}>{(data) => <Runs runs={runsOf(data)} />}</Await>
    </>
  );
}

function Runs({ runs }: { readonly runs: readonly RunView[] }) {
  const { query } = place.value;
  const good = runs.filter((run) => !run.problem && run.figures.length > 0);
  const [newest, before] = good;
  if (!newest) return <Nothing>{say("noRuns")}</Nothing>;
  const other = good.find((run) => run.name === query.get("with")) ?? newest;
  const base = good.find((run) => run.name === query.get("base")) ?? before ?? newest;
  return (
    <>
      <div class="card console-pad console-runs">
        <RunPick label={say("baseRun")} runs={good} value={base.name} onPick={(name) => setQuery({ base: name })} />
        <button type="button" class="button quiet small" onClick={() => setQuery({ base: other.name, with: base.name })}>
          ⇄ {say("swap")}
        </button>
        <RunPick label={say("newRun")} runs={good} value={other.name} onPick={(name) => setQuery({ with: name })} />
      </div>
      {good.length === 1 && <p class="console-note">{say("oneRun")}</p>}
      {base.machine !== other.machine && <p class="banner">{say("otherMachine")}</p>}
      <Compared base={base} other={other} />
    </>
  );
}

function RunPick({
  label,
  runs,
  value,
  onPick,
}: {
  readonly label: string;
  readonly runs: readonly RunView[];
  readonly value: string;
  readonly onPick: (name: string) => void;
}) {
  const picked = runs.find((run) => run.name === value);
  return (
    <label class="field">
      <span class="field-label">{label}</span>
      <select value={value} onChange={(change) => onPick(change.currentTarget.value)}>
        {runs.map((run) => (
          <option key={run.name} value={run.name}>
            {run.at ? shownTime(run.at, { dateStyle: "medium", timeStyle: "short" }) : run.name} · {run.figures.length}
          </option>
        ))}
      </select>
      <span class="field-help">{picked?.machine}</span>
    </label>
  );
}

function Compared({ base, other }: { readonly base: RunView; readonly other: RunView }) {
  const deltas = deltasOf(base, other);
  const counts = countsOf(deltas);
  const heads = headsOf(["figure", "baseRun", "newRun", "change", "verdict", "target"], ["baseRun", "newRun", "change", "target"]);
  return (
    <>
      <Tiles
        tiles={[
          { name: say("verdictWorse"), value: String(counts.worse), ...(counts.worse ? { tone: "bad" as const } : {}) },
          { name: say("verdictBetter"), value: String(counts.better), ...(counts.better ? { tone: "good" as const } : {}) },
          { name: `${say("verdictSame")} (±${NOISE * 100}%)`, value: String(counts.same) },
          { name: say("missesTarget"), value: String(counts.missed), ...(counts.missed ? { tone: "warn" as const } : {}) },
        ]}
      />
      <Block title={say("figure")}>
        <DataTable caption={say("bench")} heads={heads}>
          {deltas.map((one) => (
            <DeltaRow key={one.key} one={one} />
          ))}
        </DataTable>
      </Block>
    </>
  );
}

function DeltaRow({ one }: { readonly one: Delta }) {
  return (
    <tr>
      <th scope="row" class="console-wrap">
        <span class="muted">{one.suite}</span> {one.name}
      </th>
      <td class="number">{figure(one.base, one.unit)}</td>
      <td class="number">{figure(one.value, one.unit)}</td>
      <td class={`number tone-${TONES[one.verdict] || "none"}`}>
        {one.change === null
          ? "–"
          : `${one.change > 0 ? "+" : one.change < 0 ? "−" : ""}${shownNumber(Math.abs(one.change) * 100, { maximumFractionDigits: 1 })}%`}
      </td>
      <td>
        <span class={`chip ${TONES[one.verdict]}`}>{say(WORDS[one.verdict])}</span>{" "}
        {!one.ok && <span class="chip warn">{say("missesTarget")}</span>}
      </td>
      <td class="number">{one.target === null ? "–" : `${one.more ? ">" : "<"} ${figure(one.target, one.unit)}`}</td>
    </tr>
  );
}

function figure(value: number | null, unit: string): string {
  return value === null ? "–" : `${shownNumber(value, { maximumSignificantDigits: 4 })} ${unit}`.trim();
}

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { errorOf, isAbort, send } from "../app/api";
import { shownNumber, shownTime } from "../app/language";
import { place, setQuery } from "../app/router";
import { SseReader } from "../app/stream";
import { object, text } from "../events/read";
import type { JsonObject } from "../generated/api";
import { planBenchWords as say } from "../words/plan-bench";
import { Block, DataTable, Nothing, PageHead, Tiles } from "./frame";
import { Await, Problem, useLoaded, type Loaded } from "./loaded";
import { benchOf, caseOf, casesOf, countStates, differencesOf, type BenchRunView, type BenchView, type CaseView, type State } from "./plan-bench-model";

const TONES: Readonly<Record<State | "missing", string>> = { right: "good", asked: "warn", wrong: "bad", failed: "bad", missing: "" };
const NUMBERS = ["repairs", "draft", "write", "tokens"] as const;

/** The plan bench: choose cases, run them, compare two runs. */
export function PlanBench() {
  const loaded = useLoaded("/api/plan-bench");
  return (
    <>
      <PageHead title={say("title")} lead={say("lead")} />
      {loaded.error?.code === "not_found" ? (
        <Nothing>{say("notLoaded")}</Nothing>
      ) : (
        <Await what={loaded}>{(data) => <Bench bench={benchOf(data)} again={loaded.again} />}</Await>
      )}
    </>
  );
}

interface Running {
  readonly total: number;
  readonly cases: readonly CaseView[];
}

function Bench({ bench, again }: { readonly bench: BenchView; readonly again: () => void }) {
  const running = useSignal<Running | null>(null);
  const busy = useSignal(false);
  const error = useSignal<Loaded["error"]>(null);
  const given = useRef<AbortController | null>(null);
  useEffect(() => () => given.current?.abort(), []);

  const run = (choice: Choice): void => {
    const stop = new AbortController();
    given.current = stop;
    running.value = { total: 0, cases: [] };
    [busy.value, error.value] = [true, null];
    runBench(choice, stop.signal, (made) => (running.value = made))
      .then(again)
      .catch((thrown: unknown) => {
        if (!isAbort(thrown) && !stop.signal.aborted) error.value = errorOf(thrown);
      })
      .finally(() => (busy.value = false));
  };
  const now = running.value;
  return (
    <>
      <Choose bench={bench} busy={busy.value} onRun={run} onStop={() => given.current?.abort()} />
      {error.value && <Problem error={error.value} />}
      {now && (
        <>
          <p class="console-note console-progress" role="status">
            {say("progress", { done: now.cases.length, total: now.total })} {!busy.value && now.cases.length < now.total && say("stopped")}
          </p>
          <Cases cases={now.cases} />
        </>
      )}
      <Saved runs={bench.runs} />
    </>
  );
}

interface Choice {
  readonly set: string;
  readonly host: string;
  readonly mode: string;
}

async function runBench(choice: Choice, signal: AbortSignal, onChange: (made: Running) => void): Promise<void> {
  const response = await send("POST", "/api/plan-bench", { body: choice, signal });
  const reader = response.body?.getReader();
  if (!reader) return;
  const [decoder, sse] = [new TextDecoder(), new SseReader()];
  let made: Running = { total: 0, cases: [] };
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const sent of sse.push(decoder.decode(value, { stream: true }))) {
      if (sent.data === "[DONE]") continue;
      made = withEvent(made, JSON.parse(sent.data) as JsonObject);
      onChange(made);
    }
  }
}

function withEvent(made: Running, event: JsonObject): Running {
  if (text(event["type"]) === "started") return { ...made, total: Number(event["total"]) };
  if (text(event["type"]) === "result") return { ...made, cases: [...made.cases, caseOf(object(event["result"]))] };
  return made;
}

function Choose({
  bench,
  busy,
  onRun,
  onStop,
}: {
  readonly bench: BenchView;
  readonly busy: boolean;
  readonly onRun: (choice: Choice) => void;
  readonly onStop: () => void;
}) {
  const set = useSignal("shipped");
  const host = useSignal("all");
  const mode = useSignal("builtin");
  const sets = bench.sets.map((one) => ({ value: one.id, text: `${named("set", one.id)} · ${one.count}` }));
  return (
    <div class="card console-pad console-choose">
      <Pick label={say("set")} value={set.value} options={sets} onPick={(value) => (set.value = value)} />
      <Pick label={say("host")} value={host.value} options={bench.hosts.map((one) => ({ value: one, text: named("host", one) }))} onPick={(value) => (host.value = value)} />
      <Pick label={say("mode")} value={mode.value} options={bench.modes.map((one) => ({ value: one, text: named("mode", one) }))} onPick={(value) => (mode.value = value)} />
      {busy ? (
        <button type="button" class="button" onClick={onStop}>
          {say("stop")}
        </button>
      ) : (
        <button type="button" class="button primary" onClick={() => onRun({ set: set.value, host: host.value, mode: mode.value })}>
          {say("run")}
        </button>
      )}
    </div>
  );
}

interface Option {
  readonly value: string;
  readonly text: string;
}

function Pick({ label, value, options, onPick }: { readonly label: string; readonly value: string; readonly options: readonly Option[]; readonly onPick: (value: string) => void }) {
  return (
    <label class="field">
      <span class="field-label">{label}</span>
      <select value={value} onChange={(change) => onPick(change.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </label>
  );
}

function Cases({ cases }: { readonly cases: readonly CaseView[] }) {
  const counts = countStates(cases);
  const explains = cases.some((one) => one.why);
  const heads = (["case", "request", "state", ...NUMBERS, ...(explains ? (["why"] as const) : [])] as const).map((word) => ({ text: say(word), number: NUMBERS.some((one) => one === word) }));
  return (
    <>
      <Tiles
        tiles={[
          { name: say("state_right"), value: String(counts.right), tone: "good" },
          { name: say("state_asked"), value: String(counts.asked), ...(counts.asked ? { tone: "warn" as const } : {}) },
          { name: say("state_wrong"), value: String(counts.wrong), ...(counts.wrong ? { tone: "bad" as const } : {}) },
          { name: say("state_failed"), value: String(counts.failed), ...(counts.failed ? { tone: "bad" as const } : {}) },
        ]}
      />
      <Block title={say("results")}>
        <DataTable caption={say("results")} heads={heads}>
          {cases.map((one) => (
            <tr key={one.id}>
              <th scope="row">{one.id}</th>
              <td class="console-wrap">{one.request}</td>
              <td>
                <Chip state={one.state} />
              </td>
              <td class="number">{one.repairs}</td>
              <td class="number">{milliseconds(one.draftMs)}</td>
              <td class="number">{milliseconds(one.writeMs)}</td>
              <td class="number">{one.tokens}</td>
              {explains && <td class="console-wrap">{one.why}</td>}
            </tr>
          ))}
        </DataTable>
      </Block>
    </>
  );
}

function Saved({ runs }: { readonly runs: readonly BenchRunView[] }) {
  const { query } = place.value;
  const [newest, before] = runs;
  if (!newest) return <Nothing>{say("noRuns")}</Nothing>;
  const other = runs.find((run) => run.name === query.get("with")) ?? newest;
  const base = runs.find((run) => run.name === query.get("base")) ?? before ?? newest;
  const options = runs.map((run) => ({ value: run.name, text: nameRun(run) }));
  return (
    <Block title={say("runs")}>
      <div class="card console-pad console-choose">
        <Pick label={say("base")} value={base.name} options={options} onPick={(name) => setQuery({ base: name })} />
        <Pick label={say("other")} value={other.name} options={options} onPick={(name) => setQuery({ with: name })} />
      </div>
      <Compared base={base.name} other={other.name} />
    </Block>
  );
}

function Compared({ base, other }: { readonly base: string; readonly other: string }) {
  const first = useLoaded(`/api/plan-bench/${encodeURIComponent(base)}`);
  const second = useLoaded(`/api/plan-bench/${encodeURIComponent(other)}`);
  const heads = (["case", "request", "base", "other"] as const).map((word) => ({ text: say(word) }));
  return (
    <Await what={first}>
      {(before) => (
        <Await what={second}>
          {(after) => {
            const found = differencesOf(casesOf(before), casesOf(after));
            if (found.length === 0) return <Nothing>{say("noDifference")}</Nothing>;
            return (
              <DataTable caption={say("compare")} heads={heads}>
                {found.map((one) => (
                  <tr key={one.id}>
                    <th scope="row">{one.id}</th>
                    <td class="console-wrap">{one.request}</td>
                    <td>
                      <Chip state={one.base} />
                    </td>
                    <td>
                      <Chip state={one.other} />
                    </td>
                  </tr>
                ))}
              </DataTable>
            );
          }}
        </Await>
      )}
    </Await>
  );
}

function Chip({ state }: { readonly state: State | "missing" }) {
  return <span class={`chip ${TONES[state]}`}>{state === "missing" ? say("missing") : say(`state_${state}`)}</span>;
}

function nameRun(run: BenchRunView): string {
  const at = run.at ? shownTime(run.at, { dateStyle: "medium", timeStyle: "medium" }) : run.name;
  return `${at} · ${named("set", run.set)} · ${named("host", run.host)} · ${named("mode", run.mode)} · ${run.right}/${run.total}`;
}

type Word = Parameters<typeof say>[0];

function named(kind: "set" | "host" | "mode", id: string): string {
  return say(`${kind}_${id}` as Word);
}

function milliseconds(value: number): string {
  return value > 0 ? `${shownNumber(value, { maximumFractionDigits: 0 })} ms` : "–";
}

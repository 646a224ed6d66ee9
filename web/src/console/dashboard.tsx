import { shownElapsed, shownNumber } from "../app/language";
import { place, setQuery } from "../app/router";
import type { StatsInfo, TurnStats } from "../generated/api";
import { sayFigures } from "../words/figures";
import { consoleWords as say } from "../words/console";
import { costBars, latencyBars, shownCost, shownShare, SPANS, statsAddress, stepLabel, tokenBars, turnBars, type Bar } from "./dashboard-model";
import { Block, Choice, DataTable, Nothing, PageHead, Tiles } from "./frame";
import { Await, useLoaded } from "./loaded";
import { SkillName } from "./skill-name";

const HEIGHT = 96;

/** Turns, errors, latency, tokens, cost and skills over time; every chart with the same figures in a table. */
export function Dashboard() {
  const asked = place.value.query.get("days") ?? "7";
  const span = SPANS.find((one) => one.value === asked) ?? SPANS[1];
  const loaded = useLoaded(statsAddress(span.value));
  return (
    <>
      <PageHead title={say("dashboard")} lead={say("dashboardLead")}>
        <Choice
          label={sayFigures("span")}
          options={SPANS.map((one) => ({ value: one.value, text: sayFigures(`days${one.value}`) }))}
          value={span.value}
          onPick={(value) => setQuery({ days: value === "7" ? null : value })}
        />
      </PageHead>
      <Await what={loaded}>{(data) => <Figures stats={data as unknown as StatsInfo} />}</Await>
    </>
  );
}

function Figures({ stats }: { readonly stats: StatsInfo }) {
  const { total } = stats;
  if (total.turns === 0) return <Nothing>{sayFigures("nothing")}</Nothing>;
  const tokens = total.input_tokens + total.output_tokens;
  const tiles = [
    { name: sayFigures("turns"), value: shownNumber(total.turns) },
    { name: sayFigures("failedShare"), value: shownShare(total.failed, total.turns), ...(total.failed ? { tone: "bad" as const } : {}) },
    { name: sayFigures("p50"), value: elapsed(total.p50_ms) },
    { name: sayFigures("p95"), value: elapsed(total.p95_ms) },
    { name: sayFigures("tokens"), value: shownNumber(tokens) },
    { name: sayFigures("cost"), value: shownCost(total.cost) },
  ];
  return (
    <>
      <Tiles tiles={tiles} />
      <div class="figure-grid">
        <BarChart title={sayFigures("turns")} note={sayFigures("turnsNote")} bars={turnBars(stats)} part="bad" />
        <BarChart title={sayFigures("latency")} note={sayFigures("latencyNote")} bars={latencyBars(stats)} part="accent" />
        {tokens > 0 && <BarChart title={sayFigures("tokens")} note={sayFigures("tokensNote")} bars={tokenBars(stats)} part="good" />}
        {total.cost !== null && <BarChart title={sayFigures("cost")} note={sayFigures("costNote")} bars={costBars(stats)} part="accent" />}
      </div>
      <Steps stats={stats} />
      <Skills stats={stats} />
      <Errors stats={stats} />
    </>
  );
}

interface BarChartProps {
  readonly title: string;
  readonly note: string;
  readonly bars: readonly Bar[];
  readonly part: "bad" | "good" | "accent";
}

/** Bars beside each other; the table below has the same figures, so the picture is hidden from screen readers. */
function BarChart({ title, note, bars, part }: BarChartProps) {
  const most = Math.max(1e-9, ...bars.map((bar) => Math.max(bar.value, bar.behind)));
  const high = (value: number): number => (value / most) * HEIGHT;
  const best = bars.reduce((one, other) => (Math.max(other.value, other.behind) > Math.max(one.value, one.behind) ? other : one));
  return (
    <figure class="card figure-card">
      <figcaption>
        <strong>{title}</strong> <span class="muted small">{note}</span>
      </figcaption>
      <p class="figure-most muted small">
        {sayFigures("most")} {best.text}
      </p>
      <svg viewBox={`0 0 ${bars.length * 10} ${HEIGHT}`} preserveAspectRatio="none" height={HEIGHT} aria-hidden="true">
        {bars.map((bar, at) => (
          <g key={bar.label + at}>
            <title>{`${bar.label}: ${bar.text}`}</title>
            <rect class="hit" x={at * 10} y={0} width={10} height={HEIGHT} />
            {bar.behind > 0 && <rect class="behind" x={at * 10 + 1.5} y={HEIGHT - high(bar.behind)} width={7} height={high(bar.behind)} />}
            <rect class="bar" x={at * 10 + 1.5} y={HEIGHT - high(bar.value)} width={7} height={high(bar.value)} />
            {bar.part > 0 && <rect class={`part ${part}`} x={at * 10 + 1.5} y={HEIGHT - high(bar.part)} width={7} height={high(bar.part)} />}
          </g>
        ))}
      </svg>
      <p class="figure-ends muted small">
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </p>
    </figure>
  );
}

const HEADS = ["turns", "failed", "p50", "p95", "calls", "tokens", "cost"] as const;

function Cells({ one }: { readonly one: TurnStats }) {
  const values = [shownNumber(one.turns), shownNumber(one.failed), elapsed(one.p50_ms), elapsed(one.p95_ms), shownNumber(one.model_calls), shownNumber(one.input_tokens + one.output_tokens), shownCost(one.cost)];
  return (
    <>
      {values.map((value, at) => (
        <td key={HEADS[at]} class="number">
          {value}
        </td>
      ))}
    </>
  );
}

function headsWith(first: string): { text: string; number?: boolean }[] {
  return [{ text: first }, ...HEADS.map((word) => ({ text: sayFigures(word), number: true }))];
}

function Steps({ stats }: { readonly stats: StatsInfo }) {
  const shown = stats.steps.filter((one) => one.turns > 0).reverse();
  const title = sayFigures(stats.step === "hour" ? "byHour" : "byDay");
  return (
    <Block title={title}>
      <DataTable caption={title} heads={headsWith(sayFigures(stats.step))}>
        {shown.map((one) => (
          <tr key={one.at}>
            <th scope="row">{stepLabel(one.at, stats.step)}</th>
            <Cells one={one} />
          </tr>
        ))}
      </DataTable>
    </Block>
  );
}

function Skills({ stats }: { readonly stats: StatsInfo }) {
  return (
    <Block title={sayFigures("bySkill")}>
      <DataTable caption={sayFigures("bySkill")} heads={headsWith(say("skill"))}>
        {stats.skills.map((one) => (
          <tr key={one.skill ?? ""}>
            <th scope="row">{one.skill ? <SkillName id={one.skill} link /> : sayFigures("noSkill")}</th>
            <Cells one={one} />
          </tr>
        ))}
      </DataTable>
    </Block>
  );
}

function Errors({ stats }: { readonly stats: StatsInfo }) {
  if (stats.errors.length === 0) return null;
  return (
    <Block title={sayFigures("byError")}>
      <DataTable caption={sayFigures("byError")} heads={[{ text: sayFigures("code") }, { text: sayFigures("failed"), number: true }]}>
        {stats.errors.map((one) => (
          <tr key={one.code ?? ""}>
            <th scope="row">
              <code>{one.code ?? "–"}</code>
            </th>
            <td class="number">{shownNumber(one.count)}</td>
          </tr>
        ))}
      </DataTable>
    </Block>
  );
}

function elapsed(ms: number | null): string {
  return ms === null ? "–" : shownElapsed(ms);
}

import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";

import "../styles/pictures.css";
import "../styles/flow.css";
import { shownNumber } from "../app/language";
import type { FlowItem, FlowRound } from "../events/state";
import type { FlowNode, Json, JsonObject } from "../generated/api";
import { flowWords as say } from "../words/flow";
import { lineOf } from "./flow/lines";
import { fitted, layOut, pathOf, type Layout } from "./graph/layout";

const [WIDE, HIGH, BAR] = [168, 84, 20];

/** The graph of a deep run as it grows: rounds with goals and judgements, cards with thumbnails, values on a click. */
export function FlowView({ item }: { readonly item: FlowItem }) {
  const round = useSignal(0);
  const chosen = useSignal("");
  const nodes = useMemo(() => (round.value ? item.nodes.filter((one) => one.round === round.value) : item.nodes), [item.nodes, round.value]);
  const kept = new Set(item.rounds.flatMap((one) => one.keep.map((each) => each.node)));
  const open = item.nodes.find((one) => one.node === chosen.value);
  const failed = item.nodes.filter((one) => one.state === "failed").length;
  return (
    <figure class="chart flow">
      <figcaption class="chart-head">
        <span class="chart-title">{say("title")}</span>
        <span class="muted small">{say("counts", { nodes: item.nodes.length, failed })}</span>
      </figcaption>
      <ol class="flow-rounds">
        {item.rounds.map((one) => (
          <Round key={one.round} round={one} />
        ))}
      </ol>
      {item.rounds.length > 1 && (
        <span class="flow-switch" role="group" aria-label={say("title")}>
          {[0, ...item.rounds.map((one) => one.round)].map((one) => (
            <button key={one} type="button" class="chart-button" aria-pressed={round.value === one} onClick={() => (round.value = one)}>
              {one ? say("round", { round: one }) : say("all")}
            </button>
          ))}
        </span>
      )}
      <Drawing nodes={nodes} kept={kept} chosen={chosen.value} onChoose={(id) => (chosen.value = chosen.value === id ? "" : id)} />
      {open ? <Details node={open} onClose={() => (chosen.value = "")} /> : <p class="chart-note">{say("help")}</p>}
    </figure>
  );
}

function Round({ round }: { readonly round: FlowRound }) {
  const findings = round.findings.filter((one) => one !== round.reason);
  const tone = round.decision === "report" ? "good" : round.decision === "halt" ? "bad" : "warn";
  return (
    <li>
      <strong>{say("round", { round: round.round })}</strong>
      <ul>
        {round.goals.map((goal) => (
          <li key={goal.dag}>
            <code>{goal.dag}</code> {goal.text}
          </li>
        ))}
      </ul>
      {round.decision && (
        <p>
          <span class={`chip ${tone}`}>{say(round.decision)}</span> {round.reason}
        </p>
      )}
      {findings.length > 0 && (
        <p class="muted small">
          {say("findings")}: {findings.join("; ")}
        </p>
      )}
      {round.keep.length > 0 && (
        <p class="muted small">
          {say("kept")}: {round.keep.map((one) => (one.why === round.reason ? one.node : `${one.node} (${one.why})`)).join(", ")}
        </p>
      )}
    </li>
  );
}

interface DrawingProps {
  readonly nodes: readonly FlowNode[];
  readonly kept: ReadonlySet<string>;
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

function Drawing({ nodes, kept, chosen, onChoose }: DrawingProps) {
  const [layout, setLayout] = useState<Layout | null>(null);
  useEffect(() => {
    let current = true;
    const ids = new Set(nodes.map((one) => one.node));
    const sized = nodes.map((one) => ({ id: one.node, label: one.title, width: WIDE, height: HIGH }));
    const edges = nodes.flatMap((one) => one.inputs.filter((name) => ids.has(name)).map((from) => ({ from, to: one.node })));
    void layOut({ nodes: sized, edges }, "LR").then((made) => current && setLayout(made));
    return () => {
      current = false;
    };
  }, [nodes]);
  if (!layout) return null;
  const known = new Map(nodes.map((one) => [one.node, one]));
  return (
    <div class="flow-scroll">
      <svg class="flow-drawing" width={layout.width} height={layout.height} viewBox={`0 0 ${layout.width} ${layout.height}`} role="group" aria-label={say("title")}>
        {layout.edges.map((edge) => (
          <path key={`${edge.from}-${edge.to}`} class="flow-edge" d={pathOf(edge.points)} />
        ))}
        {layout.nodes.map((place) => {
          const node = known.get(place.id);
          return (
            node && (
              <g key={node.node} transform={`translate(${place.x - WIDE / 2} ${place.y - HIGH / 2})`}>
                <NodeCard node={node} kept={kept.has(node.node)} chosen={chosen === node.node} onChoose={onChoose} />
              </g>
            )
          );
        })}
      </svg>
    </div>
  );
}

interface CardProps {
  readonly node: FlowNode;
  readonly kept: boolean;
  readonly chosen: boolean;
  readonly onChoose: (id: string) => void;
}

function NodeCard({ node, kept, chosen, onChoose }: CardProps) {
  const choose = (): void => onChoose(node.node);
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose();
  };
  const names = `flow-card ${node.category} ${node.state} ${kept ? "kept" : ""} ${chosen ? "chosen" : ""}`;
  return (
    <g class={names} role="button" tabIndex={0} aria-pressed={chosen} aria-label={`${node.node} ${node.title}`} data-node={node.node} onClick={choose} onKeyDown={pressed}>
      <rect class="flow-box" width={WIDE} height={HIGH} rx="6" />
      <path class="flow-bar" d={`M0 ${BAR}V6a6 6 0 0 1 6-6h${WIDE - 12}a6 6 0 0 1 6 6v${BAR - 6}z`} />
      <text class="flow-name" x="8" y="14">
        {fitted(`${node.node} ${node.title}`, WIDE - 16)}
      </text>
      <path class="flow-line" d={lineOf(node.points, WIDE, HIGH - BAR - 18)} transform={`translate(0 ${BAR})`} />
      <text class="flow-result" x="8" y={HIGH - 7}>
        {fitted(node.line ?? "", WIDE - 16)}
      </text>
    </g>
  );
}

function Details({ node, onClose }: { readonly node: FlowNode; readonly onClose: () => void }) {
  const [wide, high] = [520, 150];
  const line = lineOf(node.points, wide, high, 8);
  const axis = node.axis_unit ? ` ${node.axis_unit}` : "";
  return (
    <section class="flow-details" aria-live="polite">
      <p class="chart-head">
        <strong>
          {node.node} · {node.title}
        </strong>
        <button type="button" class="chart-button" onClick={onClose}>
          {say("close")}
        </button>
      </p>
      <p class="muted small">
        {node.inputs.length ? say("made", { names: node.inputs.join(", ") }) : say("input")}
        {node.shape.length > 0 && node.category !== "decision" && ` · ${say("shape")}: ${node.shape.join(" × ")}`}
        {node.cached && ` · ${say("cached")}`}
      </p>
      {node.state === "failed" && <p class="chip bad">{node.error}</p>}
      {line && (
        <svg class="flow-plot" viewBox={`0 0 ${wide} ${high + 18}`} role="img" aria-label={say("plot", { title: node.title })}>
          <path class={`flow-line ${node.category}`} d={line} />
          {node.axis_end > node.axis_start && (
            <>
              <text x="8" y={high + 13}>{`${numberWords(node.axis_start)}${axis}`}</text>
              <text x={wide - 8} y={high + 13} text-anchor="end">{`${numberWords(node.axis_end)}${axis}`}</text>
            </>
          )}
        </svg>
      )}
      {node.state === "done" && node.line && <p>{node.line}</p>}
      <Figures node={node} />
      <details class="flow-raw small">
        <summary>{say("raw")}</summary>
        <Raw title={say("params")} data={node.params} />
        <Raw title={say("notes")} data={{ ...node.notes, kind: node.kind, unit: node.unit }} />
      </details>
    </section>
  );
}

const FIGURES = ["rms", "min", "max", "mean", "peak_at", "value"] as const;

/** Key values by their names, each with its unit. */
function Figures({ node }: { readonly node: FlowNode }) {
  const rows = FIGURES.flatMap((name) => {
    const value = name === "value" && node.category === "decision" ? null : node.key_values[name];
    return typeof value === "number" ? [{ name, value, unit: name === "peak_at" ? node.axis_unit : node.unit }] : [];
  });
  const listed = node.key_values.values;
  const several = Array.isArray(listed) ? listed.filter((one) => typeof one === "number").map(numberWords) : [];
  if (!rows.length && !several.length) return null;
  return (
    <dl class="flow-values">
      {several.length > 0 && (
        <dd>
          {say("value")}: <span class="number">{several.join(", ")}</span>
        </dd>
      )}
      {rows.map(({ name, value, unit }) => (
        <dd key={name}>
          {say(name)}: <span class="number">{`${numberWords(value)}${unit && unit !== "?" ? ` ${unit}` : ""}`}</span>
        </dd>
      ))}
    </dl>
  );
}

function Raw({ title, data }: { readonly title: string; readonly data: JsonObject }) {
  const rows = Object.entries(data);
  if (!rows.length) return null;
  return (
    <dl class="flow-values">
      <dt>{title}</dt>
      {rows.map(([name, value]) => (
        <dd key={name}>
          {name}: <span class="number">{shortOf(value)}</span>
        </dd>
      ))}
    </dl>
  );
}

function shortOf(value: Json): string {
  if (typeof value === "number") return numberWords(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}

function numberWords(value: number): string {
  const size = Math.abs(value);
  const notation = size > 0 && (size < 1e-3 || size >= 1e6) ? "scientific" : "standard";
  return shownNumber(value, { maximumSignificantDigits: 4, notation });
}

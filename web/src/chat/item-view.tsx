import { failureLine } from "../app/failures";
import { later } from "../app/later";
import { conversation } from "./session";
import { text } from "../events/read";
import type { FlowItem, Item, Turn } from "../events/state";
import type { MapSpec } from "../generated/api";
import { DataTable } from "../parts/data-table";
import { Icon } from "../parts/icon";
import { Formatted } from "../parts/formatted";
import { sayChat } from "../words/chat";
import { showCitation } from "./citation";
import type { MediaProps } from "./media";
import { PauseCard } from "./pause-card";
import { Reasoning } from "./reasoning";
import { SkillLine } from "./skill-line";
import { Violation } from "./violation";

/** Charts are a chunk of their own: it comes with the first chart. */
const Chart = later<{ spec: unknown }>(() => import("../parts/chart").then((room) => room.Chart));

/** Maps are a chunk of their own too. */
const MapView = later<{ spec: MapSpec }>(() => import("../parts/map").then((room) => room.MapView));

/** Pictures and files come with the first one. */
const Media = later<MediaProps>(() => import("./media").then((room) => room.Media));

/** Graphs of deep runs come with the first one. */
const FlowView = later<{ item: FlowItem }>(() => import("../parts/flow").then((room) => room.FlowView));

/** One thing of a turn, as it looks. */
export function ItemView({ item, turn }: { item: Exclude<Item, { type: "tool" }>; turn: Turn }) {
  switch (item.type) {
    case "text":
      return <Formatted text={item.text} done={item.done} onCite={(cite) => showCitation(cite, conversation.value)} />;
    case "reasoning":
      return <Reasoning item={item} />;
    case "said":
      return <div class="said answer-said">{item.text}</div>;
    case "skill":
      return <SkillLine item={item} />;
    case "violation":
      return <Violation item={item} />;
    case "exception":
      return <ExceptionLine item={item} />;
    case "table":
      return <DataTable title={item.title} columns={item.columns} rows={item.rows} total={item.total} more={item.more} />;
    case "chart":
      return (
        <div class="card chart-card">
          <Chart spec={item.spec} />
        </div>
      );
    case "map":
      return (
        <div class="card chart-card">
          <MapView spec={item.spec} />
        </div>
      );
    case "media":
      return <Media kind={item.kind} data={item.data} />;
    case "pause":
      return <PauseCard item={item} turn={turn} />;
    case "milestone":
      return <MilestoneLine item={item} />;
    case "notice":
      return <Notice item={item} />;
    case "flow":
      return (
        <div class="card chart-card">
          <FlowView item={item} />
        </div>
      );
  }
}

function ExceptionLine({ item }: { item: Extract<Item, { type: "exception" }> }) {
  const tone = item.state === "granted" ? "good" : item.state === "asked" ? "warn" : "bad";
  const state = item.state === "granted" ? sayChat("exceptionGranted") : item.state === "asked" ? sayChat("exceptionAsked") : sayChat("exceptionDenied");
  return (
    <p class="line">
      <span class={`chip ${tone}`}>
        <Icon name="shield" size={14} /> {state}
      </span>{" "}
      <code>{item.tool}</code> <span class="muted">{[item.reason, item.note].filter(Boolean).join(" · ")}</span>
    </p>
  );
}

function MilestoneLine({ item }: { item: Extract<Item, { type: "milestone" }> }) {
  return (
    <p class="line">
      <span class={`chip ${item.passed ? "good" : "warn"}`}>
        <Icon name="flag" size={14} /> {sayChat(item.passed ? "milestonePassed" : "milestoneFailed")}
      </span>{" "}
      {item.name} <span class="muted">{[item.reason, item.suggestion].filter(Boolean).join(" · ")}</span>
    </p>
  );
}

const KNOWN = { interrupted: "noticeInterrupted", limit_reached: "noticeLimit", no_answer: "noticeNoAnswer" } as const;

function Notice({ item }: { item: Extract<Item, { type: "notice" }> }) {
  if (item.code === "stopped" || (item.code === "interrupted" && !item.message)) return <p class="line muted">{sayChat("stopped")}</p>;
  const line = item.code in KNOWN ? null : failureLine(item.code, item.message);
  const words = item.code in KNOWN ? sayChat(KNOWN[item.code as keyof typeof KNOWN]) : line || text(item.data["message"]) || item.message || item.code;
  return (
    <p class="banner" title={item.message}>
      <Icon name="hand" size={16} /> {words} {line === null ? item.hint : ""}
    </p>
  );
}

/** Anything that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  [key: string]: Json;
}

/** Every kind of event that the server stores and sends. */
export type EventKind =
  | "turn.started"
  | "turn.done"
  | "turn.failed"
  | "skill.routed"
  | "skill.activated"
  | "skill.left"
  | "context.built"
  | "plan.created"
  | "step.started"
  | "step.done"
  | "milestone.passed"
  | "milestone.failed"
  | "tool.called"
  | "tool.progress"
  | "tool.result"
  | "tool.violation"
  | "exception.requested"
  | "exception.decided"
  | "table"
  | "chart"
  | "image"
  | "file"
  | "todos"
  | "pause.opened"
  | "pause.answered"
  | "text.delta"
  | "text.done"
  | "suggestions"
  | "usage"
  | "reflect"
  | "report"
  | "error";

/** One stored step of a conversation, as every door of the server sends it. */
export interface StoredEvent {
  conversation: string;
  turn: string | null;
  seq: number;
  at: string;
  kind: EventKind;
  data: JsonObject;
  /** Pieces of text that came as one: the number of the first; `seq` is that of the last. */
  first_seq?: number;
}

/** A column of a table or a chart. */
export interface Column {
  key: string;
  title: string;
  type: "text" | "number" | "boolean" | "time" | "json";
  unit: string;
}

/** The kinds of chart that a spec can name. */
export type ChartKind = "grouped_bar" | "line" | "stacked_bar" | "scatter" | "heatmap" | "table";

/** A chart as the server checked it: rows as lists in the order of the columns, and which column goes where. */
export interface ChartSpec {
  kind: ChartKind;
  title: string;
  columns: Column[];
  rows: Json[][];
  x: string;
  y: string[];
  group: string;
}

/** A sentence of the router: a code and its values, and the words that the server found for them. */
export interface Said {
  readonly code: string;
  readonly values: JsonObject;
  readonly text: string;
}

/** Why a skill was chosen, as the router told it. */
export interface Routing {
  verdict: string;
  route: string;
  skill: string | null;
  candidates: { skill: string; score: number; trigger_hits: string[] }[];
  notes: Said[];
  elapsed_ms: number;
}

/** The skill that a conversation works with, and what is known of the choice. */
export interface ActiveSkill {
  id: string;
  title: string;
  why: string;
  digest: string;
  routing: Routing | null;
}

/** How far a step of a plan is. */
export type StepState = "waiting" | "running" | "done" | "failed" | "skipped" | "needs_you";

/** One step of the plan at work. */
export interface PlanStep {
  id: string;
  title: string;
  state: StepState;
  started: string | null;
  ended: string | null;
  why: string;
  retries: number;
}

/** A check that the plan makes on its way. */
export interface Milestone {
  name: string;
  after: string;
  state: "waiting" | "passed" | "failed";
  reason: string;
}

/** The plan of the conversation as it stands. */
export interface Plan {
  goal: string;
  skill: string;
  turn: string;
  started: string;
  steps: PlanStep[];
  milestones: Milestone[];
}

/** One thing to do. */
export interface Todo {
  content: string;
  status: "pending" | "in_progress" | "completed" | "skipped" | "failed";
}

/** A button that answers a question. */
export interface Choice {
  text: string;
  value: Json;
  description: string;
}

/** A tool call that waits for a person. */
export interface HeldCall {
  id: string;
  name: string;
  args: JsonObject;
}

/** A field of a form, as the server words it for the reader. */
export interface FormField {
  name: string;
  title: string;
  description: string;
  widget: string;
  missing: boolean;
  options?: { value: Json; label: string }[];
  placeholder?: string;
  unit?: string;
  section?: string;
}

/** A question to a person: approval, form, exception or plain question; `schema` says what an answer looks like. */
export interface Pause {
  id: string;
  kind: string;
  purpose: string;
  schema: JsonObject;
  expires: string | null;
  text: string;
  step: string;
  title: string;
  tool: string;
  reason: string;
  choices: Choice[];
  calls: HeldCall[];
  known: JsonObject;
  missing: string[];
  fields: FormField[];
  show: Json;
}

/** A sentence to say next, and what is sent for it. */
export interface Suggestion {
  text: string;
  value: string;
}

/** What is shown of a turn, in the order in which it came. */
export type Item =
  | { type: "text"; key: string; text: string; done: boolean }
  | { type: "said"; key: string; text: string }
  | { type: "skill"; key: string; change: "activated" | "left"; id: string; title: string; why: string; routing: Routing | null }
  | ToolItem
  | { type: "violation"; key: string; tool: string; code: string; layer: string; source: string; reason: string; allowed: string[] }
  | { type: "exception"; key: string; tool: string; reason: string; state: string; by: string; note: string }
  | TableItem
  | { type: "chart"; key: string; spec: ChartSpec }
  | { type: "media"; key: string; kind: "image" | "file"; data: JsonObject }
  | { type: "pause"; key: string; pause: Pause; open: boolean; cancelled: boolean; answer: Json }
  | { type: "milestone"; key: string; name: string; passed: boolean; reason: string; suggestion: string }
  | { type: "notice"; key: string; code: string; message: string; hint: string; data: JsonObject }
  | { type: "document"; key: string; kind: "reflect" | "report"; data: JsonObject };

/** A tool call on its card. */
export interface ToolItem {
  type: "tool";
  key: string;
  call: string;
  tool: string;
  parent: string;
  step: string;
  arguments: JsonObject;
  state: "running" | "done" | "failed" | "refused";
  data: Json | undefined;
  content: string;
  error: { code: string; message: string; hint: string } | null;
  elapsed_ms: number | null;
  progress: { share: number; text: string } | null;
}

/** A table; a large one arrives in several events. */
export interface TableItem {
  type: "table";
  key: string;
  title: string;
  columns: Column[];
  rows: Json[][];
  total: number;
  more: boolean;
}

/** How a turn stands. */
export type TurnState = "running" | "paused" | "done" | "failed" | "interrupted";

/** One message of the user and all that came of it. */
export interface Turn {
  id: string;
  message: string;
  started: string;
  ended: string | null;
  state: TurnState;
  items: Item[];
  routing: Routing | null;
  suggestions: Suggestion[];
  many: boolean;
  usage: JsonObject | null;
  failure: { code: string; message: string; hint: string } | null;
}

/** What a conversation looks like: nothing but its events, reduced. */
export interface Conversation {
  id: string;
  seq: number;
  turns: Turn[];
  skill: ActiveSkill | null;
  plan: Plan | null;
  todos: Todo[];
}

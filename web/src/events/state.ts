import type { Column, Detail, FactSaved, FlowNode, FormField, Json, JsonObject, MapSpec, Suggestion, TaskInfo, Todo, WaitingCall } from "../generated/api";

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
  candidates: { skill: string; score: number; why: Json[] }[];
  notes: Said[];
  types: string[];
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
export type StepState = "waiting" | "running" | "done" | "failed" | "skipped" | "needs_you" | "stopped";

/** One step of the plan at work. */
export interface PlanStep {
  id: string;
  title: string;
  state: StepState;
  started: string | null;
  ended: string | null;
  why: string;
  retries: number;
  /** Whether it runs only if something turns out so. */
  conditional?: boolean;
  /** The question that the step waits for, and since when. */
  pause?: string;
  asked?: string;
  /** How long it waited for a person. */
  waited_ms?: number;
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
  waited_ms?: number;
  steps: PlanStep[];
  milestones: Milestone[];
}

/** A button that answers a question. */
export interface Choice {
  text: string;
  value: Json;
  description: string;
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
  calls: WaitingCall[];
  known: JsonObject;
  missing: string[];
  fields: FormField[];
  show: Json;
  /** Rows that a plain yes approves, where words chose some; null: all. */
  chosen: string[] | null;
  /** Words beside it were not understood: what a plain yes means has to be looked at. */
  inDoubt: boolean;
  /** What the question stands for, as it is on the screen: sent back with the decision. */
  shown: string;
}

/** What is shown of a turn, in the order in which it came. */
export type Item =
  | { type: "text"; key: string; text: string; done: boolean; reminder?: string }
  | ReasoningItem
  | { type: "said"; key: string; text: string }
  | { type: "skill"; key: string; change: "activated" | "left"; id: string; title: string; why: string; together: string[]; routing: Routing | null }
  | ToolItem
  | { type: "violation"; key: string; tool: string; code: string; layer: string; source: string; reason: string; allowed: string[] }
  | { type: "exception"; key: string; tool: string; reason: string; state: string; by: string; note: string }
  | TableItem
  | { type: "chart"; key: string; spec: unknown }
  | { type: "map"; key: string; spec: MapSpec }
  | { type: "media"; key: string; kind: "image" | "file"; data: JsonObject }
  | { type: "pause"; key: string; pause: Pause; open: boolean; cancelled: boolean; answer: Json }
  | { type: "milestone"; key: string; name: string; passed: boolean; reason: string; suggestion: string }
  | { type: "notice"; key: string; code: string; message: string; hint: string; data: JsonObject }
  | FlowItem;

/** A deep run: its rounds and the nodes of its graph so far. */
export interface FlowItem {
  type: "flow";
  key: string;
  rounds: FlowRound[];
  nodes: FlowNode[];
}

/** A round of a deep run: goals, and the judgement once there is one. */
export interface FlowRound {
  round: number;
  goals: { dag: string; text: string }[];
  decision: "" | "report" | "patch" | "replan" | "halt";
  reason: string;
  keep: { node: string; why: string }[];
  findings: string[];
}

/** What the model thought before it answered or called a tool. */
export interface ReasoningItem {
  type: "reasoning";
  key: string;
  text: string;
  done: boolean;
  elapsed_ms: number | null;
}

/** A tool call on its card. */
export interface ToolItem {
  type: "tool";
  key: string;
  call: string;
  tool: string;
  parent: string;
  step: string;
  /** Its name for people. */
  title: string;
  /** Its arguments in words; null when the tool has none for people. */
  details: Detail[] | null;
  arguments: JsonObject;
  state: "running" | "done" | "failed" | "refused" | "stopped";
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
  /** Tells parts of a turn apart: what follows an answer that came after later messages is a part of its own. */
  key: string;
  message: string;
  started: string;
  ended: string | null;
  /** How long it waited for answers of a person. */
  waited_ms: number;
  state: TurnState;
  items: Item[];
  routing: Routing | null;
  suggestions: Suggestion[];
  /** Several things that the message asks for; empty if it asks for one. */
  tasks: TaskInfo[];
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
  facts: FactSaved[];
  /** Number of the last event about attached files. */
  filesSeq: number;
}

import { skillDescription, skillTitle, spoken } from "../app/bilingual";
import { language } from "../app/language";
import { list, number, object, text, texts } from "../events/read";
import type { Json, JsonObject } from "../generated/api";
import type { GraphEdge, GraphNode } from "../parts/graph";

/** Something the reader or the linter noticed. */
export interface Finding {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly hint: string;
  /** The finding's own words, where `message` is in another language. */
  readonly detail: string;
  /** File and line, as short as they tell the skill; `path` is all of it. */
  readonly where: string;
  readonly path: string;
}

/** A skill in the list. */
export interface SkillView {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly digest: string;
  readonly layout: string;
  readonly trusted: boolean | null;
  readonly enabled: boolean;
  readonly priority: number;
  /** Tools that it declares or lists as allowed. */
  readonly tools: readonly string[];
  readonly anyTool: boolean;
  readonly triggers: readonly string[];
  readonly findings: readonly Finding[];
  readonly used: number;
  readonly failed: number;
  readonly lastUsed: string;
}

/** The skills of the catalog, each with what was found in it. */
export function skillsOf(data: JsonObject): SkillView[] {
  const all = list(data["diagnostics"]).map(object);
  return list(data["skills"])
    .map(object)
    .map((one) => {
      const id = text(one["id"]);
      return skillOf(one, all.filter((found) => text(found["skill"]) === id).map(findingOf));
    });
}

/** What was found outside of any skill that is loaded: refused files, mostly. */
export function strayFindings(data: JsonObject): Finding[] {
  const known = new Set(
    list(data["skills"])
      .map(object)
      .map((one) => text(one["id"])),
  );
  return list(data["diagnostics"])
    .map(object)
    .filter((one) => !known.has(text(one["skill"])))
    .map(findingOf)
    .filter((one, at, all) => all.findIndex((other) => other.code === one.code && other.path === one.path) === at);
}

/** One skill from its JSON. */
export function skillOf(one: JsonObject, findings: readonly Finding[]): SkillView {
  const usage = object(one["usage"]);
  const source = object(one["source"]);
  const trusted = one["trusted"] ?? source["trusted"];
  return {
    id: text(one["id"]),
    title: skillTitle(one),
    description: skillDescription(one),
    version: text(one["version"]),
    digest: text(one["digest"]),
    layout: text(one["layout"]) || text(source["layout"]),
    trusted: typeof trusted === "boolean" ? trusted : null,
    enabled: one["enabled"] !== false,
    priority: number(one["priority"]),
    tools: [...new Set([...toolNames(one["tools"]), ...texts(one["allowed_tools"])])],
    anyTool: one["allowed_tools"] === null,
    triggers: texts(one["triggers"]),
    findings,
    used: number(usage["activated"]),
    failed: number(usage["failed"]),
    lastUsed: text(usage["last_at"]),
  };
}

/** A finding from its JSON. */
export function findingOf(one: JsonObject): Finding {
  const line = typeof one["line"] === "number" ? `:${one["line"]}` : "";
  const own = text(one["message"]);
  const message = text(object(one["texts"])[language.value]) || own;
  return {
    code: text(one["code"]),
    severity: text(one["severity"]),
    message,
    hint: message === own ? text(one["hint"]) : "",
    detail: message === own ? "" : [own, text(one["hint"])].filter(Boolean).join("; "),
    where: text(one["path"]).split(/[\\/]/).slice(-2).join("/") + line,
    path: text(one["path"]) + line,
  };
}

/** Names of tools, whether listed by name or described. */
export function toolNames(value: Json | undefined): string[] {
  return list(value)
    .map((one) => (typeof one === "string" ? one : text(object(one)["name"])))
    .filter(Boolean);
}

/** The worst that was found, for a colour. */
export function worst(findings: readonly Finding[]): "bad" | "warn" | "" {
  if (findings.some((one) => one.severity === "error")) return "bad";
  return findings.some((one) => one.severity === "warning") ? "warn" : "";
}

/** Whether a skill has all of the words that are searched for. */
export function matches(skill: SkillView, typed: string): boolean {
  const inside = [skill.id, skill.title, skill.description, ...skill.triggers, ...skill.tools].join(" ").toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => inside.includes(word));
}

/** The steps of a skill as a graph: steps in order, conditions on the way, milestones behind their step. */
export function sopGraph(skill: JsonObject): { nodes: GraphNode[]; edges: GraphEdge[] } {
  const nodes: GraphNode[] = [];
  const edges: GraphEdge[] = [];
  const steps = list(skill["sop"]).map(object);
  const milestones = list(skill["milestones"]).map(object);
  let before = "";
  steps.forEach((step, at) => {
    const id = text(step["id"]) || `step-${at + 1}`;
    nodes.push({ id, label: spoken(step["title"]) || id, detail: stepDetail(step), state: spoken(step["ask"]) ? "asking" : "plain" });
    const when = text(step["when"]);
    if (before) edges.push({ from: before, to: id, ...(when ? { label: when.slice(0, 28), dashed: true } : {}) });
    for (const need of texts(step["needs"])) if (need !== before) edges.push({ from: need, to: id, dashed: true });
    before = id;
    for (const [index, one] of milestones.entries()) {
      if (text(one["after"]) !== id) continue;
      const mark = `milestone:${spoken(one["name"]) || index}`;
      nodes.push({ id: mark, label: `⚑ ${spoken(one["name"])}`, detail: text(object(one["check"])["kind"]) });
      edges.push({ from: before, to: mark });
      before = mark;
    }
  });
  return { nodes, edges };
}

function stepDetail(step: JsonObject): string {
  const [call, ask] = [text(step["call"]), spoken(step["ask"])];
  return call ? `→ ${call}` : ask;
}

/** Words that a skill may have written in both languages. */

import { effect, signal } from "@preact/signals";
import { get } from "../app/api";
import { problemText } from "../app/problem";
import { skillDescription, skillTitle, spoken } from "../app/bilingual";
import { language } from "../app/language";
import { list, object, text, texts } from "../events/read";
import type { Json, JsonObject, PackList, SkillDetail, SkillList, ToolList } from "../generated/api";

/** A skill as the menu and the badge need it. */
export interface SkillCard {
  id: string;
  title: string;
  description: string;
  examples: string[];
  allowed: string[] | null;
  forbidden: string[];
}

/** A pack as the first page shows it. */
export interface PackCard {
  id: string;
  title: string;
  description: string;
  examples: string[];
}

const MOST_READ = 6;

/** What `GET /api/skills` said of each skill. */
const skillData = signal<JsonObject[] | null>(null);
/** All skills in the reader's language, once they are read. */
export const skills = signal<SkillCard[] | null>(null);
effect(() => {
  if (skillData.value !== null) skills.value = skillData.value.map(cardOf);
});
/** What `GET /api/packs` said. */
const packData = signal<JsonObject[] | null>(null);
/** Why the skills could not be read. */
export const catalogProblem = signal("");
const detailed = new Set<string>();
const toolData = signal<Map<string, JsonObject>>(new Map());

/** Read the skills and the packs; what cannot be read stays empty, the chat works without. */
export async function loadCatalog(): Promise<void> {
  const [found, packs] = await Promise.allSettled([get<SkillList>("/api/skills"), get<PackList>("/api/packs")]);
  catalogProblem.value = found.status === "rejected" ? problemText(found.reason) : "";
  skillData.value = found.status === "fulfilled" ? list(found.value["skills"]).map(object).filter((one) => one["enabled"] !== false) : [];
  packData.value = packs.status === "fulfilled" ? list(packs.value["packs"]).map(object) : [];
  if (packData.value.length === 0) await Promise.all(skillData.value.slice(0, MOST_READ).map((skill) => loadSkill(text(skill["id"]))));
}

/** The installed packs in the reader's language. */
export function packCards(): PackCard[] {
  return (packData.value ?? []).map((one) => ({
    id: text(one["id"]) || text(one["name"]),
    title: spoken(one["title"]) || text(one["id"]) || text(one["name"]),
    description: spoken(one["description"]),
    examples: spokenList(one["examples"] ?? one["prompts"] ?? []),
  }));
}

/** Whether packs and skills have been read. */
export function catalogLoaded(): boolean {
  return skills.value !== null && packData.value !== null;
}

/** The skill of this id, as far as it is known. */
export function skillCard(id: string): SkillCard | null {
  return skills.value?.find((one) => one.id === id) ?? null;
}

/** The title of a skill in the reader's language; the one of its time where the skill is not known. */
export function titleOf(skill: { readonly id: string; readonly title: string }): string {
  return skillCard(skill.id)?.title || skill.title;
}

/** Read all of a skill: its examples, and what it may use. */
export async function loadSkill(id: string): Promise<void> {
  if (detailed.has(id)) return;
  detailed.add(id);
  try {
    const whole: JsonObject = await get<SkillDetail>(`/api/skills/${encodeURIComponent(id)}`);
    skillData.value = (skillData.value ?? []).map((one) => (one["id"] === id ? { summaries: one["summaries"] ?? {}, ...whole } : one));
  } catch {
    detailed.delete(id);
  }
}

/** The parameters of a tool, for forms; empty when nobody knows it. */
export async function toolSchema(name: string): Promise<JsonObject> {
  if (toolData.value.size === 0) {
    try {
      const found = await get<ToolList>("/api/tools");
      toolData.value = new Map(list(found["tools"]).map(object).map((one) => [text(one["name"]), one]));
    } catch {
      return {};
    }
  }
  const known = toolData.value.get(name);
  return object(known?.["parameters"]);
}

function cardOf(one: JsonObject): SkillCard {
  const declared = list(one["tools"]).map((tool) => (typeof tool === "string" ? tool : text(object(tool)["name"])));
  const restricts = Array.isArray(one["allowed_tools"]) || declared.length > 0;
  return {
    id: text(one["id"]),
    title: skillTitle(one),
    description: skillDescription(one),
    examples: ownLanguage(texts(one["examples"])),
    allowed: restricts ? [...new Set([...declared, ...texts(one["allowed_tools"])])] : null,
    forbidden: texts(one["forbidden_tools"]),
  };
}

/** The examples in the reader's language; all of them when none is. */
function ownLanguage(examples: string[]): string[] {
  const own = examples.filter((one) => /[\u4e00-\u9fff]/.test(one) === (language.value === "zh"));
  return own.length > 0 ? own : examples;
}

function spokenList(value: Json): string[] {
  if (Array.isArray(value)) return value.map(wordsOf).filter(Boolean);
  return list(object(value)[language.value] ?? object(value)["en"] ?? []).map(wordsOf).filter(Boolean);
}

function wordsOf(value: Json): string {
  const one = object(value);
  return spoken(value) || spoken(one["text"]) || spoken(one["prompt"]) || spoken(one["message"]);
}

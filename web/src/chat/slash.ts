import { signal } from "@preact/signals";
import { found, fuzzy } from "../parts/fuzzy";
import { loadCatalog, skills, type SkillCard } from "./catalog";
import { draft, picked, submit } from "./outbox";

/** A slash command of which no skill has the name: what was typed, and the skills that are near. */
export interface UnknownSkill {
  readonly name: string;
  readonly near: readonly SkillCard[];
}

const MOST_NEAR = 3;
const LEAST_ALIKE = 0.4;
const STOPS = /[\s，。,.!！?？:：;；、]+/;

/** The slash command that was not sent, because no skill has its name. */
export const unknownSkill = signal<UnknownSkill | null>(null);
/** Whether a message waits for the list of skills. */
export const waitsForSkills = signal(false);

/** The name after a slash at the beginning; null for other text and for paths such as `/etc/hosts`. */
export function commandName(text: string): string | null {
  return /^\s*[/／]([^\s/／]+)(?=\s|$)/.exec(text)?.[1] ?? null;
}

/** The skill that a message beginning with a slash names, by id or title; case, width and separators do not matter. */
export function namedSkill(text: string, all: readonly SkillCard[]): SkillCard | null {
  const words = text.trim().slice(1).split(STOPS);
  for (let count = words.length; count > 0; count -= 1) {
    const said = plain(words.slice(0, count).join(""));
    const fits = all.find((skill) => said !== "" && [plain(skill.id), plain(skill.title)].includes(said));
    if (fits) return fits;
  }
  return null;
}

/** The skills whose id or title is most like a name, the best first. */
export function nearSkills(name: string, all: readonly SkillCard[]): SkillCard[] {
  const inside = found(name, all, (skill) => [skill.title, skill.id]).map((match) => match.thing);
  const alike = all
    .map((skill) => ({ skill, score: Math.max(likeness(name, skill.id), likeness(name, skill.title)) }))
    .filter(({ score }) => score >= LEAST_ALIKE)
    .sort((one, other) => other.score - one.score)
    .map(({ skill }) => skill);
  return [...new Set([...alike, ...inside.filter((skill) => fuzzy(name, skill.title) ?? fuzzy(name, skill.id))])].slice(0, MOST_NEAR);
}

/** Whether there is something to send: a text, or a skill to begin with. */
export function canSend(): boolean {
  return draft.value.trim() !== "" || picked.value !== null;
}

/** Send what is written, or begin the skill that was picked; a slash command waits for the skills and is checked against them. */
export async function sendDraft(): Promise<void> {
  const text = draft.value.trim();
  if (!canSend() || waitsForSkills.value) return;
  const name = picked.value ? null : commandName(text);
  if (name === null) return sendAsIs();
  const early = skills.value === null;
  if (await isKnown(text)) return sendAsIs();
  const near = nearSkills(name, skills.value ?? []);
  const meant = early && text.slice(1) === name ? found(name, near, (skill) => [skill.title, skill.id])[0]?.thing : undefined;
  if (!meant) unknownSkill.value = { name, near };
  else [picked.value, draft.value] = [{ id: meant.id, title: meant.title }, ""]; // as the menu does, had it been there
}

/** Send what is written, whatever it begins with. */
export function sendAsIs(): void {
  const text = draft.value.trim() || (picked.value ? `/${picked.value.id}` : "");
  if (draft.value.trim() === "") picked.value = null; // the message names the skill itself
  unknownSkill.value = null;
  draft.value = "";
  submit(text);
}

async function isKnown(text: string): Promise<boolean> {
  if (skills.value === null) {
    waitsForSkills.value = true;
    await loadCatalog().finally(() => (waitsForSkills.value = false));
  }
  const all = skills.value ?? [];
  return all.length === 0 || namedSkill(text, all) !== null; // without a list nobody can say that a skill is unknown
}

function plain(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/[\s_\-·]+/g, "");
}

/** Share of letter pairs that two names have in common, from 0 to 1. */
function likeness(one: string, other: string): number {
  const [mine, theirs] = [pairs(one), pairs(other)];
  const shared = [...mine].filter((pair) => theirs.has(pair)).length;
  return mine.size + theirs.size === 0 ? 0 : (2 * shared) / (mine.size + theirs.size);
}

function pairs(text: string): Set<string> {
  const letters = Array.from(plain(text));
  return new Set(letters.slice(1).map((letter, at) => `${letters[at] ?? ""}${letter}`));
}

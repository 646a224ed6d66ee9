import { useEffect, useState } from "preact/hooks";
import type { Json, JsonObject, SkillList, UserProfile } from "../generated/api";
import { Dialog } from "../parts/dialog";
import { sayProfile } from "../words/profile";
import { choicesOf, nameOfPart, valueInWords } from "../words/profile-names";
import { call, get } from "./api";
import { skillTitle } from "./bilingual";
import { shownTime } from "./language";
import { problemText } from "./problem";
import { profileOpen } from "./profile-place";

/** One value that can be corrected or deleted, by its path. */
export interface ProfileRow {
  path: string;
  value: Json;
}

/** Values of a profile by path: objects are opened two levels deep, and what the server counts is left out. */
export function listRows(known: UserProfile): ProfileRow[] {
  const rows = openObject("", known.profile as Record<string, Json>, 2);
  for (const [skill, kept] of Object.entries(known.skill_data)) {
    if (!skill.startsWith("_")) rows.push(...openObject(`skill_data.${skill}.`, kept.data as Record<string, Json>, 1));
  }
  return rows.filter((row) => !row.path.split(".").some((part) => part.startsWith("_")));
}

function openObject(prefix: string, data: Record<string, Json>, depth: number): ProfileRow[] {
  return Object.entries(data).flatMap(([name, value]) => {
    const isObject = value !== null && typeof value === "object" && !Array.isArray(value);
    return isObject && depth > 1 ? openObject(`${prefix}${name}.`, value as Record<string, Json>, depth - 1) : [{ path: `${prefix}${name}`, value }];
  });
}

/** Parts of a value that only the machine needs. */
const UNSHOWN = new Set(["source", "id", "seed", "conversation", "turn", "cards", "luck"]);

/** A value in lines that a person can read. */
export function describeValue(value: Json, part = ""): string[] {
  if (value === null || value === "") return [];
  if (Array.isArray(value)) return value.flatMap((one) => (isObject(one) ? [describeValue(one, part).join(" · ")] : describeValue(one, part)));
  if (!isObject(value)) return [wordOf(part, value)];
  if (part === "answers") return [sayProfile("answered", { count: Object.keys(value).length })];
  return Object.entries(value)
    .filter(([name]) => !UNSHOWN.has(name) && !name.startsWith("_"))
    .flatMap(([name, one]) => {
      const lines = describeValue(one, name);
      const named = nameOfPart(name);
      if (lines.length === 0) return [];
      return named === name ? lines : isObject(one) ? [`${named}: ${lines.join(" · ")}`] : [`${named}: ${lines.join(", ")}`];
    });
}

function isObject(value: Json): value is JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function wordOf(part: string, value: Json): string {
  if (typeof value === "boolean") return sayProfile(value ? "yes" : "no");
  const text = String(value);
  return /^\d{4}-\d{2}-\d{2}T/.test(text) ? shownTime(text) : valueInWords(part, text);
}

/** The reader's own data: what is remembered, to correct, export and delete. */
export function ProfileDialog() {
  const [known, setKnown] = useState<UserProfile | null>(null);
  const [problem, setProblem] = useState("");
  const [isSure, setSure] = useState(false);
  const [titles, setTitles] = useState<Record<string, string>>({});
  const fail = (thrown: unknown): void => setProblem(problemText(thrown));
  const read = (): Promise<void> => call<UserProfile>("GET", "/api/profile").then(setKnown, fail);
  useEffect(() => {
    void read();
    get<SkillList>("/api/skills").then((found) => setTitles(Object.fromEntries(found.skills.map((one) => [one.id, skillTitle(one)]))), fail);
  }, []);
  const change = (path: string, value: Json): void => {
    setProblem("");
    call<UserProfile>("PATCH", "/api/profile", { body: { changes: { [path]: value } } }).then(setKnown, fail);
  };
  const deleteAll = (): void => {
    if (!isSure) return setSure(true);
    setSure(false);
    call("DELETE", "/api/profile").then(read, fail);
  };
  const rows = known === null ? [] : listRows(known);
  return (
    <Dialog title={sayProfile("title")} onClose={() => (profileOpen.value = false)}>
      <div class="dialog-body">
        <p class="muted">{sayProfile("about")}</p>
        {known !== null && rows.length === 0 && <p>{sayProfile("nothing")}</p>}
        {rows.map((row) => (
          <ProfileField key={`${row.path}=${JSON.stringify(row.value)}`} row={row} titles={titles} onChange={change} />
        ))}
        {known !== null && known.facts.length > 0 && <p class="muted">{sayProfile("facts", { count: known.facts.length })}</p>}
        {problem && (
          <p class="field-error" role="alert">
            {problem}
          </p>
        )}
        <div class="actions">
          <button type="button" class="button" disabled={known === null} onClick={() => known !== null && download(known)}>
            {sayProfile("export")}
          </button>
          <button type="button" class="button danger" onClick={deleteAll}>
            {sayProfile(isSure ? "deleteSure" : "deleteAll")}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function ProfileField({ row, titles, onChange }: { row: ProfileRow; titles: Record<string, string>; onChange: (path: string, value: Json) => void }) {
  const part = row.path.split(".").at(-1) ?? "";
  const before = String(row.value);
  const [text, setText] = useState(before);
  const id = `profile-${row.path}`;
  const name = nameOfPath(row.path, titles);
  const choices = typeof row.value === "string" ? choicesOf(part) : [];
  const save = (): void => onChange(row.path, typeof row.value === "number" ? Number(text) : text);
  const isFree = typeof row.value === "string" || typeof row.value === "number";
  if (!isFree) {
    return (
      <div class="field" role="group" aria-label={name}>
        <p class="field-label">{name}</p>
        {describeValue(row.value, part).map((line) => (
          <p key={line} class="small">
            {line}
          </p>
        ))}
        <div class="actions">
          <RemoveButton path={row.path} onChange={onChange} />
        </div>
      </div>
    );
  }
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {name}
      </label>
      {choices.length > 0 ? (
        <select id={id} value={text} onChange={(event) => setText(event.currentTarget.value)}>
          {choices.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      ) : (
        <textarea id={id} rows={text.length > 60 ? 3 : 1} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      )}
      <div class="actions">
        <button type="button" class="button small" disabled={text === before} onClick={save}>
          {sayProfile("save")}
        </button>
        <RemoveButton path={row.path} onChange={onChange} />
      </div>
    </div>
  );
}

function RemoveButton({ path, onChange }: { path: string; onChange: (path: string, value: Json) => void }) {
  return (
    <button type="button" class="button quiet small" onClick={() => onChange(path, null)}>
      {sayProfile("remove")}
    </button>
  );
}

/** The name of a path for the reader: the skill or the field it belongs to, then what it is. */
export function nameOfPath(path: string, titles: Record<string, string>): string {
  const parts = path.split(".");
  if (parts[0] !== "skill_data") return parts.map(nameOfPart).join(" · ");
  const [, skill = "", ...rest] = parts;
  return [titles[skill] ?? skill, ...rest.map(nameOfPart)].join(" · ");
}

function download(known: UserProfile): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(known, null, 1)], { type: "application/json" }));
  link.download = "metier-profile.json";
  link.click();
  URL.revokeObjectURL(link.href);
}

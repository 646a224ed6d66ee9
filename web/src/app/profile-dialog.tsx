import { useEffect, useState } from "preact/hooks";
import type { Json, UserProfile } from "../generated/api";
import { Dialog } from "../parts/dialog";
import { FIELD_KEYS, sayProfile } from "../words/profile";
import { call } from "./api";
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

/** The reader's own data: what is remembered, to correct, export and delete. */
export function ProfileDialog() {
  const [known, setKnown] = useState<UserProfile | null>(null);
  const [problem, setProblem] = useState("");
  const [isSure, setSure] = useState(false);
  const fail = (thrown: unknown): void => setProblem(problemText(thrown));
  const read = (): Promise<void> => call<UserProfile>("GET", "/api/profile").then(setKnown, fail);
  useEffect(() => void read(), []);
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
          <ProfileField key={`${row.path}=${JSON.stringify(row.value)}`} row={row} onChange={change} />
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

function ProfileField({ row, onChange }: { row: ProfileRow; onChange: (path: string, value: Json) => void }) {
  const isText = typeof row.value === "string";
  const before = isText ? String(row.value) : JSON.stringify(row.value);
  const [text, setText] = useState(before);
  const save = (): void => onChange(row.path, isText ? text : parse(text));
  return (
    <div class="field">
      <label class="field-label" for={`profile-${row.path}`}>
        {nameOf(row.path)}
      </label>
      <textarea id={`profile-${row.path}`} rows={text.length > 60 ? 3 : 1} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      <div class="actions">
        <button type="button" class="button small" disabled={text === before} onClick={save}>
          {sayProfile("save")}
        </button>
        <button type="button" class="button quiet small" onClick={() => onChange(row.path, null)}>
          {sayProfile("remove")}
        </button>
      </div>
    </div>
  );
}

/** The name of a path for the reader: its field in words, then what lies below it. */
function nameOf(path: string): string {
  const [head = "", ...rest] = path.split(".");
  const known = FIELD_KEYS.find((key) => key === head);
  return [known === undefined ? head : sayProfile(`field_${known}`), ...rest].join(" · ");
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function download(known: UserProfile): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(known, null, 1)], { type: "application/json" }));
  link.download = "metier-profile.json";
  link.click();
  URL.revokeObjectURL(link.href);
}

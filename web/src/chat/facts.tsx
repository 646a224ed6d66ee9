import { useState } from "preact/hooks";
import { call } from "../app/api";
import { problemText } from "../app/problem";
import type { FactSaved, Json } from "../generated/api";
import { Icon } from "../parts/icon";
import { sayChat } from "../words/chat";
import { busy, conversation, openPauses, problem } from "./session";

/** What the conversation has settled, above the composer: each can be changed or removed. */
export function Facts() {
  const state = conversation.value;
  if (!state || state.facts.length === 0) return null;
  return (
    <ul class="facts" aria-label={sayChat("facts")}>
      {state.facts.map((fact) => (
        <li key={fact.name} class="chip fact" title={sayChat(`factFrom_${fact.source}`)}>
          <span class="muted">{fact.title}</span>
          {isAsked(fact) ? <span>{sayChat("factAsked")}</span> : fact.options.length > 0 ? <Choose conversation={state.id} fact={fact} /> : <Edit conversation={state.id} fact={fact} />}
          <button class="icon-button small" disabled={busy.value} aria-label={sayChat("removeFact", { title: fact.title })} onClick={() => void removeFact(state.id, fact.name)}>
            <Icon name="cross" size={12} />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Whether an open question offers the values of a fact: which of them holds is being asked, the old one is not claimed. */
function isAsked(fact: FactSaved): boolean {
  return openPauses.value.some(({ pause }) => pause.choices.length > 1 && pause.choices.every((choice) => fact.options.some((one) => same(one.value, choice.value))));
}

interface FactProps {
  conversation: string;
  fact: FactSaved;
}

function Choose({ conversation: id, fact }: FactProps) {
  const at = fact.options.findIndex((one) => same(one.value, fact.value));
  const chosen = (event: Event): void => {
    const option = fact.options[Number((event.currentTarget as HTMLSelectElement).value)];
    if (option) void changeFact(id, fact.name, option.value);
  };
  return (
    <select disabled={busy.value} aria-label={fact.title} value={String(at)} onChange={chosen}>
      {at < 0 && <option value="-1">{fact.label}</option>}
      {fact.options.map((one, number) => (
        <option key={number} value={String(number)}>
          {one.label}
        </option>
      ))}
    </select>
  );
}

function Edit({ conversation: id, fact }: FactProps) {
  const [text, setText] = useState<string | null>(null);
  const plain = fact.type === "text" || fact.type === "number";
  if (text === null)
    return (
      <button class="fact-value" disabled={!plain || busy.value} aria-label={sayChat("changeFact", { title: fact.title, label: fact.label })} onClick={() => setText(fact.label)}>
        {fact.label}
      </button>
    );
  const save = (): void => {
    setText(null);
    if (text.trim() && text !== fact.label) void changeFact(id, fact.name, fact.type === "number" ? Number(text) : text);
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === "Enter") save();
    if (event.key === "Escape") setText(null);
  };
  return <input autofocus value={text} maxLength={2000} aria-label={fact.title} onInput={(event) => setText(event.currentTarget.value)} onKeyDown={pressed} onBlur={save} />;
}

/** Give a fact another value; the event of the change brings the chip. */
export async function changeFact(id: string, name: string, value: Json): Promise<void> {
  await ask("PATCH", id, name, { value });
}

/** Remove a fact. */
export async function removeFact(id: string, name: string): Promise<void> {
  await ask("DELETE", id, name);
}

async function ask(method: string, id: string, name: string, body?: unknown): Promise<void> {
  problem.value = "";
  try {
    await call(method, `/api/conversations/${encodeURIComponent(id)}/facts/${encodeURIComponent(name)}`, body === undefined ? {} : { body });
  } catch (thrown) {
    problem.value = problemText(thrown);
  }
}

function same(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

import { useState } from "preact/hooks";
import { text } from "../events/read";
import type { Choice } from "../events/state";
import type { Json, JsonObject } from "../generated/api";
import { DataTable } from "../parts/data-table";
import { fieldsOf } from "../parts/form/field";
import { SchemaForm } from "../parts/form/form";
import { Formatted } from "../parts/formatted";
import { JsonView } from "../parts/json-view";
import { columnsOf, rowsOf } from "../events/read";
import { sayChat } from "../words/chat";
import type { PauseFormProps } from "./pause-form";

/** A fixed question: buttons, boxes to tick where several may be chosen, or a field. */
export function QuestionForm({ pause, busy, onAnswer }: PauseFormProps) {
  const many = text(pause.schema["type"]) === "array" && pause.choices.length > 0;
  return (
    <>
      {pause.show !== null && <Shown value={pause.show} />}
      {many && <Several choices={pause.choices} busy={busy} onAnswer={onAnswer} />}
      {!many && pause.choices.length > 0 && (
        <div class="choices">
          {pause.choices.map((choice, at) => (
            <button key={at} class="button choice" disabled={busy} onClick={() => onAnswer(choice.value)}>
              <span>{choice.text}</span>
              {choice.description && <span class="muted small">{choice.description}</span>}
            </button>
          ))}
        </div>
      )}
      {pause.choices.length === 0 && <Free schema={pause.schema} busy={busy} onAnswer={onAnswer} />}
    </>
  );
}

function Several({ choices, busy, onAnswer }: { choices: Choice[]; busy: boolean; onAnswer: (value: Json) => void }) {
  const [chosen, setChosen] = useState<number[]>([]);
  const tick = (at: number, on: boolean): void => setChosen(on ? [...chosen, at].sort((a, b) => a - b) : chosen.filter((one) => one !== at));
  return (
    <fieldset class="field">
      <legend class="visually-hidden">{sayChat("chooseSeveral")}</legend>
      {choices.map((choice, at) => (
        <label key={at} class="check">
          <input type="checkbox" checked={chosen.includes(at)} onChange={(event) => tick(at, event.currentTarget.checked)} /> {choice.text}
        </label>
      ))}
      <div class="actions">
        <button class="button primary" disabled={busy || chosen.length === 0} onClick={() => onAnswer(chosen.map((at) => choices[at]?.value ?? null))}>
          {sayChat("answer")}
        </button>
      </div>
    </fieldset>
  );
}

/** An open question is answered in the field below; anything but a short text gets a form here. */
function Free({ schema, busy, onAnswer }: { schema: PauseFormProps["pause"]["schema"]; busy: boolean; onAnswer: (value: Json) => void }) {
  const type = text(schema["type"]);
  if (type === "object" || Array.isArray(schema["type"])) {
    return <SchemaForm fields={fieldsOf(schema)} known={{}} submit={sayChat("answer")} busy={busy} onSubmit={onAnswer} />;
  }
  const whole = { type: "object", properties: { answer: { title: sayChat("yourAnswer"), "x-ui": { widget: type === "string" ? "textarea" : "" }, ...schema } }, required: ["answer"] };
  return <SchemaForm fields={fieldsOf(whole)} known={{}} submit={sayChat("answer")} busy={busy} onSubmit={(value) => onAnswer(value["answer"] ?? null)} />;
}

/** What the question is about, as a table: the rows, those under one of its names, or its values as a single row. */
function Shown({ value }: { value: Json }) {
  if (typeof value === "string") return <Formatted text={value} />;
  const rows = rowsIn(value);
  const first = rows?.[0];
  if (!rows || !first) return Array.isArray(value) ? <Formatted text={value.map((one) => `- ${one}`).join("\n")} /> : <JsonView value={value} label={sayChat("shownData")} />;
  const columns = columnsOf(Object.keys(first).map((key) => ({ key, title: key, type: typeof first[key] === "number" ? "number" : "text", unit: "" })));
  return <DataTable title="" columns={columns} rows={rowsOf(rows, columns)} />;
}

function rowsIn(value: Json): JsonObject[] | null {
  if (Array.isArray(value)) return value.length > 0 && value.every(isRow) ? (value as JsonObject[]) : null;
  if (!isRow(value)) return null;
  const named = Object.values(value).find((one) => Array.isArray(one) && one.length > 0 && one.every(isRow));
  if (named) return named as JsonObject[];
  return Object.values(value).every((one) => typeof one !== "object" || one === null) ? [value] : null;
}

function isRow(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

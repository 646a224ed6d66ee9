import { useMemo } from "preact/hooks";
import { fieldsOf } from "../parts/form/field";
import { SchemaForm } from "../parts/form/form";
import { fieldWords, object, text } from "../events/read";
import { sayChat } from "../words/chat";
import type { PauseFormProps } from "./pause-form";

/** The form for what a step or a tool lacks: the missing first, what is known filled in and locked. */
export function ParametersForm({ pause, busy, onAnswer }: PauseFormProps) {
  const fields = useMemo(() => {
    const missing = new Set(pause.missing);
    const all = fieldsOf(pause.schema, pause.fields);
    return [...all.filter((field) => missing.has(field.name)), ...all.filter((field) => !missing.has(field.name))];
  }, [pause]);
  const names = new Set(fields.map((field) => field.name));
  const locked = Object.keys(pause.known).filter((name) => names.has(name) && !pause.missing.includes(name));
  const described = new Map(pause.fields.map((field) => [field["name"], field]));
  const aside = Object.entries(pause.known).filter(([name]) => !names.has(name) && (described.size === 0 || described.has(name)));
  return (
    <>
      {aside.length > 0 && (
        <dl class="filled small">
          {aside.map(([name, value]) => (
            <div key={name}>
              <dt>{text(described.get(name)?.["title"]) || name}</dt>
              <dd>{fieldWords(described.get(name), value)}</dd>
            </div>
          ))}
        </dl>
      )}
      <SchemaForm fields={fields} known={object(pause.known)} locked={locked} submit={sayChat("sendForm")} busy={busy} onSubmit={onAnswer}>
        <button type="button" class="button quiet" disabled={busy} onClick={() => onAnswer(null)}>
          {sayChat("cancel")}
        </button>
      </SchemaForm>
    </>
  );
}

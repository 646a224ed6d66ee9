import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { JsonObject } from "../../generated/api";
import { sayChat } from "../../words/chat";
import { Icon } from "../icon";
import type { Field } from "./field";
import { FieldInput } from "./inputs";
import { inputId, problemWords } from "./naming";
import { rawOf, readForm, type Problem, type Raw } from "./values";

/** Props of `SchemaForm`: `locked` fields show what is known and can be unlocked; `onChange` hears of every change. */
export interface SchemaFormProps {
  fields: Field[];
  known: JsonObject;
  locked?: string[];
  submit: string;
  busy?: boolean;
  onSubmit: (value: JsonObject) => void;
  onChange?: (value: JsonObject) => void;
  children?: ComponentChildren;
}

/** A form made from fields: labels, help, checks before sending, and a summary of what is wrong. */
export function SchemaForm({ fields, known, locked = [], submit, busy = false, onSubmit, onChange, children }: SchemaFormProps) {
  const [raw, setRaw] = useState(() => rawOf(fields, known));
  const [open, setOpen] = useState<string[]>([]);
  const [problems, setProblems] = useState<Problem[]>([]);
  const summary = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (problems.length > 0) summary.current?.focus();
  }, [problems]);
  const change = (name: string, value: Raw): void => {
    const next = { ...raw, [name]: value };
    setRaw(next);
    onChange?.(readForm(fields, next).value);
  };
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const read = readForm(fields, raw);
    setProblems(read.problems);
    if (read.problems.length === 0) onSubmit(read.value);
  };
  return (
    <form class="schema-form" noValidate onSubmit={send}>
      {problems.length > 0 && <Summary problems={problems} id={id} box={summary} />}
      {fields.map((field) => {
        const isLocked = locked.includes(field.name) && !open.includes(field.name);
        const unlock = isLocked ? () => setOpen([...open, field.name]) : null;
        return <Slot key={field.name} id={id} field={field} raw={raw[field.name] ?? ""} unlock={unlock} problems={problems} onChange={(value) => change(field.name, value)} />;
      })}
      <div class="actions">
        <button class="button primary" disabled={busy}>
          {submit}
        </button>
        {children}
      </div>
    </form>
  );
}

function Summary({ problems, id, box }: { problems: Problem[]; id: string; box: RefObject<HTMLDivElement | null> }) {
  return (
    <div class="form-summary" role="alert" tabIndex={-1} ref={box}>
      <strong>{sayChat("formProblems", { count: problems.length })}</strong>
      <ul>
        {problems.map((problem) => (
          <li key={problem.path}>
            <a
              href={`#${inputId(id, problem.path)}`}
              onClick={(click) => {
                click.preventDefault();
                document.getElementById(inputId(id, problem.path))?.focus();
              }}
            >
              {problem.label}
            </a>
            {sayChat("formProblem", { problem: problemWords(problem) })}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface SlotProps {
  id: string;
  field: Field;
  raw: Raw;
  unlock: (() => void) | null;
  problems: Problem[];
  onChange: (value: Raw) => void;
}

function Slot({ id, field, raw, unlock, problems, onChange }: SlotProps) {
  return (
    <div class={`form-slot${unlock ? " locked" : ""}`}>
      <FieldInput id={id} path={field.name} field={field} raw={raw} locked={unlock !== null} problems={problems} onChange={onChange} />
      {unlock && (
        <button type="button" class="button quiet small" onClick={unlock} aria-label={`${sayChat("unlock")}: ${field.label}`}>
          <Icon name="lock" size={14} /> {sayChat("unlock")}
        </button>
      )}
    </div>
  );
}

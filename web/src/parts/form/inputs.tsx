import { sayChat } from "../../words/chat";
import type { Field } from "./field";
import { inputId, problemWords } from "./naming";
import { RowsInput, RangeInput } from "./rows";
import type { Problem, Raw } from "./values";

/** What every input of a form is given. */
export interface InputProps {
  id: string;
  path: string;
  field: Field;
  raw: Raw;
  locked: boolean;
  problems: Problem[];
  onChange: (value: Raw) => void;
}

/** One field with its label, help and error, however it is filled in. */
export function FieldInput(props: InputProps) {
  const { field } = props;
  if (field.kind === "object") return <Group {...props} />;
  if (field.kind === "array") return <RowsInput {...props} />;
  if (field.kind === "range") return <RangeInput {...props} />;
  if (field.kind === "many" || (field.kind === "choice" && field.options.length <= 4)) return <Options {...props} />;
  const own = inputId(props.id, props.path);
  return (
    <div class="field">
      {field.kind !== "boolean" && (
        <label class="field-label" for={own}>
          <LabelText field={field} />
        </label>
      )}
      <Control {...props} />
      <Notes {...props} />
    </div>
  );
}

/** The label of a field with its unit, and whether it may stay empty. */
export function LabelText({ field }: { field: Field }) {
  return (
    <>
      {field.label}
      {field.unit && <span class="muted"> ({field.unit})</span>}
      {!field.required && field.kind !== "boolean" && <span class="muted"> · {sayChat("optional")}</span>}
    </>
  );
}

/** Help and error of a field; the input is described by both. */
export function Notes({ id, path, field, problems }: InputProps) {
  const own = inputId(id, path);
  const problem = problems.find((one) => one.path === path);
  const range = rangeWords(field);
  return (
    <>
      {(field.help || range) && (
        <span class="field-help" id={`${own}-help`}>
          {[field.help, range].filter(Boolean).join(" · ")}
        </span>
      )}
      {problem && (
        <span class="field-error" id={`${own}-error`}>
          {problemWords(problem)}
        </span>
      )}
    </>
  );
}

/** The attributes that tie an input to its notes. */
export function described({ id, path, field, problems }: InputProps): { id: string; "aria-describedby"?: string; "aria-invalid"?: boolean; "aria-required"?: boolean } {
  const own = inputId(id, path);
  const wrong = problems.some((one) => one.path === path);
  const by = [field.help || rangeWords(field) ? `${own}-help` : "", wrong ? `${own}-error` : ""].filter(Boolean).join(" ");
  return { id: own, ...(by ? { "aria-describedby": by } : {}), ...(wrong ? { "aria-invalid": true } : {}), ...(field.required ? { "aria-required": true } : {}) };
}

/** The same for a group of inputs, which has fewer attributes. */
export function describedGroup(props: InputProps): { id: string; "aria-describedby"?: string } {
  const { id, "aria-describedby": by } = described(props);
  return by ? { id, "aria-describedby": by } : { id };
}

function rangeWords(field: Field): string {
  if (field.min !== null && field.max !== null) return sayChat("between", { min: field.min, max: field.max });
  if (field.min !== null) return sayChat("atLeast", { min: field.min });
  return field.max !== null ? sayChat("atMost", { max: field.max }) : "";
}

function Control(props: InputProps) {
  const { field, raw, locked, onChange } = props;
  const text = typeof raw === "string" ? raw : "";
  const shared = { ...described(props), disabled: locked, placeholder: field.placeholder };
  if (field.kind === "boolean") {
    return (
      <label class="check">
        <input type="checkbox" {...described(props)} disabled={locked} checked={raw === true} onChange={(event) => onChange(event.currentTarget.checked)} /> {field.label}
      </label>
    );
  }
  if (field.kind === "choice") {
    return (
      <select {...described(props)} disabled={locked} value={text} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{sayChat("choose")}</option>
        {field.options.map((option, at) => (
          <option key={at} value={String(at)}>
            {option.label}
          </option>
        ))}
      </select>
    );
  }
  if (field.kind === "textarea" || field.kind === "json") {
    return <textarea {...shared} class={field.kind === "json" ? "mono" : ""} rows={field.kind === "json" ? 4 : 3} value={text} onInput={(event) => onChange(event.currentTarget.value)} />;
  }
  const onInput = (event: { currentTarget: HTMLInputElement }): void => onChange(event.currentTarget.value);
  if (field.kind === "date" || field.kind === "datetime" || field.kind === "time") {
    return <input {...shared} type={field.kind === "datetime" ? "datetime-local" : field.kind} value={text} onInput={onInput} />;
  }
  const isNumber = field.kind === "number" || field.kind === "integer";
  return <input {...shared} type="text" {...(isNumber ? { inputMode: "decimal" as const } : {})} value={text} onInput={onInput} />;
}

function Options(props: InputProps) {
  const { id, path, field, raw, locked, onChange } = props;
  const own = inputId(id, path);
  const many = field.kind === "many";
  const chosen = Array.isArray(raw) ? raw : [raw];
  const pick = (at: string, on: boolean): void => onChange(many ? (on ? [...chosen, at] : chosen.filter((one) => one !== at)) : at);
  return (
    <fieldset class="field" {...describedGroup(props)} tabIndex={-1} disabled={locked}>
      <legend class="field-label">
        <LabelText field={field} />
      </legend>
      <div class="options">
        {field.options.map((option, at) => (
          <label key={at} class="check">
            <input type={many ? "checkbox" : "radio"} name={own} checked={chosen.includes(String(at))} onChange={(event) => pick(String(at), event.currentTarget.checked)} /> {option.label}
          </label>
        ))}
      </div>
      <Notes {...props} />
    </fieldset>
  );
}

function Group(props: InputProps) {
  const { id, path, field, raw, locked, problems, onChange } = props;
  const given = typeof raw === "object" && !Array.isArray(raw) ? raw : {};
  return (
    <fieldset class="field group" disabled={locked}>
      {field.label && (
        <legend class="field-label">
          <LabelText field={field} />
        </legend>
      )}
      {field.help && <span class="field-help">{field.help}</span>}
      {field.fields.map((one) => (
        <FieldInput
          key={one.name}
          id={id}
          path={`${path}.${one.name}`}
          field={one}
          raw={given[one.name] ?? ""}
          locked={locked}
          problems={problems}
          onChange={(value) => onChange({ ...given, [one.name]: value })}
        />
      ))}
    </fieldset>
  );
}

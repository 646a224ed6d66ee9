import { shownNumber } from "../../app/language";
import { sayChat } from "../../words/chat";
import { Icon } from "../icon";
import type { Field } from "./field";
import { describedGroup, FieldInput, LabelText, Notes, type InputProps } from "./inputs";
import { firstRaw } from "./values";

/** A list as rows that can be added and taken away. */
export function RowsInput(props: InputProps) {
  const { id, path, field, raw, locked, problems, onChange } = props;
  const rows = Array.isArray(raw) ? raw : [];
  const item = field.item as Field;
  const full = field.maxItems !== null && rows.length >= field.maxItems;
  return (
    <fieldset class="field rows" {...describedGroup(props)} tabIndex={-1} disabled={locked}>
      <legend class="field-label">
        <LabelText field={field} />
      </legend>
      {rows.map((row, at) => (
        <div class="row" key={at}>
          <FieldInput
            id={id}
            path={`${path}.${at}`}
            field={{ ...item, label: `${item.label || field.label} ${shownNumber(at + 1)}` }}
            raw={row}
            locked={locked}
            problems={problems}
            onChange={(value) => onChange(rows.with(at, value))}
          />
          {!locked && (
            <button type="button" class="icon-button" aria-label={sayChat("removeRow", { number: at + 1 })} onClick={() => onChange(rows.toSpliced(at, 1))}>
              <Icon name="cross" size={16} />
            </button>
          )}
        </div>
      ))}
      {!locked && (
        <button type="button" class="button small add-row" disabled={full} onClick={() => onChange([...rows, firstRaw(item, undefined)])}>
          <Icon name="plus" size={14} /> {sayChat("addRow")}
        </button>
      )}
      <Notes {...props} />
    </fieldset>
  );
}

/** A pair of values: from and to. */
export function RangeInput(props: InputProps) {
  const { id, path, field, raw, locked, problems, onChange } = props;
  const both = Array.isArray(raw) ? raw : ["", ""];
  const item = field.item as Field;
  return (
    <fieldset class="field" {...describedGroup(props)} tabIndex={-1} disabled={locked}>
      <legend class="field-label">
        <LabelText field={field} />
      </legend>
      <div class="range">
        {[0, 1].map((at) => (
          <FieldInput
            key={at}
            id={id}
            path={`${path}.${at}`}
            field={{ ...item, label: sayChat(at === 0 ? "from" : "to") }}
            raw={both[at] ?? ""}
            locked={locked}
            problems={problems}
            onChange={(value) => onChange(at === 0 ? [value, both[1] ?? ""] : [both[0] ?? "", value])}
          />
        ))}
      </div>
      <Notes {...props} />
    </fieldset>
  );
}

import { Fragment } from "preact";
import { useMemo, useState } from "preact/hooks";
import { language } from "../app/language";
import { object, text } from "../events/read";
import type { CallPreview, Json, JsonObject, PreviewColumn, PreviewRow } from "../generated/api";
import { sayApproval } from "../words/approval";
import { sayChat } from "../words/chat";
import { cellLook } from "./cell-look";
import { decimalsOf, shownDigits } from "./digits";
import { areFigures } from "./figures";
import { KeptText } from "./kept-text";
import { TableScroll } from "./table-scroll";
import { visibleText } from "./visible";
import { type ChangedPiece, changedWords } from "./word-changes";
import { isStructured, WrittenText } from "./written-text";

const PAGE = 24;
const LONG = 600;

/** What a person has made of a preview: the rows left out, and the values typed over, by row and column. */
export interface RowChoice {
  readonly out: ReadonlySet<string>;
  readonly typed: Readonly<Record<string, string>>;
}

/** All rows as they were shown. */
export const ALL_ROWS: RowChoice = { out: new Set(), typed: {} };

/** The choice that leaves in these rows only; all of them without any. */
export function choiceOf(preview: CallPreview | null | undefined, chosen: readonly string[] | null): RowChoice {
  if (!preview || !chosen) return ALL_ROWS;
  return { out: new Set(preview.rows.map((row) => row.id).filter((id) => !chosen.includes(id))), typed: {} };
}

/** Whether two choices leave out the same rows. */
export function sameRows(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((id) => other.has(id));
}

interface PreviewTableProps {
  readonly preview: CallPreview;
  readonly choice: RowChoice;
  readonly onChoose?: ((choice: RowChoice) => void) | undefined;
}

/** What a call would do: a sentence, totals, and the table of all changes with check boxes and values to edit. */
export function PreviewTable({ preview, choice, onChoose }: PreviewTableProps) {
  const [page, setPage] = useState(0);
  const pages = Math.max(1, Math.ceil(preview.rows.length / PAGE));
  const decimals = useMemo(() => preview.columns.map((column) => decimalsOf(preview.rows.map((row) => row.values[column.key]))), [preview]);
  const figures = useMemo(() => figureKeys(preview), [preview]);
  const shown = preview.rows.slice(page * PAGE, page * PAGE + PAGE);
  const mayChoose = Boolean(onChoose && preview.chosen_as);
  const changes = useMemo(() => new Map(preview.rows.map((row) => [row.id, changesOf(row, preview.columns)])), [preview]);
  const kept = preview.rows.length - choice.out.size;
  const toggle = (id: string): void => onChoose?.({ ...choice, out: flipped(choice.out, id) });
  const toggleAll = (): void => onChoose?.({ ...choice, out: kept === preview.rows.length ? new Set(preview.rows.map((row) => row.id)) : new Set() });
  return (
    <div class="preview">
      <p>{inWords(preview.sentence)}</p>
      {preview.totals.length > 0 && (
        <ul class="preview-totals small">
          {preview.totals.map((total, at) => (
            <li key={at}>
              <span class="muted">{inWords(total.title)}</span> {shownValue(total.value)}
              {total.unit ? ` ${total.unit}` : ""}
            </li>
          ))}
        </ul>
      )}
      {preview.rows.length > 0 && (
        <>
          <TableScroll look="preview-rows" label={sayChat("changes")}>
            <table class="grid">
              <caption class="visually-hidden">{sayChat("changes")}</caption>
              <thead>
                <tr>
                  {mayChoose && (
                    <th scope="col" data-title={sayChat("chooseAllRows")}>
                      <input type="checkbox" aria-label={sayChat("chooseAllRows")} checked={kept === preview.rows.length} onChange={toggleAll} />
                    </th>
                  )}
                  {preview.columns.map((column) => (
                    <th key={column.key} scope="col" class={figures.has(column.key) ? "number" : ""}>
                      {inWords(column.title)}
                      {column.unit && <span class="unit"> ({column.unit})</span>}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {shown.map((row) => (
                  <Fragment key={row.id}>
                    <tr class={choice.out.has(row.id) ? "left-out" : ""}>
                      {mayChoose && (
                        <td>
                          <input type="checkbox" aria-label={rowName(preview, row)} checked={!choice.out.has(row.id)} onChange={() => toggle(row.id)} />
                        </td>
                      )}
                      {preview.columns.map((column, place) => (
                        <Value key={column.key} row={row} column={column} decimals={decimals[place] ?? 0} isFigure={figures.has(column.key)} pieces={changes.get(row.id)?.[column.key]} choice={choice} onChoose={mayChoose ? onChoose : undefined} />
                      ))}
                    </tr>
                    <Blocks row={row} columns={preview.columns} span={preview.columns.length + (mayChoose ? 1 : 0)} isOut={choice.out.has(row.id)} />
                  </Fragment>
                ))}
              </tbody>
            </table>
          </TableScroll>
          {mayChoose &&
            findMisfits(preview, choice).map((one) => (
              <p key={one} class="field-error small" role="alert">
                {one}
              </p>
            ))}
          <p class="preview-foot small">
            <span class="muted">{kept < preview.rows.length ? sayChat("chosenChanges", { chosen: kept, count: preview.rows.length }) : sayChat("allChanges", { count: preview.rows.length })}</span>
            {pages > 1 && (
              <span class="pager">
                <button type="button" class="button quiet small" disabled={page === 0} onClick={() => setPage(page - 1)}>
                  {sayChat("previous")}
                </button>
                <span aria-live="polite">
                  {page + 1} / {pages}
                </span>
                <button type="button" class="button quiet small" disabled={page >= pages - 1} onClick={() => setPage(page + 1)}>
                  {sayChat("next")}
                </button>
              </span>
            )}
          </p>
        </>
      )}
    </div>
  );
}

/** A text, folded where it is long: what would be written can always be read whole before it is approved. */
function Whole({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  if (text.length <= LONG) return <WrittenText text={text} />;
  return (
    <>
      <WrittenText text={isOpen ? text : `${text.slice(0, LONG)}…`} />{" "}
      <button type="button" class="button quiet small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {sayChat(isOpen ? "fold" : "unfold", { count: text.length })}
      </button>
    </>
  );
}

interface ValueProps {
  readonly row: PreviewRow;
  readonly column: PreviewColumn;
  readonly decimals: number;
  readonly isFigure: boolean;
  readonly pieces: readonly ChangedPiece[] | undefined;
  readonly choice: RowChoice;
  readonly onChoose: ((choice: RowChoice) => void) | undefined;
}

function Value({ row, column, decimals, isFigure, pieces, choice, onChoose }: ValueProps) {
  const value = row.values[column.key] ?? null;
  const schema = object(row.edit?.[column.key]);
  const key = placeOf(row.id, column.key);
  const kind = typeof value === "number" ? "number" : "";
  if (!onChoose || !row.edit || !(column.key in row.edit) || choice.out.has(row.id))
    return <Written row={row} column={column} isFigure={isFigure} pieces={pieces} text={choice.typed[key] ?? shownValue(value, decimals)} />;
  const shared = {
    class: "cell-input",
    "aria-label": `${inWords(column.title)} ${row.id}`,
    "aria-invalid": !isWithin(choice.typed[key], schema),
    value: choice.typed[key] ?? String(value ?? ""),
    onInput: (event: { currentTarget: HTMLInputElement }) => onChoose({ ...choice, typed: { ...choice.typed, [key]: event.currentTarget.value } }),
  };
  const limits = { min: numberOf(schema["minimum"]), max: numberOf(schema["maximum"]) };
  return (
    <td class={isFigure ? "number" : kind} data-title={inWords(column.title)}>
      {kind ? <input type="number" step="any" {...limits} {...shared} /> : <input {...shared} />}
    </td>
  );
}

/** Whole blocks of a row, with headings and tables: they have the width of the table to themselves. */
function Blocks({ row, columns, span, isOut }: { row: PreviewRow; columns: readonly PreviewColumn[]; span: number; isOut: boolean }) {
  const blocks = columns.filter((column) => isBlock(row.values[column.key]));
  return (
    <>
      {blocks.map((column) => (
        <tr key={column.key} class={`whole-row${isOut ? " left-out" : ""}`}>
          <td colSpan={span} class={column.role === "new" ? "new-value" : ""}>
            <span class="muted">{inWords(column.title)}</span> <Whole text={shownValue(row.values[column.key] ?? null)} />
          </td>
        </tr>
      ))}
    </>
  );
}

/** Columns of numbers, or of texts that are numbers with their units. */
function figureKeys({ columns, rows }: CallPreview): ReadonlySet<string> {
  return new Set(columns.map(({ key }) => key).filter((key) => areFigures(rows.map((row) => shownValue(row.values[key] ?? null)))));
}

function isBlock(value: Json | undefined): boolean {
  return typeof value === "string" && isStructured(value);
}

interface WrittenProps {
  readonly row: PreviewRow;
  readonly column: PreviewColumn;
  readonly isFigure: boolean;
  readonly pieces: readonly ChangedPiece[] | undefined;
  readonly text: string;
}

function Written({ row, column, isFigure, pieces, text }: WrittenProps) {
  if (isBlock(row.values[column.key])) return <td class="muted" data-title={inWords(column.title)}>↓</td>;
  const kind = isFigure ? "number" : cellLook(text);
  return (
    <td data-title={inWords(column.title)} class={`${kind} ${column.role === "new" ? "new-value" : ""}`}>
      {pieces ? <Changed pieces={pieces} isNew={column.role === "new"} /> : <Whole text={text} />}
    </td>
  );
}

/** A text with what the change takes out, or puts in, marked. */
function Changed({ pieces, isNew }: { readonly pieces: readonly ChangedPiece[]; readonly isNew: boolean }) {
  const Mark = isNew ? "ins" : "del";
  return <>{pieces.map((one, at) => (one.changed ? <Mark key={at}>{one.text}</Mark> : <KeptText key={at} text={one.text} />))}</>;
}

/** Where the text before and the text after a change differ, by column; nothing where one of them is folded or a block. */
function changesOf(row: PreviewRow, columns: readonly PreviewColumn[]): Record<string, readonly ChangedPiece[]> {
  const [old, made] = (["old", "new"] as const).map((role) => columns.find((column) => column.role === role)?.key);
  if (!old || !made || made in (row.edit ?? {})) return {};
  const [before, after] = [row.values[old], row.values[made]];
  if (typeof before !== "string" || typeof after !== "string" || [before, after].some((one) => one.length > LONG || isBlock(one))) return {};
  const found = changedWords(inWords(before), inWords(after));
  return found ? { [old]: found.before, [made]: found.after } : {};
}

/** The chosen rows as the answer wants them; null if all rows run as they were shown, so nothing has to be said.
 *  Where words have narrowed the question before, a plain yes means their rows, so every row is named. */
export function chosenRows(preview: CallPreview, choice: RowChoice, isNarrowed = false): JsonObject[] | null {
  let same = true;
  const rows = preview.rows.filter((row) => !choice.out.has(row.id)).map((row) => {
    const made: JsonObject = { id: row.id };
    for (const column of Object.keys(row.edit ?? {})) {
      const typed = choice.typed[placeOf(row.id, column)];
      const shown = row.values[column] ?? null;
      if (typed === undefined || typed === String(shown ?? "")) continue;
      made[column] = typeof shown === "number" && typed.trim() !== "" && Number.isFinite(Number(typed)) ? Number(typed) : typed;
      same = false;
    }
    return made;
  });
  return same && choice.out.size === 0 && !isNarrowed ? null : rows;
}

/** Values that were typed outside of what their rows allow, each as a sentence with the row, the column and the limits. */
export function findMisfits(preview: CallPreview, choice: RowChoice): string[] {
  return preview.rows
    .filter((row) => !choice.out.has(row.id))
    .flatMap((row) =>
      preview.columns
        .filter((column) => !isWithin(choice.typed[placeOf(row.id, column.key)], object(row.edit?.[column.key])))
        .map((column) => {
          const { minimum, maximum } = object(row.edit?.[column.key]);
          const named = preview.columns.filter((one) => !one.role && typeof row.values[one.key] !== "number").map((one) => shownValue(row.values[one.key] ?? null));
          const words = { row: named.filter((one) => one !== "–").join(" "), column: inWords(column.title), value: choice.typed[placeOf(row.id, column.key)] || "–" };
          const limit = (one: Json | undefined): string => `${typeof one === "number" ? one : "…"}${column.unit ? ` ${column.unit}` : ""}`;
          return sayApproval("outOfRange", { ...words, low: limit(minimum), high: limit(maximum) });
        }),
    );
}

function isWithin(typed: string | undefined, schema: JsonObject): boolean {
  if (typed === undefined || schema["type"] !== "number") return true;
  const value = Number(typed);
  return typed.trim() !== "" && Number.isFinite(value) && value >= (numberOf(schema["minimum"]) ?? -Infinity) && value <= (numberOf(schema["maximum"]) ?? Infinity);
}

/** Whether a person has typed over a value. */
export function useEdited(preview: CallPreview | null | undefined, choice: RowChoice): boolean {
  return useMemo(() => Boolean(preview && (chosenRows(preview, choice) ?? []).some((row) => Object.keys(row).length > 1)), [preview, choice]);
}

/** A text of both languages in the page's. */
export function inWords(value: Json | { zh: string; en: string } | undefined): string {
  if (typeof value === "string") return visibleText(value);
  return visibleText(text(object(value as Json)[language.value]) || text(object(value as Json)["en"]));
}

function shownValue(value: Json, decimals?: number): string {
  if (value === null || value === "") return "–";
  if (typeof value === "number") return shownDigits(value, decimals ?? decimalsOf([value]));
  return inWords(value);
}

function rowName(preview: CallPreview, row: PreviewRow): string {
  return preview.columns.map((column) => shownValue(row.values[column.key] ?? null)).join(" ");
}

function placeOf(row: string, column: string): string {
  return `${row}\n${column}`;
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function flipped(all: ReadonlySet<string>, one: string): Set<string> {
  const made = new Set(all);
  if (!made.delete(one)) made.add(one);
  return made;
}

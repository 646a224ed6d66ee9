import { useMemo, useState } from "preact/hooks";
import { locale, shownNumber } from "../app/language";
import type { Column, Json } from "../generated/api";
import { sayChat } from "../words/chat";
import { readingOrder } from "./column-order";
import { cellLook } from "./cell-look";
import { cellText, csvOf } from "./csv";
import { decimalsOf, shownDigits } from "./digits";
import { areFigures } from "./figures";
import { saveAs } from "./copy";
import { Icon } from "./icon";
import { TableScroll } from "./table-scroll";
import { WrittenText } from "./written-text";

/** What a table shows; `total` may be more than the rows that are here. */
export interface DataTableProps {
  title: string;
  columns: Column[];
  rows: Json[][];
  total?: number;
  more?: boolean;
}

interface Order {
  at: number;
  down: boolean;
}

const PAGE = 10;

/** A table that can be sorted, paged and saved. */
export function DataTable({ title, columns, rows, total = rows.length, more = false }: DataTableProps) {
  const [order, setOrder] = useState<Order | null>(null);
  const [page, setPage] = useState(0);
  const sorted = useMemo(() => sortedRows(rows, columns, order), [rows, columns, order]);
  const pages = Math.max(1, Math.ceil(sorted.length / PAGE));
  const at = Math.min(page, pages - 1);
  const decimals = useMemo(() => columns.map((_, place) => decimalsOf(rows.map((row) => row[place]))), [columns, rows]);
  const grouped = useMemo(() => columns.map((_, place) => rows.some((row) => Math.abs(row[place] as number) > 9999)), [columns, rows]);
  const places = useMemo(() => readingOrder(columns), [columns]);
  const figures = useMemo(() => columns.map((column, place) => column.type === "number" || areFigures(rows.map((row) => shownCell(row[place], column, 0)))), [columns, rows]);
  const sort = (column: number): void => {
    setOrder(order?.at !== column ? { at: column, down: false } : order.down ? null : { at: column, down: true });
    setPage(0);
  };
  const save = (): void => saveAs(`${title || "table"}.csv`, new Blob([csvOf(columns, rows)], { type: "text/csv" }));
  return (
    <div class="card data-table">
      <TableScroll label={title || sayChat("table")}>
        <table class="grid">
          <caption class={title ? "" : "visually-hidden"}>{title || sayChat("table")}</caption>
          <thead>
            <tr>
              {places.map((place) => {
                const column = columns[place] as Column;
                return <Head key={column.key} column={column} isFigure={figures[place] ?? false} order={order?.at === place ? order : null} onSort={() => sort(place)} />;
              })}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(at * PAGE, at * PAGE + PAGE).map((row, place) => (
              <tr key={place}>
                {places.map((cell) => {
                  const column = columns[cell] as Column;
                  const words = shownCell(row[cell], column, decimals[cell] ?? 0, grouped[cell]);
                  return (
                    <td key={column.key} class={figures[cell] ? "number" : cellLook(words)}>
                      <WrittenText text={words} />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
      <div class="table-foot small">
        <span class="muted">
          {total > rows.length ? sayChat("rowsOf", { shown: shownNumber(rows.length), total: shownNumber(total) }) : sayChat("rows", { count: shownNumber(total) })}
          {more ? " …" : ""}
        </span>
        {pages > 1 && <Pager at={at} pages={pages} onPage={setPage} />}
        <button class="button quiet small" onClick={save}>
          <Icon name="download" size={15} /> CSV
        </button>
      </div>
    </div>
  );
}

interface HeadProps {
  readonly column: Column;
  readonly isFigure: boolean;
  readonly order: Order | null;
  readonly onSort: () => void;
}

function Head({ column, isFigure, order, onSort }: HeadProps) {
  const sorted = order ? (order.down ? "descending" : "ascending") : undefined;
  return (
    <th scope="col" class={isFigure ? "number" : ""} aria-sort={sorted}>
      <button class="sort" onClick={onSort} title={sayChat("sort")}>
        <span>
          {column.title}
          {column.unit && <span class="unit"> ({column.unit})</span>}
        </span>
        <Icon name={order?.down ? "down" : "up"} size={13} />
      </button>
    </th>
  );
}

function Pager({ at, pages, onPage }: { at: number; pages: number; onPage: (page: number) => void }) {
  return (
    <span class="pager">
      <button class="button quiet small" disabled={at === 0} onClick={() => onPage(at - 1)}>
        {sayChat("previous")}
      </button>
      <span aria-live="polite">
        {at + 1} / {pages}
      </span>
      <button class="button quiet small" disabled={at >= pages - 1} onClick={() => onPage(at + 1)}>
        {sayChat("next")}
      </button>
    </span>
  );
}

/** Rows in the order of a column: numbers as numbers, texts as the reader sorts them, empty cells last. */
export function sortedRows(rows: Json[][], columns: Column[], order: Order | null): Json[][] {
  if (!order || !columns[order.at]) return rows;
  const texts = new Intl.Collator(locale(), { numeric: true });
  const sign = order.down ? -1 : 1;
  return rows.toSorted((one, other) => {
    const a = one[order.at] ?? null;
    const b = other[order.at] ?? null;
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * texts.compare(cellText(a), cellText(b));
  });
}

function shownCell(value: Json | undefined, column: Column, decimals: number, useGrouping?: boolean): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number" && column.type === "number") return shownDigits(value, decimals, { useGrouping });
  if (typeof value === "number") return shownNumber(value, { useGrouping: Math.abs(value) > 9999, maximumFractionDigits: 6 });
  if (typeof value === "boolean") return sayChat(value ? "yes" : "no");
  return cellText(value);
}

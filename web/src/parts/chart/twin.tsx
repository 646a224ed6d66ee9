import { useSignal } from "@preact/signals";

import { shownNumber } from "../../app/language";
import { pictureWords as say } from "../../words/pictures";
import { decimalsOf, shownDigits } from "../digits";
import { heading, type Cell, type ChartSpec } from "./spec";

const PAGE = 100;

/** The same data to read instead of to look at. */
export function Twin({ spec }: { readonly spec: ChartSpec }) {
  const shown = useSignal(PAGE);
  const rows = spec.rows.slice(0, shown.value);
  const decimals = spec.columns.map((_, place) => decimalsOf(spec.rows.map((row) => row[place])));
  const left = spec.rows.length - rows.length;
  if (spec.rows.length === 0) return <p class="chart-note">{say("noData")}</p>;
  return (
    <div class="chart-twin">
      <div class="chart-scroll" tabIndex={0} role="group" aria-label={spec.title || say("table")}>
        <table>
          <caption>{spec.title}</caption>
          <thead>
            <tr>
              {spec.columns.map((column) => (
                <th key={column.key} scope="col" class={column.type === "number" ? "number" : ""}>
                  {heading(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>
                {row.map((cell, place) => (
                  <td key={place} class={typeof cell === "number" ? "number" : ""}>
                    {written(cell, decimals[place] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {left > 0 && (
        <p class="chart-note">
          {say("rowsShown", { shown: shownNumber(rows.length), total: shownNumber(spec.rows.length) })}{" "}
          <button type="button" class="chart-button" onClick={() => (shown.value += PAGE)}>
            {say("moreRows", { count: Math.min(PAGE, left) })}
          </button>
        </p>
      )}
    </div>
  );
}

function written(cell: Cell, decimals: number): string {
  if (cell === null) return "–";
  return typeof cell === "number" ? shownDigits(cell, decimals, { useGrouping: Math.abs(cell) >= 10_000 }) : String(cell);
}

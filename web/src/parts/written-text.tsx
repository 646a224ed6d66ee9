import { cellLook } from "./cell-look";
import { figureColumns } from "./figures";
import { KeptText } from "./kept-text";

const HEADING = /^(#{1,6}) (.+)$/;

/** Columns of letters that stay on one line in a table inside of a cell: a date, a name. */
const NARROW = 12;

/** A text of a document as a preview tells it: headings stand out, lines with tabs are rows of a table. */
export function WrittenText({ text }: { readonly text: string }) {
  const parts = partsOf(text);
  if (parts.every((part) => part.kind === "lines")) return <KeptText text={text} />;
  return (
    <>
      {parts.map((part, at) => (
        <Part key={at} part={part} />
      ))}
    </>
  );
}

type WrittenPart = { kind: "heading"; text: string } | { kind: "lines"; text: string } | { kind: "rows"; rows: string[][] };

function Part({ part }: { readonly part: WrittenPart }) {
  if (part.kind === "heading") return <strong class="written-heading">{part.text}</strong>;
  if (part.kind === "lines") return <span class="written-lines"><KeptText text={part.text} /></span>;
  const figures = figureColumns(part.rows);
  return (
    <table class="written-rows">
      <tbody>
        {part.rows.map((row, at) => (
          <tr key={at}>
            {row.map((cell, place) => (
              <td key={place} class={figures[place] ? "number" : cellLook(cell, NARROW)}>
                <KeptText text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Whether a text has headings or rows. */
export function isStructured(text: string): boolean {
  return partsOf(text).some((part) => part.kind !== "lines");
}

/** The parts of a text; lines of a kind that follow each other are one part. */
export function partsOf(text: string): WrittenPart[] {
  const parts: WrittenPart[] = [];
  for (const line of text.split("\n")) {
    const last = parts.at(-1);
    const heading = HEADING.exec(line);
    if (heading) parts.push({ kind: "heading", text: heading[2] ?? "" });
    else if (line.includes("\t")) {
      const row = line.split("\t");
      if (last?.kind === "rows") last.rows.push(row);
      else parts.push({ kind: "rows", rows: [row] });
    } else if (last?.kind === "lines") last.text += `\n${line}`;
    else parts.push({ kind: "lines", text: line });
  }
  return parts;
}

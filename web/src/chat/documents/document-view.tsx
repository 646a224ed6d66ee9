import { useEffect, useState } from "preact/hooks";
import { get, send } from "../../app/api";
import { problemText } from "../../app/problem";
import type { DocumentView as View, ViewBlock, ViewCell, ViewComment, ViewRun } from "../../generated/api";
import { cellLook } from "../../parts/cell-look";
import { saveAs } from "../../parts/copy";
import { Dialog } from "../../parts/dialog";
import { figureColumns } from "../../parts/figures";
import { TableScroll } from "../../parts/table-scroll";
import { sayChat } from "../../words/chat";
import { sayDocuments } from "../../words/documents";
import "../../styles/documents.css";
import { draft } from "../outbox";
import { conversation } from "../session";
import { mentionOf, versionsOf } from "./mention";
import { nameOf, viewing, type Viewed } from "./viewing";

/** A document of the conversation as text: tracked changes, comments, sheets and slides; a click puts the cursor there. */
export default function DocumentView({ shown }: { shown: Viewed }) {
  const { original, written } = versionsOf(shown.path);
  const [path, setPath] = useState(written ?? shown.path);
  const [view, setView] = useState<View | null>(null);
  const [problem, setProblem] = useState("");
  const id = conversation.value?.id ?? "";
  useEffect(() => {
    setView(null);
    setProblem("");
    get<View>(addressOf(id, "view", path)).then(setView, (thrown: unknown) => setProblem(problemText(thrown)));
  }, [id, path]);
  const close = (): void => void (viewing.value = null);
  const place = (address: string): void => {
    const text = draft.value;
    draft.value = `${text}${text && !text.endsWith(" ") ? " " : ""}${mentionOf(shown.name, address)}`;
    close();
    document.getElementById("composer")?.focus();
  };
  const draw = async (): Promise<void> => {
    try {
      const pages = await send("GET", addressOf(id, "pages", path), { headers: { Accept: "application/pdf" } });
      saveAs(`${nameOf(path)}.pdf`, await pages.blob());
    } catch (thrown) {
      setProblem(problemText(thrown));
    }
  };
  return (
    <Dialog title={shown.name} onClose={close} wide>
      <div class="document-tools">
        {original && written && (
          <span role="group" aria-label={sayDocuments("version")}>
            <button class="button small" aria-pressed={path === written} onClick={() => setPath(written)}>
              {sayDocuments("written")}
            </button>
            <button class="button small" aria-pressed={path === original} onClick={() => setPath(original)}>
              {sayDocuments("original")}
            </button>
          </span>
        )}
        <button class="button quiet small" onClick={() => void draw()}>
          {sayDocuments("exact")}
        </button>
        <span class="muted small">{sayDocuments("cursorHint")}</span>
      </div>
      {problem && (
        <p class="field-error" role="alert">
          {problem}
        </p>
      )}
      {!view && !problem && <p class="muted loading">{sayDocuments("loading")}</p>}
      {view && <Blocks view={view} onPlace={place} />}
    </Dialog>
  );
}

function addressOf(id: string, what: "view" | "pages", path: string): string {
  return `/api/conversations/${encodeURIComponent(id)}/${what}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

interface BlocksProps {
  readonly view: View;
  readonly onPlace: (address: string) => void;
}

function Blocks({ view, onPlace }: BlocksProps) {
  return (
    <div class={`document-pages document-${view.kind}`}>
      {view.blocks.map((block) => (
        <Block key={block.address} block={block} comments={view.comments} onPlace={onPlace} />
      ))}
      {view.blocks.length === 0 && <p class="muted">{sayDocuments("empty")}</p>}
      {view.truncated && <p class="muted small">{sayDocuments("truncated")}</p>}
    </div>
  );
}

interface BlockProps {
  readonly block: ViewBlock;
  readonly comments: readonly ViewComment[];
  readonly onPlace: (address: string) => void;
}

function Block({ block, comments, onPlace }: BlockProps) {
  if (block.kind === "table") return <Table block={block} comments={comments} onPlace={onPlace} />;
  if (block.kind === "sheet") return <Sheet block={block} onPlace={onPlace} />;
  if (block.kind === "slide") return <Slide block={block} onPlace={onPlace} />;
  const mine = comments.filter((one) => one.address === block.address);
  return (
    <div class={`document-line${block.kind === "heading" ? " document-heading" : ""}`} data-level={block.level} data-align={block.align}>
      <p onClick={() => onPlace(block.address)} title={sayDocuments("putCursor")} data-address={block.address}>
        {block.number && <span class="document-number">{block.number} </span>}
        <Runs runs={block.runs ?? []} />
      </p>
      {mine.length > 0 && (
        <div class="document-comments">
          {mine.map((one) => (
            <aside key={one.id} class="document-comment small">
              <b>{one.author}</b> {one.text}
            </aside>
          ))}
        </div>
      )}
    </div>
  );
}

function Runs({ runs }: { runs: readonly ViewRun[] }) {
  return (
    <>
      {runs.map((run, at) => {
        const text = run.bold ? <b>{run.text}</b> : run.text;
        const shown = run.comment ? <mark>{text}</mark> : text;
        if (run.mark === "ins") return <ins key={at}>{shown}</ins>;
        if (run.mark === "del") return <del key={at}>{shown}</del>;
        return <span key={at}>{shown}</span>;
      })}
    </>
  );
}

function Table({ block, comments, onPlace }: BlockProps) {
  const mine = comments.filter((one) => one.address.startsWith(`${block.address}.`));
  const figures = figureColumns((block.rows ?? []).map((row) => row.map(cellWords)));
  return (
    <div class="document-table">
      <TableScroll label={sayChat("table")}>
        <table class="grid">
        <tbody>
          {(block.rows ?? []).map((row, at) => (
            <tr key={at}>
              {row.map((cell, place) => (
                <td key={cell.address} class={figures[place] ? "number" : cellLook(cellWords(cell))} data-address={cell.address} onClick={() => onPlace(cell.address)}>
                  <Runs runs={cell.runs ?? []} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        </table>
      </TableScroll>
      {mine.map((one) => (
        <aside key={one.id} class="document-comment small">
          <b>{one.author}</b> {one.text}
        </aside>
      ))}
    </div>
  );
}

function Sheet({ block, onPlace }: Omit<BlockProps, "comments">) {
  const columns = Array.from({ length: block.columns ?? 0 }, (_, at) => at + 1);
  return (
    <section class="document-sheet">
      <h3>{block.title}</h3>
      <TableScroll label={block.title ?? ""}>
        <table class="grid">
          <thead>
            <tr>
              <th aria-label={sayDocuments("row")} />
              {columns.map((column) => (
                <th key={column} scope="col">
                  {letterOf(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(block.lines ?? []).map((line) => (
              <tr key={line.number}>
                <th scope="row">{line.number}</th>
                {columns.map((column) => (
                  <SheetCell key={column} cell={line.cells.find((one) => one.column === column)} onPlace={onPlace} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  );
}

function SheetCell({ cell, onPlace }: { cell: ViewCell | undefined; onPlace: (address: string) => void }) {
  if (!cell) return <td />;
  return (
    <td class={`${cell.number ? "number" : cellLook(cell.text || cell.formula || "")} ${cell.formula ? "document-formula" : ""}`} title={cell.formula || undefined} data-address={cell.address} onClick={() => onPlace(cell.address)}>
      {cell.text || cell.formula}
    </td>
  );
}

function cellWords(cell: ViewCell): string {
  return (cell.runs ?? []).map((run) => run.text).join("");
}

function Slide({ block, onPlace }: Omit<BlockProps, "comments">) {
  return (
    <article class="card document-slide" data-address={block.address} onClick={() => onPlace(block.address)}>
      <h3>
        <span class="muted small">{block.address.slice(1)}</span> {block.title}
      </h3>
      <ul>
        {(block.texts ?? []).map((line, at) => (
          <li key={at}>{line}</li>
        ))}
      </ul>
      {block.notes && <p class="muted small">{block.notes}</p>}
    </article>
  );
}

function letterOf(column: number): string {
  return column > 26 ? letterOf(Math.floor((column - 1) / 26)) + letterOf(((column - 1) % 26) + 1) : String.fromCharCode(64 + column);
}

/** Ids of letters, digits and hyphens, and numbers with their units: what is read as one word. */
const KEPT = /(?<![\w-])(?=[\w.-]*\d)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)+(?![\w-])|[+\-−]?\d[\d.,]*[ \u00a0](?:[%‰]|°[CF]?|[A-Za-zµΩ]{1,4}(?:\/[A-Za-z]{1,2})?)(?![\w-])/gu;
/** Letters that stay together; longer ones may be broken, or they would not fit a phone. */
const MOST = 24;

/** A piece of a text, and whether it stays on one line. */
export interface Piece {
  readonly text: string;
  readonly kept: boolean;
}

/** A text cut where something stands that no line may break. */
export function keptPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const found of text.matchAll(KEPT)) {
    if (found[0].length > MOST) continue;
    if (found.index > at) pieces.push({ text: text.slice(at, found.index), kept: false });
    pieces.push({ text: found[0], kept: true });
    at = found.index + found[0].length;
  }
  if (at < text.length || pieces.length === 0) pieces.push({ text: text.slice(at), kept: false });
  return pieces;
}

/** A text in which ids, and numbers with their units, stay on one line. */
export function KeptText({ text }: { readonly text: string }) {
  const pieces = keptPieces(text);
  if (!pieces.some((one) => one.kept)) return <>{text}</>;
  return (
    <>
      {pieces.map((one, at) => (one.kept ? <span key={at} class="kept">{one.text}</span> : one.text))}
    </>
  );
}

/** A piece of a text, and whether the other text lacks it. */
export interface ChangedPiece {
  readonly text: string;
  readonly changed: boolean;
}

/** Words with their letters, single Chinese characters, single signs, and blanks: what a change takes out or puts in. */
const WORD = /[\p{Script=Latin}\p{N}_]+(?:[.,:/-][\p{Script=Latin}\p{N}_]+)*|\s+|[^]/gu;
/** Pairs of words that are compared; beyond, all between the common beginning and the common end counts as changed. */
const MOST_PAIRS = 250_000;

/** Both texts in pieces that say where they differ; null where they share too little for that to help a reader. */
export function changedWords(before: string, after: string): { before: ChangedPiece[]; after: ChangedPiece[] } | null {
  const [old, made] = [before.match(WORD) ?? [], after.match(WORD) ?? []];
  const kept = commonWords(old, made);
  const shared = kept.reduce((sum, [at]) => sum + (old[at] ?? "").trim().length, 0);
  if (shared * 3 < Math.min(before.length, after.length) || shared === 0) return null;
  return { before: piecesOf(old, new Set(kept.map(([at]) => at))), after: piecesOf(made, new Set(kept.map(([, at]) => at))) };
}

/** Places of the words that both texts have in the same order. */
function commonWords(old: readonly string[], made: readonly string[]): [number, number][] {
  let head = 0;
  while (head < old.length && head < made.length && old[head] === made[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < made.length - head && old[old.length - 1 - tail] === made[made.length - 1 - tail]) tail++;
  const found: [number, number][] = Array.from({ length: head }, (_, at) => [at, at]);
  found.push(...between(old.slice(head, old.length - tail), made.slice(head, made.length - tail)).map(([a, b]): [number, number] => [a + head, b + head]));
  for (let at = tail; at > 0; at--) found.push([old.length - at, made.length - at]);
  return found;
}

function between(old: readonly string[], made: readonly string[]): [number, number][] {
  if (old.length * made.length > MOST_PAIRS) return [];
  const width = made.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  const at = (a: number, b: number): number => lengths[a * width + b] ?? 0;
  for (let a = old.length - 1; a >= 0; a--)
    for (let b = made.length - 1; b >= 0; b--) lengths[a * width + b] = old[a] === made[b] ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1));
  const found: [number, number][] = [];
  for (let a = 0, b = 0; a < old.length && b < made.length; ) {
    if (old[a] === made[b]) found.push([a++, b++]);
    else if (at(a + 1, b) >= at(a, b + 1)) a++;
    else b++;
  }
  return found;
}

/** Words as pieces; a blank between two changed words is changed with them. */
function piecesOf(words: readonly string[], kept: ReadonlySet<number>): ChangedPiece[] {
  const pieces: { text: string; changed: boolean }[] = [];
  words.forEach((word, at) => {
    const isBridge = !word.trim() && at > 0 && at < words.length - 1 && !kept.has(at - 1) && !kept.has(at + 1);
    const changed = isBridge || !kept.has(at);
    const last = pieces.at(-1);
    if (last?.changed === changed) last.text += word;
    else pieces.push({ text: word, changed });
  });
  return pieces;
}

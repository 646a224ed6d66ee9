/** A thing that was found, how well it fits, and which letters of its text did. */
export interface Match<Thing> {
  thing: Thing;
  score: number;
  hits: number[];
}

/** How well letters stand in a text in their order, whole words and beginnings first; null when they do not. */
export function fuzzy(letters: string, text: string): { score: number; hits: number[] } | null {
  const wanted = Array.from(letters.toLowerCase().replace(/\s+/g, ""));
  const given = Array.from(text.toLowerCase());
  if (wanted.length === 0) return { score: 0, hits: [] };
  const whole = given.join("").indexOf(wanted.join(""));
  if (whole >= 0) {
    const start = Array.from(given.join("").slice(0, whole)).length;
    const hits = wanted.map((_, at) => start + at);
    return { score: 100 + (start === 0 ? 50 : isStart(given, start) ? 25 : 0) - given.length / 100, hits };
  }
  const hits: number[] = [];
  let score = 0;
  let from = 0;
  for (const letter of wanted) {
    const at = given.indexOf(letter, from);
    if (at < 0) return null;
    score += (at === from && hits.length > 0 ? 5 : 0) + (isStart(given, at) ? 4 : 0) + 1;
    hits.push(at);
    from = at + 1;
  }
  return { score: score - given.length / 100, hits };
}

/** The things whose texts fit, best first; the first text counts double. */
export function found<Thing>(letters: string, things: readonly Thing[], textsOf: (thing: Thing) => string[]): Match<Thing>[] {
  const matches: Match<Thing>[] = [];
  for (const thing of things) {
    let best: Match<Thing> | null = null;
    textsOf(thing).forEach((text, at) => {
      const one = fuzzy(letters, text);
      const score = one ? one.score * (at === 0 ? 2 : 1) : 0;
      if (one && (!best || score > best.score)) best = { thing, score, hits: at === 0 ? one.hits : [] };
    });
    if (best) matches.push(best);
  }
  return matches.sort((one, other) => other.score - one.score);
}

function isStart(given: string[], at: number): boolean {
  return at === 0 || /[\s\-_/.:]/.test(given[at - 1] ?? "");
}

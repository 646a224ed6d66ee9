const CLAUSE = /[，、：；。,:;]/;

/** The beginning of a text in so many letters, a Chinese one counted twice: cut after a clause, else between words. */
export function shorten(text: string, most: number): string {
  let size = 0;
  let clause = 0;
  let word = 0;
  for (const [at, letter] of [...text].entries()) {
    const wide = letter > "\u2e7f";
    size += wide ? 2 : 1;
    if (size > most) {
      const end = clause > at / 2 ? clause : word || at;
      return `${[...text].slice(0, end).join("").trimEnd()}…`;
    }
    if (CLAUSE.test(letter)) clause = at;
    if (wide || letter === " ") word = at;
  }
  return text;
}

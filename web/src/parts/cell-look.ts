/** Columns of letters that a cell may be wide on one line; a Chinese character is two. */
const SHORT = 36;

/** The class of a cell: a long text wraps between words, a short one and every number stays on its line. */
export function cellLook(words: string, most = SHORT): "long" | "short" {
  if (words.includes("\n")) return "long";
  let width = 0;
  for (const letter of words) {
    width += letter > "\u2e7f" ? 2 : 1;
    if (width > most) return "long";
  }
  return "short";
}

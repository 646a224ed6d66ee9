/** Something that the quick jump can go to; `words` find it too. */
export interface Target {
  readonly text: string;
  readonly note: string;
  readonly address: string;
  readonly words?: string;
}

/** How well a text fits what was typed: letters in order, the closer together and the nearer the start the better; null for not at all. */
export function fit(typed: string, text: string): number | null {
  const [wanted, given] = [typed.trim().toLowerCase(), text.toLowerCase()];
  if (!wanted) return 0;
  const whole = given.indexOf(wanted);
  if (whole >= 0) return 1000 - whole;
  let [at, score] = [0, 0];
  for (const letter of wanted.replaceAll(" ", "")) {
    const found = given.indexOf(letter, at);
    if (found < 0) return null;
    score += found === at ? 5 : 1;
    at = found + letter.length;
  }
  return score;
}

/** The targets that fit, the best first; equal ones keep their order. */
export function found(typed: string, targets: readonly Target[], most = 12): Target[] {
  return targets
    .map((target) => ({
      target,
      score: best(fit(typed, target.text), inside(typed, `${target.address.split("/").at(-1) ?? ""} ${target.words ?? ""}`)),
    }))
    .filter((one) => one.score !== null)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .slice(0, most)
    .map((one) => one.target);
}

/** Whether a text may be the id of a turn or conversation. */
export function looksLikeId(typed: string): boolean {
  return /^[0-9a-f]{16,}$/i.test(typed.trim());
}

/** Other words find a target only whole: letters in order would find too much in them. */
function inside(typed: string, words: string): number | null {
  return words.toLowerCase().includes(typed.trim().toLowerCase()) ? 500 : null;
}

function best(one: number | null, other: number | null): number | null {
  if (one === null) return other;
  return other === null ? one : Math.max(one, other);
}

/** A number as people write it: a sign, a currency, groups, a power of ten, a short unit. */
const FIGURE = /^[(（]?[+\-−±~≈<>≤≥]?\s?[¥￥$€£]?\s?[+\-−]?\d[\d,，]*(?:\.\d+)?(?:[eE][+-]?\d+)?(?:\s?(?:%|‰|°[CF]?|×|个?百分点|[万亿]?[元吨米年天分秒个次台条人件份页行])|\s[A-Za-zµΩ]{1,5}(?:\/[A-Za-z]{1,3})?|[A-Za-zµΩ]{2,5}(?:\/[A-Za-z]{1,3})?)?[)）]?$/u;
/** A cell that says nothing of its column: empty, a dash, a date, a formula. */
const NEUTRAL = /^(?:|[-–—/]|n\/?a|\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?|=.*)$/i;
/** A number that only names something keeps its zeros: it is read as a word. */
const NAME = /^0\d/;

/** Whether a text is a number, with its unit or without. */
export function isFigure(text: string): boolean {
  const words = text.trim();
  return FIGURE.test(words) && !NAME.test(words);
}

/** Whether the cells of a column are numbers, so that they stand at its end. */
export function areFigures(cells: readonly string[]): boolean {
  const told = cells.map((cell) => cell.trim()).filter((cell) => !NEUTRAL.test(cell));
  return told.length > 0 && told.every(isFigure);
}

/** Which columns of a table hold numbers; the first row may be their names. */
export function figureColumns(rows: readonly (readonly string[])[]): boolean[] {
  const width = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: width }, (_, place) => {
    const [head = "", ...cells] = rows.map((row) => row[place] ?? "");
    return areFigures(cells.length > 0 && !isFigure(head) ? cells : [head, ...cells]);
  });
}

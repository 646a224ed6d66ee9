/** The colours of charts, read from the page's tokens so that both themes come out of one file. */

/** What a chart needs to know of the page's looks. */
export interface Look {
  readonly text: string;
  readonly faint: string;
  readonly line: string;
  readonly ground: string;
  readonly raised: string;
  readonly font: string;
  readonly series: readonly string[];
  readonly scale: readonly string[];
}

const SERIES_TOKENS = 8;

/** Looks that need no page: for tests, and where a token is missing. */
export const PLAIN_LOOK: Look = {
  text: "#1f2430",
  faint: "#5b6475",
  line: "#d9dde5",
  ground: "#ffffff",
  raised: "#ffffff",
  font: "system-ui, sans-serif",
  series: ["#5b5bd6", "#0e8f6e", "#c2571a", "#b0307a", "#2b7fc4", "#8a6d00", "#c03434", "#5f6b7a"],
  scale: ["#440154", "#3b528b", "#21918c", "#5ec962", "#fde725"],
};

/** The looks in force at an element. Colours are resolved by the browser: `light-dark()` and `var()` come out as rgb. */
export function lookAt(element: Element): Look {
  const probe = document.createElement("span");
  element.append(probe);
  const token = (name: string, otherwise: string): string => {
    probe.style.color = "";
    probe.style.color = `var(${name}, ${otherwise})`;
    return getComputedStyle(probe).color || otherwise;
  };
  const look: Look = {
    text: token("--chart-text", PLAIN_LOOK.text),
    faint: token("--chart-faint", PLAIN_LOOK.faint),
    line: token("--chart-line", PLAIN_LOOK.line),
    ground: token("--chart-ground", PLAIN_LOOK.ground),
    raised: token("--chart-raised", PLAIN_LOOK.raised),
    font: fontOf(element),
    series: Array.from({ length: SERIES_TOKENS }, (_, at) => token(`--chart-${at + 1}`, PLAIN_LOOK.series[at] ?? "")),
    scale: PLAIN_LOOK.scale,
  };
  probe.remove();
  return look;
}

/** The font with single quotes: the library writes it into an attribute of the saved picture as it is. */
function fontOf(element: Element): string {
  return getComputedStyle(element).fontFamily.replaceAll('"', "'") || PLAIN_LOOK.font;
}

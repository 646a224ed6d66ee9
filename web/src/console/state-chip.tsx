import { consoleWords as say, type ConsoleWord } from "../words/console";

const TONES: Readonly<Record<string, string>> = {
  running: "busy",
  paused: "warn",
  done: "good",
  failed: "bad",
  interrupted: "bad",
};

/** How a turn stands, as a coloured word. */
export function StateChip({ state }: { readonly state: string }) {
  const tone = TONES[state];
  return <span class={`chip ${tone ?? ""}`}>{tone ? say(`state_${state}` as ConsoleWord) : state}</span>;
}

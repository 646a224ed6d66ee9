import { pictureWords as say } from "../../words/pictures";

/** What the switches of the series need. */
export interface LegendProps {
  readonly names: readonly string[];
  readonly hidden: ReadonlySet<string>;
  readonly onChange: (hidden: ReadonlySet<string>) => void;
}

/** The series as switches that a keyboard reaches, each with its colour. */
export function Legend({ names, hidden, onChange }: LegendProps) {
  const toggle = (name: string): void => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    onChange(next);
  };
  return (
    <div class="chart-legend" role="group" aria-label={say("series")}>
      {names.map((name, at) => (
        <button key={name} type="button" aria-pressed={!hidden.has(name)} onClick={() => toggle(name)}>
          <span class={`chart-swatch chart-swatch-${(at % 8) + 1}`} aria-hidden="true" />
          {name}
        </button>
      ))}
    </div>
  );
}

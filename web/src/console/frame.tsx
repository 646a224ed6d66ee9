import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

import { place } from "../app/router";
import { TableScroll } from "../parts/table-scroll";
import { consoleWords as say, type ConsoleWord } from "../words/console";

/** The head of a page: its name, what it is for, the link to its data, and its own buttons. */
export function PageHead({
  title,
  lead,
  children,
}: {
  readonly title: string;
  readonly lead: string;
  readonly children?: ComponentChildren;
}) {
  const { path, query } = place.value;
  const asked = query.toString();
  const twin = `${path === "/console" || path === "/console/" ? "/console/timeline" : path.replace(/\/$/, "")}.json${asked ? `?${asked}` : ""}`;
  return (
    <header class="console-head">
      <div>
        <h1>{title}</h1>
        <p class="muted">{lead}</p>
      </div>
      <div class="actions">
        {children}
        <a class="button quiet small" href={twin} title={say("jsonTitle")}>
          .json
        </a>
      </div>
    </header>
  );
}

/** A part of a page under its own heading. */
export function Block({
  title,
  side,
  children,
}: {
  readonly title: string;
  readonly side?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="console-block">
      <div class="console-block-head">
        <h2>{title}</h2>
        {side}
      </div>
      {children}
    </section>
  );
}

/** A figure with its name. */
export interface Tile {
  readonly name: string;
  readonly value: string;
  readonly tone?: "good" | "bad" | "warn";
}

/** Figures beside each other. */
export function Tiles({ tiles }: { readonly tiles: readonly Tile[] }) {
  return (
    <dl class="console-tiles">
      {tiles.map((tile) => (
        <div key={tile.name} class={tile.tone ? `tone-${tile.tone}` : ""}>
          <dt>{tile.name}</dt>
          <dd>{tile.value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Names and values under each other; those without a value are left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="console-facts">
      {facts
        .filter(([, value]) => value !== "" && value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Says that there is nothing, and what to do about it. */
export function Nothing({ children }: { readonly children: ComponentChildren }) {
  return <p class="console-nothing">{children}</p>;
}

/** A value as JSON that can be read and copied. */
export function RawJson({ value }: { readonly value: unknown }) {
  const written = JSON.stringify(value, null, 2);
  return (
    <div class="console-raw">
      <CopyButton text={written} />
      <pre tabIndex={0} role="region" aria-label={say("raw")}>
        {written}
      </pre>
    </div>
  );
}

/** A button that copies a text, and says whether it could. */
export function CopyButton({ text, label = "copy" }: { readonly text: string; readonly label?: ConsoleWord }) {
  const state = useSignal<ConsoleWord>(label);
  const copy = (): void => {
    const done = (word: ConsoleWord): void => {
      state.value = word;
      setTimeout(() => (state.value = label), 2000);
    };
    navigator.clipboard.writeText(text).then(
      () => done("copied"),
      () => done("copyFailed"),
    );
  };
  return (
    <button type="button" class="button quiet small" aria-live="polite" onClick={copy}>
      {say(state.value)}
    </button>
  );
}

/** Switches of which one is on. */
export interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly value: Value;
  readonly onPick: (value: Value) => void;
}

/** A few choices beside each other. */
export function Choice<Value extends string>({ label, options, value, onPick }: ChoiceProps<Value>) {
  return (
    <div class="segments console-choice" role="group" aria-label={label}>
      {options.map((option) => (
        <button key={option.value} type="button" aria-pressed={option.value === value} onClick={() => onPick(option.value)}>
          {option.text}
        </button>
      ))}
    </div>
  );
}

/** A table that scrolls in its own frame, says so, and can be reached by keyboard. */
export function DataTable({
  caption,
  heads,
  children,
}: {
  readonly caption: string;
  readonly heads: readonly Head[];
  readonly children: ComponentChildren;
}) {
  return (
    <div class="console-table card">
      <TableScroll label={caption}>
      <table class="grid">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head.text} scope="col" class={head.number ? "number" : ""}>
                {head.text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
      </TableScroll>
    </div>
  );
}

/** The heading of a column. */
export interface Head {
  readonly text: string;
  readonly number?: boolean;
}

/** Headings by their words; the `numbers` among them stand at the end of their column. */
export function headsOf(words: readonly ConsoleWord[], numbers: readonly ConsoleWord[] = []): Head[] {
  return words.map((word) => ({ text: say(word), number: numbers.includes(word) }));
}

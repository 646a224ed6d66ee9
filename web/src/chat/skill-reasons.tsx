import { shownElapsed } from "../app/language";
import type { Routing } from "../events/state";
import { object, texts } from "../events/read";
import type { Json } from "../generated/api";
import { joined, said, saidReason } from "../parts/said";
import { taskTypeTitle } from "../parts/task-type";
import { sayWhy } from "../words/skill-reasons";
import { skillCard } from "./catalog";

export interface WhyProps {
  readonly id: string;
  readonly why: string;
  readonly routing: Routing | null;
}

const REASONS: Record<string, "whySure" | "whyNamed" | "whyCaller" | "whyChosen" | "whyModel" | "whyPack"> = {
  "the router is sure": "whySure",
  "a pack knows the message": "whyPack",
  "the user named it": "whyNamed",
  "the caller named it": "whyCaller",
  "the user chose it": "whyChosen",
  "the model chose it": "whyModel",
};

/** Why a skill was chosen: the reason, the words that hit, and how near the others were. */
export function Why({ id, why, routing }: WhyProps) {
  const reason = REASONS[why];
  const mine = routing?.candidates.find((one) => one.skill === id);
  return (
    <div class="why small">
      <p>{reason ? sayWhy(reason) : why}</p>
      {mine && mine.why.length > 0 && (
        <ul>
          {mine.why.map(reasonWords).map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      {routing && routing.candidates.length > 0 && (
        <ol class="candidates">
          {routing.candidates.slice(0, 4).map((one) => (
            <li key={one.skill} class={one.skill === id ? "mine" : ""}>
              <span>{skillCard(one.skill)?.title ?? one.skill}</span>
              <meter min={0} max={1} value={one.score} aria-label={one.skill} />
              <span class="number">{one.score.toFixed(2)}</span>
            </li>
          ))}
        </ol>
      )}
      {routing && routing.notes.map((note) => <p key={note.text} class="muted">{said(note)}</p>)}
      {routing && routing.types.length > 0 && <p class="muted">{sayWhy("taskTypes", { types: routing.types.map(taskTypeTitle).join(" · ") })}</p>}
      {routing && <p class="muted">{sayWhy("routedIn", { time: shownElapsed(routing.elapsed_ms) })}</p>}
    </div>
  );
}

/** One reason with the words, the example or the triggers that it rests on, in the reader's language. */
function reasonWords(reason: Json): string {
  const one = object(reason);
  const sentence = saidReason(one);
  const words = texts(one["words"]);
  return words.length > 0 ? sayWhy("withWords", { text: sentence, words: joined(words) }) : sentence;
}

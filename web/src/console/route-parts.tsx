import { useSignal } from "@preact/signals";

import { shownNumber } from "../app/language";
import { joined, said, saidReason } from "../parts/said";
import { consoleWords as say, type ConsoleWord } from "../words/console";
import { Block, CopyButton, Nothing } from "./frame";
import { addressOf } from "./pages";
import { SkillName } from "./skill-name";
import { evalCases, highlighted, hitWords, type CandidateView, type Feature, type RouteView, type Thresholds } from "./route-model";

const TONES: Readonly<Record<string, string>> = { auto: "good", suggest: "warn", none: "" };
const ROUTES: readonly string[] = ["explicit", "list", "sticky", "search", "empty"];
const FEATURES: readonly string[] = [
  "words",
  "synonyms",
  "translated",
  "meaning",
  "triggers",
  "phrases",
  "excluded",
  "same_example",
  "asks_meaning",
  "negated",
];
/** Their words are shown as chips. */
const AS_CHIPS: readonly string[] = ["triggers", "negated"];

/** A decision: the verdict, every candidate with its reasons, and who was not offered. */
export function Decided({ view }: { readonly view: RouteView }) {
  return (
    <>
      <Verdict view={view} />
      <Block
        title={say("candidates")}
        side={<span class="muted small">{say("thresholds", { suggest: view.thresholds.suggest, auto: view.thresholds.auto })}</span>}
      >
        {view.candidates.length === 0 ? (
          <Nothing>{say("noCandidates")}</Nothing>
        ) : (
          <ol class="console-candidates">
            {view.candidates.map((one) => (
              <Candidate key={one.skill} one={one} thresholds={view.thresholds} />
            ))}
          </ol>
        )}
      </Block>
      {view.filtered.length > 0 && (
        <Block title={say("filtered")}>
          <ul class="console-plain">
            {view.filtered.map((one) => (
              <li key={one.skill}>
                <SkillName id={one.skill} link />: {said(one)} <code>{one.code}</code>
              </li>
            ))}
          </ul>
        </Block>
      )}
      <SaveCase view={view} />
    </>
  );
}

function Verdict({ view }: { readonly view: RouteView }) {
  const chosen = view.candidates.filter((one) => view.skills.includes(one.skill));
  const words = (chosen.length > 0 ? chosen : view.candidates.slice(0, 1)).flatMap(hitWords);
  return (
    <div class="card console-pad console-verdict">
      <p class="console-verdict-line">
        <span class={`chip ${TONES[view.verdict] ?? ""}`}>
          {view.verdict in TONES ? say(`verdict_${view.verdict}` as ConsoleWord) : view.verdict}
        </span>
        <strong>
          {view.skills.map((skill, at) => (
            <span key={skill}>
              {at > 0 && ", "}
              <SkillName id={skill} /> <code>{skill}</code>
            </span>
          ))}
        </strong>
        <span class="muted">
          {ROUTES.includes(view.route) ? say(`route_${view.route}` as ConsoleWord) : view.route} ·{" "}
          {say("tookMs", { ms: shownNumber(view.elapsed_ms, { maximumFractionDigits: 1 }) })}
          {view.meant !== null && ` · ${say("meant", { value: percent(view.meant) })}`}
          {view.margin !== null && ` · ${say("margin", { value: percent(view.margin) })}`}
          {!view.vectors && ` · ${say("noVectors")}`}
        </span>
      </p>
      <p class="console-said">
        {highlighted(view.message, words).map((piece, at) =>
          piece.hit ? <mark key={at}>{piece.text}</mark> : <span key={at}>{piece.text}</span>,
        )}
      </p>
      {view.notes.map((note) => (
        <p key={note.text} class="muted small">
          {said(note)}
        </p>
      ))}
    </div>
  );
}

function Candidate({ one, thresholds }: { readonly one: CandidateView; readonly thresholds: Thresholds }) {
  return (
    <li class="card console-pad console-candidate">
      <div class="console-candidate-head">
        <a href={addressOf("skills", one.skill)}>{one.title}</a>
        {one.title !== one.skill && <code>{one.skill}</code>}
        <span class={`console-score tone-${TONES[one.band] || "none"}`}>
          {shownNumber(one.score, { minimumFractionDigits: 3, maximumFractionDigits: 3 })}
        </span>
      </div>
      <div
        class={`console-meter band-${one.band}`}
        role="meter"
        aria-label={`${say("probability")} ${one.title}`}
        aria-valuemin={0}
        aria-valuemax={1}
        aria-valuenow={one.score}
      >
        <span class="console-meter-fill" style={{ width: `${one.score * 100}%` }} />
        <span class="console-meter-line" style={{ left: `${thresholds.suggest * 100}%` }} />
        <span class="console-meter-line strong" style={{ left: `${thresholds.auto * 100}%` }} />
      </div>
      <dl class="console-features">
        {one.features.map((feature, at) => (
          <FeatureRow key={at} feature={feature} />
        ))}
      </dl>
      {one.hits.length > 0 && (
        <p class="console-chips">
          {one.hits.map((hit) => (
            <span key={hit} class="chip accent">
              {hit}
            </span>
          ))}
        </p>
      )}
      {one.negated.length > 0 && (
        <p class="console-chips">
          {one.negated.map((word) => (
            <span key={word} class="chip bad">
              ¬ {word}
            </span>
          ))}
        </p>
      )}
    </li>
  );
}

function FeatureRow({ feature }: { readonly feature: Feature }) {
  const width = Math.min(1, Math.abs(feature.value)) * 100;
  return (
    <div>
      <dt>{FEATURES.includes(feature.feature) ? say(`feature_${feature.feature}` as ConsoleWord) : feature.feature}</dt>
      <dd class="console-feature-bar" aria-hidden="true">
        <span class={feature.value < 0 ? "less" : ""} style={{ width: `${width}%` }} />
      </dd>
      <dd class="number">{shownNumber(feature.value, { maximumFractionDigits: 3 })}</dd>
      <dd class="muted">{spoke(feature)}</dd>
    </div>
  );
}

/** A reason in the reader's language; one that is not known keeps the server's words. */
function spoke({ feature, words, reason }: Feature): string {
  const told = saidReason(reason);
  return FEATURES.includes(feature) && !AS_CHIPS.includes(feature) && words.length > 0 ? say("withWords", { text: told, words: joined(words) }) : told;
}

function SaveCase({ view }: { readonly view: RouteView }) {
  const chosen = view.verdict === "auto" ? (view.skills[0] ?? "") : (view.candidates[0]?.skill ?? "");
  const expected = useSignal<string | null>(null);
  const wanted = expected.value ?? chosen;
  const cases = JSON.stringify(evalCases(view, wanted || null), null, 2);
  return (
    <Block title={say("copyCase")}>
      <div class="card console-pad console-case">
        <label class="field">
          <span class="field-label">{say("expected")}</span>
          <select value={wanted} onChange={(change) => (expected.value = change.currentTarget.value)}>
            {view.candidates.map((one) => (
              <option key={one.skill} value={one.skill}>
                {one.title}
              </option>
            ))}
            <option value="">{say("none")}</option>
          </select>
        </label>
        <pre tabIndex={0} role="region" aria-label="evals/eval_queries.json">
          {cases}
        </pre>
        <CopyButton text={cases} label="copyCase" />
      </div>
    </Block>
  );
}

function percent(value: number): string {
  return `${Math.round(value * 100)}%`;
}

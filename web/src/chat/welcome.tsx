import { useState } from "preact/hooks";
import { openModelDialog } from "../app/model-status";
import { defaultModel, withoutModel } from "../app/models";
import { Icon } from "../parts/icon";
import { sayChat } from "../words/chat";
import { catalogLoaded, catalogProblem, loadCatalog, packCards, skills, type PackCard } from "./catalog";
import { submit } from "./outbox";

const EACH = 3;
const EACH_OF_MANY = 2; // the cards of four packs stay short
const MANY = 3;
const CROWD = 4; // more cards stand three in a row, without the mark
const MOST_SKILLS = 6;

/** The first page: what this is, and what to try; a click on an example begins with it. */
export function Welcome() {
  const packs = packCards().filter((pack) => pack.examples.length > 0);
  const cards = packs.length > 0 ? packs : skillCards();
  return (
    <div class="welcome">
      <div class={cards.length > CROWD ? "welcome-inner crowded" : "welcome-inner"}>
        {cards.length <= CROWD && (
          <span class="welcome-mark">
            <Icon name="mark" size={34} />
          </span>
        )}
        <h2>{sayChat("welcome")}</h2>
        <p class="welcome-lead">{sayChat("welcomeLead")}</p>
        {withoutModel.value && <WithoutModel />}
        {defaultModel.value && !withoutModel.value && <p class="muted small">{sayChat("withModel", { model: defaultModel.value.model })}</p>}
        {!catalogLoaded() && <p class="muted">{sayChat("loadingChat")}</p>}
        {catalogProblem.value ? <Problem /> : catalogLoaded() && cards.length === 0 && <p class="muted">{sayChat("noSkills")}</p>}
        {cards.length > 0 && <h3 class="welcome-try">{sayChat("tryThese")}</h3>}
        <div class="welcome-cards">
          {cards.map((card) => (
            <Card key={card.id} card={card} most={cards.length > MANY ? EACH_OF_MANY : EACH} />
          ))}
        </div>
      </div>
    </div>
  );
}

/** One sentence: what runs without a model, and what one would add. */
function WithoutModel() {
  return (
    <p class="welcome-model small">
      <span class="state-dot" aria-hidden="true" />
      <span>
        {sayChat("withoutModel")}{" "}
        <button class="link" onClick={openModelDialog}>
          {sayChat("aboutModel")}
        </button>
      </span>
    </p>
  );
}

function Problem() {
  return (
    <p class="banner bad" role="alert">
      {catalogProblem.value}
      <button class="button small" onClick={() => void loadCatalog()}>
        {sayChat("retry")}
      </button>
    </p>
  );
}

function Card({ card, most }: { card: PackCard; most: number }) {
  const begin = (text: string): void => {
    submit(text, null);
    document.querySelector<HTMLTextAreaElement>("#composer")?.focus();
  };
  const [all, showAll] = useState(false);
  const hidden = card.examples.length - most;
  return (
    <section class="card welcome-card">
      <h3>{card.title}</h3>
      {card.description && (
        <p class="muted small">{card.description}</p>
      )}
      <ul>
        {card.examples.slice(0, all ? undefined : most).map((example) => (
          <li key={example}>
            <button class="example" onClick={() => begin(example)}>
              <span>{example}</span>
              <Icon name="send" size={15} />
            </button>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <button class="link small more-examples" aria-expanded={all} onClick={() => showAll(!all)}>
          {all ? sayChat("fewerExamples") : sayChat("moreExamples", { count: hidden })}
        </button>
      )}
    </section>
  );
}

function skillCards(): PackCard[] {
  return (skills.value ?? []).filter((skill) => skill.examples.length > 0).slice(0, MOST_SKILLS);
}

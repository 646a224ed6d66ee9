import { Icon } from "../parts/icon";
import { sayChat } from "../words/chat";
import { catalogLoaded, catalogProblem, loadCatalog, packCards, skills, type PackCard } from "./catalog";
import { draft } from "./outbox";

const EACH = 3;
const MOST_SKILLS = 6;

/** The first page: what this is, and what to try; an example goes into the field, not out by itself. */
export function Welcome() {
  const packs = packCards().filter((pack) => pack.examples.length > 0);
  const cards = packs.length > 0 ? packs : skillCards();
  return (
    <div class="welcome">
      <div class="welcome-inner">
        <span class="welcome-mark">
          <Icon name="mark" size={34} />
        </span>
        <h2>{sayChat("welcome")}</h2>
        <p class="welcome-lead">{sayChat("welcomeLead")}</p>
        {!catalogLoaded() && <p class="muted">{sayChat("loadingChat")}</p>}
        {catalogProblem.value ? <Problem /> : catalogLoaded() && cards.length === 0 && <p class="muted">{sayChat("noSkills")}</p>}
        {cards.length > 0 && <h3 class="welcome-try">{sayChat("tryThese")}</h3>}
        <div class="welcome-cards">
          {cards.map((card) => (
            <Card key={card.id} card={card} />
          ))}
        </div>
      </div>
    </div>
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

function Card({ card }: { card: PackCard }) {
  const write = (text: string): void => {
    draft.value = text;
    document.querySelector<HTMLTextAreaElement>("#composer")?.focus();
  };
  return (
    <section class="card welcome-card">
      <h3>{card.title}</h3>
      {card.description && <p class="muted small">{card.description}</p>}
      <ul>
        {card.examples.slice(0, EACH).map((example) => (
          <li key={example}>
            <button class="example" onClick={() => write(example)}>
              <span>{example}</span>
              <Icon name="right" size={15} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function skillCards(): PackCard[] {
  return (skills.value ?? []).filter((skill) => skill.examples.length > 0).slice(0, MOST_SKILLS);
}

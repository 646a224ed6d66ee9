import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get } from "../app/api";
import { skillTitle } from "../app/bilingual";
import { list, object, text } from "../events/read";
import type { JsonObject, SkillList } from "../generated/api";
import { addressOf } from "./pages";

/** What `GET /api/skills` said of each skill, by its id; null until somebody asks. */
const known = signal<Map<string, JsonObject> | null>(null);
let asked = false;

/** A skill by its title in the reader's language, its id on hover; with `link`, leading to its page. */
export function SkillName({ id, link = false }: { id: string; link?: boolean }) {
  useEffect(readOnce, []);
  const skill = known.value?.get(id);
  const title = skill === undefined ? id : skillTitle(skill);
  return link ? (
    <a href={addressOf("skills", id)} title={id}>
      {title}
    </a>
  ) : (
    <span title={id}>{title}</span>
  );
}

/** Read the skills once; a name that is not known stays an id. */
function readOnce(): void {
  if (asked) return;
  asked = true;
  get<SkillList>("/api/skills").then(
    (found) => {
      known.value = new Map(
        list(found["skills"])
          .map(object)
          .map((one) => [text(one["id"]), one]),
      );
    },
    () => {
      asked = false;
    },
  );
}

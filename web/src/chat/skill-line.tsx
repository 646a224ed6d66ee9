import { later } from "../app/later";
import type { Item } from "../events/state";
import { Icon } from "../parts/icon";
import { sayChat } from "../words/chat";
import { skillCard, titleOf } from "./catalog";
import type { WhyProps } from "./skill-reasons";

/** Why a skill was chosen, with the sentences of the router: loaded when a skill is there. */
export const Why = later<WhyProps>(() => import("./skill-reasons").then((room) => room.Why));

/** The line that says that a skill begins or ends, and why. */
export function SkillLine({ item }: { item: Extract<Item, { type: "skill" }> }) {
  if (item.change === "left") return <p class="line muted">{sayChat("left", { title: titleOf(item) })}</p>;
  return (
    <details class="skill-line">
      <summary>
        <span class="chip accent">
          <Icon name="spark" size={15} /> {sayChat("activated", { title: titleOf(item) })}
        </span>{" "}
        {item.together.map((id) => (
          <span key={id} class="chip">
            + {skillCard(id)?.title ?? id}
          </span>
        ))}{" "}
        <span class="muted small">{sayChat("why")}</span>
      </summary>
      <Why id={item.id} why={item.why} routing={item.routing} />
    </details>
  );
}

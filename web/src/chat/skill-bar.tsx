import { useEffect, useState } from "preact/hooks";
import type { Conversation } from "../events/state";
import { problemText } from "../app/problem";
import { Icon } from "../parts/icon";
import { sayChat } from "../words/chat";
import { loadSkill, skillCard, skills, titleOf } from "./catalog";
import { leaveSkill } from "./conversations";
import { draft } from "./outbox";
import { busy, problem } from "./session";
import { Why } from "./skill-line";

const FEW = 6;

/** The skill at work: its badge, why it was chosen, what it may use, and the ways to another. */
export function SkillBar({ state }: { state: Conversation }) {
  const [open, setOpen] = useState(false);
  const { skill } = state;
  if (!skill) return null;
  const leave = (): void => {
    leaveSkill(state.id).catch((thrown: unknown) => (problem.value = problemText(thrown)));
  };
  const change = (): void => {
    draft.value = "/";
    document.querySelector<HTMLTextAreaElement>("#composer")?.focus();
  };
  return (
    <section class="skill-bar" aria-label={sayChat("activeSkill")}>
      <div class="skill-bar-row">
        <button class="chip accent badge" aria-expanded={open} aria-controls="skill-why" onClick={() => setOpen(!open)}>
          <Icon name="spark" size={16} /> {sayChat("activated", { title: titleOf(skill) })} <Icon name={open ? "up" : "down"} size={14} />
        </button>
        <span class="skill-bar-tools">
          <button class="button quiet small" onClick={change}>
            {sayChat("change")}
          </button>
          <button class="button quiet small" disabled={busy.value} onClick={leave}>
            {sayChat("leave")}
          </button>
        </span>
      </div>
      {open && (
        <div class="skill-bar-more" id="skill-why">
          <Why id={skill.id} why={skill.why} routing={skill.routing} />
          <ToolChips state={state} id={skill.id} />
          <p class="small muted">
            <a href={`/console/skills/${encodeURIComponent(skill.id)}`}>{skill.id}</a> · <code>{skill.digest.slice(0, 8)}</code>
          </p>
        </div>
      )}
    </section>
  );
}

function ToolChips({ state, id }: { state: Conversation; id: string }) {
  const [all, setAll] = useState(false);
  const known = skills.value !== null;
  useEffect(() => {
    if (known) void loadSkill(id);
  }, [id, known]);
  const card = skillCard(id);
  const items = state.turns.flatMap((turn) => turn.items);
  const refused = new Map(items.filter((item) => item.type === "violation").map((item) => [item.tool, item.reason]));
  const last = state.turns.at(-1)?.items ?? [];
  const granted = last.filter((item) => item.type === "exception" && item.state === "granted").map((item) => (item.type === "exception" ? item.tool : ""));
  const told = items.findLast((item) => item.type === "violation")?.allowed ?? null;
  const allowed = card?.allowed ?? told;
  const shown = allowed ? (all ? allowed : allowed.slice(0, FEW)) : [];
  return (
    <div class="chips small" role="group" aria-label={sayChat("allowedTools")}>
      <span class="muted">{sayChat("allowedTools")}</span>
      {allowed === null && <span>{sayChat("defaultTools")}</span>}
      {allowed?.length === 0 && <span>{sayChat("none")}</span>}
      {shown.map((tool) => (
        <span class="chip" key={tool}>
          <Icon name="tool" size={13} /> {tool}
        </span>
      ))}
      {allowed && allowed.length > FEW && (
        <button class="button quiet small" onClick={() => setAll(!all)}>
          {all ? sayChat("fewer") : `+${allowed.length - FEW}`}
        </button>
      )}
      {granted.map((tool) => (
        <span class="chip good" key={`granted-${tool}`} title={sayChat("exceptionScope")}>
          <Icon name="shield" size={13} /> {tool}
        </span>
      ))}
      {[...refused].map(([tool, reason]) => (
        <span class="chip refused" key={`refused-${tool}`} title={reason}>
          <Icon name="cross" size={13} /> <s>{tool}</s>
          <span class="visually-hidden">
            {sayChat("stateRefused")}: {reason}
          </span>
        </span>
      ))}
    </div>
  );
}

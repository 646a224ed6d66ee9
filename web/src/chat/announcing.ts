import { announce } from "../app/announce";
import type { Conversation } from "../events/state";
import { progressOf } from "../events/plan";
import { sayChat } from "../words/chat";

/** Tell screen readers what changed besides the text: the skill, the plan's step, a question, the end. */
export function announceChanges(before: Conversation, now: Conversation): void {
  const said: string[] = [];
  if (now.skill && now.skill.id !== before.skill?.id) said.push(sayChat("activated", { title: now.skill.title }));
  if (!now.skill && before.skill) said.push(sayChat("left", { title: before.skill.title }));
  const step = now.plan ? progressOf(now.plan) : null;
  const was = before.plan ? progressOf(before.plan) : null;
  if (step?.current && step.current.id !== was?.current?.id) said.push(sayChat("stepOf", { at: step.over + 1, all: step.all, title: step.current.title }));
  const asked = now.turns.at(-1);
  const state = before.turns.find((turn) => turn.id === asked?.id)?.state;
  if (asked && asked.state !== state) {
    if (asked.state === "paused") said.push(sayChat("needsYou"));
    if (asked.state === "done") said.push(sayChat("answerDone"));
    if (asked.state === "failed") said.push(sayChat("turnFailed"));
  }
  if (said.length > 0) announce(said.join(". "));
}

import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { skillTitle } from "../app/bilingual";
import { go } from "../app/router";
import { list, object, text, texts } from "../events/read";
import type { JsonObject } from "../generated/api";
import { consoleWords as say } from "../words/console";
import { found, looksLikeId, type Target } from "./jump-model";
import { useLoaded } from "./loaded";
import { addressOf, PAGES } from "./pages";

const shown = signal(false);

/** Open the quick jump. */
export function openJump(): void {
  shown.value = true;
}

/** A dialog that goes to a page, a skill or a turn by a few letters; Ctrl or ⌘ with K opens it anywhere in the console. */
export function QuickJump() {
  useEffect(() => {
    const onKey = (key: KeyboardEvent): void => {
      if (!(key.ctrlKey || key.metaKey) || key.key.toLowerCase() !== "k" || key.isComposing) return;
      key.preventDefault();
      shown.value = !shown.value;
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return shown.value ? <Jump /> : null;
}

function Jump() {
  const dialog = useRef<HTMLDialogElement>(null);
  const typed = useSignal("");
  const at = useSignal(0);
  const waiting = useSignal(false);
  const skills = useLoaded("/api/skills");
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector("input")?.focus();
  }, []);
  const close = (): void => {
    shown.value = false;
  };
  const options = targets(typed.value, list(skills.data?.["skills"]).map(object));
  const pick = (target: Target | undefined): void => {
    if (!target) return;
    close();
    go(target.address);
  };
  const complete = skills.data !== null || skills.error !== null;
  useEffect(() => {
    if (complete && waiting.value) pick(options[0]);
  }, [complete, waiting.value]);
  const enter = (): void => {
    if (complete || at.value > 0) pick(options[at.value]);
    else waiting.value = true; // a skill that is not loaded yet may fit better than what is listed
  };
  const onKeyDown = (key: KeyboardEvent): void => {
    if (key.isComposing) return;
    if (key.key === "ArrowDown") at.value = Math.min(options.length - 1, at.value + 1);
    else if (key.key === "ArrowUp") at.value = Math.max(0, at.value - 1);
    else if (key.key === "Enter") enter();
    else return;
    key.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="dialog console-jump-dialog"
      aria-label={say("jump")}
      onClose={close}
      onClick={(click) => click.target === dialog.current && close()}
    >
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="jump-list"
        aria-activedescendant={options.length ? `jump-${at.value}` : undefined}
        aria-label={say("jumpHint")}
        placeholder={say("jumpHint")}
        value={typed.value}
        onInput={(input) => {
          typed.value = input.currentTarget.value;
          at.value = 0;
          waiting.value = false;
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="jump-list" role="listbox" aria-label={say("jump")}>
        {options.map((target, index) => (
          <li
            key={target.address}
            id={`jump-${index}`}
            role="option"
            aria-selected={index === at.value}
            onClick={() => pick(target)}
            onMouseMove={() => (at.value = index)}
          >
            <span>{target.text}</span> <span class="muted">{target.note}</span>
          </li>
        ))}
      </ul>
      {waiting.value && (
        <p class="muted" role="status">
          {say("loading")}
        </p>
      )}
      {options.length === 0 && <p class="muted">{say("jumpNothing")}</p>}
    </dialog>
  );
}

function targets(typed: string, skills: readonly JsonObject[]): Target[] {
  const pages = PAGES.map(({ name }) => ({ text: say(name), note: say("jumpPage"), address: addressOf(name) }));
  const made = found(typed, [...pages, ...skills.map(skillTarget)]);
  const asked = typed.trim();
  if (looksLikeId(asked)) made.unshift({ text: say("jumpTurn", { id: asked }), note: say("turn"), address: addressOf("timeline", asked) });
  else if (asked)
    made.push({ text: say("jumpAsk", { text: asked }), note: say("playground"), address: addressOf("playground", "", { q: asked }) });
  return made;
}

function skillTarget(skill: JsonObject): Target {
  const [id, title] = [text(skill["id"]), skillTitle(skill)];
  const shown = title && title !== id ? `${title} (${id})` : id;
  return { text: shown, note: say("jumpSkill"), address: addressOf("skills", id), words: texts(skill["triggers"]).join(" ") };
}

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { later } from "../app/later";
import { ProblemWords } from "../parts/failure";
import { Icon } from "../parts/icon";
import { sayChat } from "../words/chat";
import { AttachButton, Attachments, FolderButton, takesFiles } from "./attachments";
import type { DocumentMenuProps } from "./documents/document-menu";
import { mentionWord, viewing, type Viewed } from "./documents/viewing";
import { Facts } from "./facts";
import { ModelSwitch } from "./model-switch";
import { draft, picked, queue, sendNow, unqueue, unsent, deliver, type Queued } from "./outbox";
import { busy, conversation, openPauses, problem, running, stop, unanswered } from "./session";
import { SkillMenu, slashWord, type MenuHandle } from "./skill-menu";
import { canSend, sendAsIs, sendDraft, unknownSkill, waitsForSkills } from "./slash";

const DocumentMenu = later<DocumentMenuProps>(() => import("./documents/document-menu").then((room) => room.DocumentMenu));
const DocumentView = later<{ shown: Viewed }>(() => import("./documents/document-view").then((room) => room.default));

/** Where one writes: Enter sends, Shift+Enter breaks the line, `/` lists skills; what an input method composes is left alone. */
export function Composer() {
  const field = useRef<HTMLTextAreaElement>(null);
  const menu = useRef<MenuHandle | null>(null);
  const [dismissed, setDismissed] = useState("");
  const text = draft.value;
  const word = slashWord(text);
  const mention = word === null ? mentionWord(text) : null;
  const menuOpen = (word !== null || mention !== null) && dismissed !== text;
  const pressed = (event: KeyboardEvent): void => {
    if (event.isComposing || event.keyCode === 229) return;
    if (menuOpen && menu.current?.key(event)) return event.preventDefault();
    if (menuOpen && event.key === "Escape") {
      event.preventDefault();
      return setDismissed(text);
    }
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void sendDraft();
    }
  };
  const choose = (id: string, title: string): void => {
    picked.value = { id, title };
    draft.value = "";
    unknownSkill.value = null;
    field.current?.focus();
  };
  return (
    <div class="composer-frame" {...takesFiles}>
      <Unsent />
      <AskedAbove />
      <Facts />
      <Attachments />
      {queue.value.length > 0 && <Queue />}
      <UnknownSkill onPick={choose} />
      {menuOpen && word !== null && <SkillMenu word={word} handle={menu} onPick={choose} />}
      {menuOpen && mention !== null && <DocumentMenu word={mention} handle={menu} onPicked={() => field.current?.focus()} />}
      {viewing.value && <DocumentView key={viewing.value.path} shown={viewing.value} />}
      <div class="composer">
        {picked.value && <Picked />}
        <Field box={field} active={menuOpen ? menu.current?.active() : undefined} menuOpen={menuOpen} onKey={pressed} />
        <Tools onSlash={() => ((draft.value = "/"), field.current?.focus())} />
      </div>
    </div>
  );
}

interface FieldProps {
  box: RefObject<HTMLTextAreaElement | null>;
  active: string | undefined;
  menuOpen: boolean;
  onKey: (event: KeyboardEvent) => void;
}

function Field({ box, active, menuOpen, onKey }: FieldProps) {
  const text = draft.value;
  useLayoutEffect(() => {
    if (!box.current) return;
    box.current.style.height = "auto";
    box.current.style.height = `${Math.min(box.current.scrollHeight, 220)}px`;
  }, [text]);
  useEffect(() => {
    if (matchMedia("(hover: hover)").matches) box.current?.focus({ preventScroll: true });
  }, [conversation.value?.id]);
  return (
    <textarea
      id="composer"
      ref={box}
      rows={1}
      value={text}
      placeholder={sayChat(openPauses.value.length > 0 ? "writeAnswer" : "write")}
      aria-label={sayChat("message")}
      aria-controls={menuOpen ? "skill-menu" : undefined}
      aria-autocomplete="list"
      aria-activedescendant={active}
      onInput={(event) => ((draft.value = event.currentTarget.value), (unknownSkill.value = null))}
      onKeyDown={onKey}
    />
  );
}

function Tools({ onSlash }: { onSlash: () => void }) {
  const send = sayChat(busy.value ? "enqueue" : "send");
  return (
    <div class="composer-row">
      <button class="button quiet small" onClick={onSlash}>
        / {sayChat("skill")}
      </button>
      <AttachButton />
      <FolderButton />
      <ModelSwitch />
      <span class="composer-hint muted small">{sayChat("hint")}</span>
      {running.value && (
        <button class="button small" onClick={() => void stop()}>
          <Icon name="stop" size={15} /> {sayChat("stop")}
        </button>
      )}
      <button class="send" aria-label={send} title={send} disabled={!canSend() || waitsForSkills.value} onClick={() => void sendDraft()}>
        <Icon name="send" />
      </button>
    </div>
  );
}

/** A slash and a name that no skill has: the near ones to pick, or the text as it is. */
function UnknownSkill({ onPick }: { onPick: (id: string, title: string) => void }) {
  const unknown = unknownSkill.value;
  if (!unknown) return null;
  return (
    <div class="banner unknown-skill" role="alert">
      <span>{sayChat(unknown.near.length > 0 ? "unknownSkillNear" : "unknownSkill", { name: unknown.name })}</span>
      <span class="actions">
        {unknown.near.map((skill) => (
          <button key={skill.id} class="button small" onClick={() => onPick(skill.id, skill.title)}>
            {skill.title}
          </button>
        ))}
        <button class="button quiet small" onClick={sendAsIs}>
          {sayChat("sendAsText")}
        </button>
      </span>
    </div>
  );
}

/** A question that was asked in an earlier turn is not forgotten. */
function AskedAbove() {
  const last = conversation.value?.turns.at(-1);
  const above = openPauses.value.filter((one) => !last?.items.includes(one));
  if (above.length === 0) return null;
  const show = (): void => document.getElementById(`pause-${above[0]?.pause.id}`)?.scrollIntoView({ block: "center" });
  return (
    <button class="button small asked-above" onClick={show}>
      <Icon name="question" size={15} /> {sayChat("askedAbove", { count: above.length })} <Icon name="up" size={14} />
    </button>
  );
}

function Picked() {
  const skill = picked.value;
  if (!skill) return null;
  return (
    <span class="chip accent picked">
      <Icon name="spark" size={15} /> {skill.title}
      <button class="chip-x" aria-label={sayChat("unpick", { title: skill.title })} onClick={() => (picked.value = null)}>
        <Icon name="cross" size={13} />
      </button>
    </span>
  );
}

function Unsent() {
  const failed = unsent.value;
  if (!failed && (!problem.value || unanswered.value)) return null;
  const edit = (message: Queued): void => {
    draft.value = message.text;
    unsent.value = null;
    problem.value = "";
  };
  return (
    <div class="banner bad" role="alert">
      <span>
        <ProblemWords text={problem.value || sayChat("notSent")} /> {failed && <q>{failed.text.slice(0, 60)}</q>}
      </span>
      {failed && (
        <span class="actions">
          <button class="button small" onClick={() => void deliver(failed)}>
            <Icon name="retry" size={15} /> {sayChat("retry")}
          </button>
          <button class="button quiet small" onClick={() => edit(failed)}>
            {sayChat("edit")}
          </button>
        </span>
      )}
    </div>
  );
}

function Queue() {
  return (
    <ul class="queue" aria-label={sayChat("queued")}>
      {queue.value.map((one) => (
        <li key={one.key}>
          <Icon name="clock" size={15} /> <span class="queue-text">{one.text}</span>
          {!busy.value && (
            <button class="button quiet small" onClick={() => sendNow(one.key)}>
              {sayChat("sendNow")}
            </button>
          )}
          <button class="icon-button" aria-label={sayChat("edit")} title={sayChat("edit")} onClick={() => (draft.value = unqueue(one.key)?.text ?? "")}>
            <Icon name="edit" size={15} />
          </button>
          <button class="icon-button" aria-label={sayChat("unqueue")} title={sayChat("unqueue")} onClick={() => unqueue(one.key)}>
            <Icon name="cross" size={15} />
          </button>
        </li>
      ))}
    </ul>
  );
}

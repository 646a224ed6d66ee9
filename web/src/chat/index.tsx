import { useEffect, useState } from "preact/hooks";
import { Announcer } from "../app/announce";
import { later } from "../app/later";
import { Shell } from "../app/shell";
import { progressOf } from "../events/plan";
import type { Conversation } from "../events/state";
import { emptyConversation } from "../events/reducer";
import { Icon } from "../parts/icon";
import { sayChat } from "../words/chat";
import { loadCatalog } from "./catalog";
import { CitationDialog } from "./citation";
import { Composer } from "./composer";
import { ConversationList } from "./conversation-list";
import { listed, listProblem, pinned, refresh } from "./conversations";
import { hasChoice, loadModels, showChoice } from "./model-choice";
import { asksReason, loadRatings } from "./feedback";
import { clearOutbox } from "./outbox";
import { PlanPanel } from "./plan-panel";
import { conversation, link, loading, lost, open, problem, running, sending, stop } from "./session";
import { Shortcuts } from "./shortcuts";
import { SkillBar } from "./skill-bar";
import { Thread } from "./thread";
import { titleWith, watchWaiting } from "./waiting";
import { Welcome } from "./welcome";

const FeedbackDialog = later<{ turn: string }>(() => import("./feedback-dialog").then((room) => room.FeedbackDialog));

/** The chat: the conversations at the side, the open one in the middle, its plan beside it. */
export function Chat({ id }: { id: string | null }) {
  const [help, setHelp] = useState(false);
  useEffect(() => {
    void loadCatalog();
    void refresh();
    void loadModels();
    return watchWaiting();
  }, []);
  useEffect(() => {
    if (conversation.value?.id !== id) clearOutbox();
    void open(id);
  }, [id]);
  useEffect(() => {
    void showChoice(id);
    void loadRatings(id);
  }, [id, hasChoice.value]);
  useEffect(() => {
    if (link.value === "open" && listProblem.value) void refresh();
  }, [link.value]);
  useEffect(() => {
    const key = (event: KeyboardEvent): void => shortcut(event, () => setHelp(true));
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, []);
  const state = conversation.value;
  const row = [...pinned.value, ...(listed.value ?? [])].find((one) => one.id === id);
  const title = row?.title || (id ? sayChat("untitled") : "Metier");
  const shownTitle = titleWith(id ? `${title} · Metier` : "Metier");
  useEffect(() => {
    document.title = shownTitle;
  }, [shownTitle]);
  const planned = state !== null && (state.plan !== null || state.todos.length > 0);
  return (
    <Shell side={<ConversationList current={id} onHelp={() => setHelp(true)} />} title={title} aside={planned ? <PlanPanel state={state} /> : undefined}>
      <div class="chat">
        <h1 class="visually-hidden">{title}</h1>
        <div class="chat-top">
        {row?.branch_of && (
          <a class="branch-note small" href={`/chat/${encodeURIComponent(row.branch_of)}`}>
            <Icon name="branch" size={14} /> {sayChat("branchOf")}
          </a>
        )}
        {state && <SkillBar state={state} />}
        </div>
        <Body id={id} />
        <div class="chat-foot">
          <LinkBanner />
          {planned && !isOver(state) && (
            <div class="panel-inline">
              <PlanPanel state={state} folded />
            </div>
          )}
          {!lost.value && <Composer />}
        </div>
      </div>
      <Announcer />
      <CitationDialog />
      {asksReason.value && <FeedbackDialog turn={asksReason.value} />}
      {help && <Shortcuts onClose={() => setHelp(false)} />}
    </Shell>
  );
}

function Body({ id }: { id: string | null }) {
  const state = conversation.value;
  if (lost.value) {
    return (
      <div class="thread-empty" role="alert">
        <h2>{sayChat("lost")}</h2>
        <p class="muted">{problem.value}</p>
        <a class="button" href="/">
          {sayChat("newChat")}
        </a>
      </div>
    );
  }
  if (!state && sending.value) return <Thread state={emptyConversation("")} />;
  if (!state) return id ? null : <Welcome />;
  if (loading.value && state.turns.length === 0) return <p class="muted loading">{sayChat("loadingChat")}</p>;
  // Only files so far: what can be done stays in view.
  if (state.turns.length === 0 && !sending.value) return <Welcome />;
  return <Thread state={state} />;
}

/** On narrow screens a plan that is over only takes room. */
function isOver(state: Conversation): boolean {
  const { over, all } = state.plan ? progressOf(state.plan) : { over: 0, all: 1 };
  return over >= all;
}

function LinkBanner() {
  if (link.value !== "waiting") return null;
  return (
    <div class="banner" role="status">
      <span class="spinner" aria-hidden="true" /> {sayChat("reconnecting")}
    </div>
  );
}

function shortcut(event: KeyboardEvent, showHelp: () => void): void {
  if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return;
  const target = event.target as HTMLElement;
  const writes = target.matches?.("input, textarea, select, [contenteditable]") ?? false;
  if (event.key === "Escape" && running.value && !document.querySelector("dialog[open]")) void stop();
  if (writes || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "?") {
    event.preventDefault();
    showHelp();
  }
  if (event.key === "/") {
    event.preventDefault();
    document.querySelector<HTMLTextAreaElement>("#composer")?.focus();
  }
}

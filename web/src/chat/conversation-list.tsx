import { useState } from "preact/hooks";
import { go } from "../app/router";
import { shownTime } from "../app/language";
import { later } from "../app/later";
import { problemText } from "../app/problem";
import { Icon } from "../parts/icon";
import { sayChat } from "../words/chat";
import { exportAs, following, listed, listProblem, more, pin, pinned, refresh, remove, rename, search, wanted, type ExportFormat, type Listed } from "./conversations";
import { grouped, shortTime, type Group } from "./conversation-groups";
import { DeleteDialog, RenameDialog } from "./conversation-dialogs";
import { waiting } from "./waiting";

const EXPORTS: readonly ExportFormat[] = ["pdf", "docx", "html", "md", "json", "zip"];
const ShareDialog = later<{ one: Listed; onClose: () => void }>(() => import("./share-dialog").then((room) => room.ShareDialog));
const HEADINGS = { pinned: "pinned", today: "today", yesterday: "yesterday", week: "lastWeek" } as const;

/** The conversations at the side by day: new, search, open, pin, rename, share, export, delete. */
export function ConversationList({ current, onHelp }: { current: string | null; onHelp: () => void }) {
  const [renaming, setRenaming] = useState<Listed | null>(null);
  const [deleting, setDeleting] = useState<Listed | null>(null);
  const [sharing, setSharing] = useState<Listed | null>(null);
  const [problem, setProblem] = useState("");
  const tried = (work: Promise<void>): void => {
    setProblem("");
    work.catch((thrown: unknown) => setProblem(problemText(thrown)));
  };
  const removed = async (one: Listed): Promise<void> => {
    await remove(one.id);
    if (one.id === current) go("/");
  };
  const all = listed.value;
  return (
    <div class="conversations">
      <a class="button new-chat" href="/">
        <Icon name="plus" size={16} /> {sayChat("newChat")}
      </a>
      <label class="search">
        <span class="visually-hidden">{sayChat("search")}</span>
        <Icon name="search" size={15} />
        <input type="search" placeholder={sayChat("search")} value={wanted.value} onInput={(event) => search(event.currentTarget.value)} />
      </label>
      {(problem || listProblem.value) && (
        <p class="field-error" role="alert">
          {problem || listProblem.value}{" "}
          <button class="button quiet small" onClick={() => void refresh()}>
            {sayChat("retry")}
          </button>
        </p>
      )}
      <div class="conversation-groups" role="group" aria-label={sayChat("conversations")}>
        {grouped(all ?? [], wanted.value.trim() ? [] : pinned.value).map((group) => (
          <div key={`${group.key} ${group.label}`}>
            <h2 class="group-head">{headingOf(group)}</h2>
            <ul class="conversation-list" aria-label={headingOf(group)}>
              {group.rows.map((one) => (
                <Row
                  key={one.id}
                  one={one}
                  isCurrent={one.id === current}
                  onRename={() => setRenaming(one)}
                  onDelete={() => setDeleting(one)}
                  onShare={() => setSharing(one)}
                  onPin={() => tried(pin(one.id, group.key !== "pinned"))}
                  isPinned={group.key === "pinned"}
                  onExport={(format) => tried(exportAs(one.id, one.title ?? "", format))}
                />
              ))}
            </ul>
          </div>
        ))}
      </div>
      {all?.length === 0 && <p class="muted small list-empty">{sayChat(wanted.value ? "nothingFound" : "noConversations")}</p>}
      {following.value && (
        <button class="button quiet small" onClick={() => void more()}>
          {sayChat("more")}
        </button>
      )}
      <button class="button quiet small help" onClick={onHelp}>
        <Icon name="question" size={15} /> {sayChat("shortcuts")}
      </button>
      {sharing && <ShareDialog one={sharing} onClose={() => setSharing(null)} />}
      {renaming && <RenameDialog one={renaming} onClose={() => setRenaming(null)} onDone={(title) => tried(rename(renaming.id, title))} />}
      {deleting && (
        <DeleteDialog
          one={deleting}
          onClose={() => setDeleting(null)}
          onDone={() => tried(removed(deleting))}
          onExport={() => tried(exportAs(deleting.id, deleting.title ?? "", "zip"))}
        />
      )}
    </div>
  );
}

function headingOf(group: Group): string {
  return group.key === "month" ? group.label : sayChat(HEADINGS[group.key]);
}

interface RowProps {
  one: Listed;
  isCurrent: boolean;
  isPinned: boolean;
  onPin: () => void;
  onShare: () => void;
  onRename: () => void;
  onDelete: () => void;
  onExport: (format: ExportFormat) => void;
}

function Row({ one, isCurrent, isPinned, onPin, onShare, onRename, onDelete, onExport }: RowProps) {
  const title = one.title || sayChat("untitled");
  const menu = `menu-${one.id}`;
  const act = (event: Event, work: () => void): void => {
    ((event.currentTarget as HTMLElement).closest("[popover]") as HTMLElement | null)?.hidePopover();
    work();
  };
  return (
    <li class={isCurrent ? "current" : ""}>
      <a href={`/chat/${encodeURIComponent(one.id)}`} aria-current={isCurrent ? "page" : undefined} title={`${title} · ${shownTime(one.updated_at)}`}>
        <span class="conversation-title">{title}</span>
        {one.id in waiting.value.conversations ? <Mark /> : <time dateTime={one.updated_at}>{shortTime(one.updated_at)}</time>}
      </a>
      <button class="icon-button" popovertarget={menu} aria-label={sayChat("actionsOf", { title })} style={{ anchorName: `--${menu}` }}>
        <Icon name="more" size={16} />
      </button>
      <div id={menu} popover="auto" class="popmenu" style={{ positionAnchor: `--${menu}` }}>
        <button onClick={(event) => act(event, onPin)}>
          <Icon name="pin" size={15} /> {sayChat(isPinned ? "unpin" : "pin")}
        </button>
        <button onClick={(event) => act(event, onShare)}>
          <Icon name="link" size={15} /> {sayChat("share")}
        </button>
        <button onClick={(event) => act(event, onRename)}>
          <Icon name="edit" size={15} /> {sayChat("rename")}
        </button>
        {EXPORTS.map((format) => (
          <button key={format} onClick={(event) => act(event, () => onExport(format))}>
            <Icon name="download" size={15} /> {sayChat(`export_${format}`)}
          </button>
        ))}
        <button class="bad" onClick={(event) => act(event, onDelete)}>
          <Icon name="trash" size={15} /> {sayChat("delete")}
        </button>
      </div>
    </li>
  );
}

/** Says that the conversation waits for the reader. */
function Mark() {
  return (
    <span class="waits">
      <span class="visually-hidden">{sayChat("waitsForYou")}</span>
    </span>
  );
}

import { effect, signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { call, errorOf, get, post, send } from "../app/api";
import { language, shownNumber } from "../app/language";
import { problemText } from "../app/problem";
import { go } from "../app/router";
import type { AttachmentInfo, AttachmentList, ConversationInfo } from "../generated/api";
import { Icon } from "../parts/icon";
import { sayChat } from "../words/chat";
import { refreshSoon } from "./conversations";
import { canView, viewing } from "./documents/viewing";
import type { FolderFile } from "./project-zip";
import { conversation, problem } from "./session";

/** Files attached to the conversation on the screen. */
export const attached = signal<AttachmentInfo[]>([]);
/** Names of the files that are on their way. */
const uploading = signal<string[]>([]);

/** What was copied and left out of the project that was added last. */
const projectNote = signal("");
const FOLDER_TYPE = "inode/directory";

let uploads: Promise<void> = Promise.resolve();

/** Attach files to the conversation; without one, a new one is made first. */
export function attach(files: readonly File[]): Promise<void> {
  if (files.length === 0) return uploads;
  uploading.value = files.map((file) => file.name);
  return (uploads = uploads.then(() => upload(files)));
}

/** Attach a folder as the project of the conversation: what it needs of it is packed here. */
function attachFolder(name: string, list: () => Promise<FolderFile[]>): void {
  uploading.value = [name];
  uploads = uploads.then(async () => {
    try {
      const packed = await (await import("./project-zip")).packFolder(name, await list());
      await upload([packed.file]);
      if (projectNote.value && packed.leftOut > 0) projectNote.value += ` ${sayChat("folderLeftOut", { count: packed.leftOut })}`;
    } catch (thrown) {
      uploading.value = [];
      problem.value = problemText(thrown);
    }
  });
}

/** What a message waits for, as it is about the files attached before it; null when none is on its way. */
export function pendingUploads(): Promise<void> | null {
  return uploading.value.length > 0 ? uploads : null;
}

async function upload(files: readonly File[]): Promise<void> {
  problem.value = "";
  uploading.value = files.map((file) => file.name);
  try {
    const isNew = conversation.value === null;
    const id = conversation.value?.id ?? (await post<ConversationInfo>("/api/conversations", {})).id;
    if (isNew) {
      go(`/chat/${encodeURIComponent(id)}`);
      refreshSoon();
    }
    const problems: string[] = [];
    for (const file of files)
      try {
        const answer = await send("POST", `${address(id)}?name=${encodeURIComponent(file.name)}&language=${language.value}`, { file });
        projectNote.value = ((await answer.json()) as AttachmentInfo).note ?? "";
      } catch (thrown) {
        problems.push(`${file.name}: ${uploadProblem(file.name, thrown)}`); // the other files are taken
      }
    await load(id);
    problem.value = problems.join("\n");
  } catch (thrown) {
    problem.value = problemText(thrown);
  } finally {
    uploading.value = [];
  }
}

/** What is wrong with a project is said by the server in the reader's language. */
function uploadProblem(name: string, thrown: unknown): string {
  const { code, message, hint } = errorOf(thrown);
  const isProject = name.toLowerCase().endsWith(".zip") && code === "invalid_input";
  return isProject ? [message, hint].filter(Boolean).join(" · ") : problemText(thrown);
}

async function detach(id: string, path: string): Promise<void> {
  try {
    attached.value = (await call<AttachmentList>("DELETE", `${address(id)}/${path.split("/").map(encodeURIComponent).join("/")}`)).attachments;
  } catch (thrown) {
    problem.value = problemText(thrown);
  }
}

async function load(id: string): Promise<void> {
  const found = (await get<AttachmentList>(address(id))).attachments;
  if (conversation.value === null || conversation.value.id === id) attached.value = found;
}

function address(id: string): string {
  return `/api/conversations/${encodeURIComponent(id)}/attachments`;
}

let shown: string | null = null;
let seq = 0;
effect(() => {
  const id = conversation.value?.id ?? null;
  const newest = conversation.value?.filesSeq ?? 0;
  if (id === shown && newest === seq) return;
  if (id !== shown) attached.value = [];
  if (id !== shown && shown !== null) projectNote.value = "";
  shown = id;
  seq = newest; // a file was attached or removed, perhaps on another page
  if (id) load(id).catch(() => undefined); // the conversation itself says what is wrong
});

/** The attached files above the composer; each can be removed. */
export function Attachments() {
  const id = conversation.value?.id;
  if (attached.value.length === 0 && uploading.value.length === 0) return null;
  return (
    <>
      <ul class="facts" aria-label={sayChat("attachments")}>
        {attached.value.map((one) => (
          <li key={one.path} class="chip fact" title={textOf(one)}>
            <Icon name={one.media_type === FOLDER_TYPE ? "folder" : one.media_type.startsWith("image/") ? "image" : "file"} size={14} />
            {canView(one.path) ? (
              <button class="link" aria-label={sayChat("lookAt", { name: one.name })} onClick={() => (viewing.value = { path: one.path, name: one.name })}>
                {one.name}
              </button>
            ) : (
              one.name
            )}
            <button class="icon-button small" aria-label={sayChat("detach", { name: one.name })} onClick={() => id && void detach(id, one.path)}>
              <Icon name="cross" size={12} />
            </button>
          </li>
        ))}
        {uploading.value.map((name) => (
          <li key={name} class="chip fact">
            <span class="spinner" aria-hidden="true" /> {sayChat("uploading", { name })}
          </li>
        ))}
      </ul>
      {projectNote.value && (
        <p class="muted small" role="status">
          {projectNote.value}
        </p>
      )}
    </>
  );
}

const MAX_CHARS = 200_000;

function textOf(file: AttachmentInfo): string {
  if (file.media_type === FOLDER_TYPE) return sayChat("projectCopy");
  if (file.text_chars === 0) return sayChat("fileNoText");
  return sayChat(file.text_chars < MAX_CHARS ? "fileText" : "fileCut", { chars: shownNumber(file.text_chars) });
}

/** The button that opens the file dialog. */
export function AttachButton() {
  const input = useRef<HTMLInputElement>(null);
  const picked = (event: Event): void => {
    const field = event.currentTarget as HTMLInputElement;
    void attach([...(field.files ?? [])]);
    field.value = "";
  };
  return (
    <>
      <input ref={input} type="file" multiple hidden tabIndex={-1} aria-hidden="true" onChange={picked} />
      <button class="icon-button" aria-label={sayChat("attach")} title={sayChat("attach")} onClick={() => input.current?.click()}>
        <Icon name="file" size={16} />
      </button>
    </>
  );
}

/** The button that opens the dialog for a folder. */
export function FolderButton() {
  const input = useRef<HTMLInputElement>(null);
  const picked = (event: Event): void => {
    const field = event.currentTarget as HTMLInputElement;
    const files = [...(field.files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
    field.value = "";
    const name = files[0]?.path.split("/")[0];
    if (name) attachFolder(name, () => Promise.resolve(files));
  };
  return (
    <>
      <input ref={input} type="file" hidden tabIndex={-1} aria-hidden="true" onChange={picked} {...{ webkitdirectory: true }} />
      <button class="icon-button" aria-label={sayChat("attachFolder")} title={sayChat("attachFolder")} onClick={() => input.current?.click()}>
        <Icon name="folder" size={16} />
      </button>
    </>
  );
}

/** Handlers that take files which are dropped or pasted. */
export const takesFiles = {
  onDragOver: (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  },
  onDrop: (event: DragEvent): void => {
    const entries = [...(event.dataTransfer?.items ?? [])].map((one) => one.webkitGetAsEntry?.() ?? null);
    const folders = entries.filter((one): one is FileSystemDirectoryEntry => one?.isDirectory === true);
    const names = new Set(folders.map((one) => one.name));
    const files = [...(event.dataTransfer?.files ?? [])].filter((one) => !names.has(one.name));
    if (files.length === 0 && folders.length === 0) return;
    event.preventDefault();
    if (files.length > 0) void attach(files);
    for (const folder of folders) attachFolder(folder.name, async () => (await import("./project-zip")).readFolder(folder));
  },
  onPaste: (event: ClipboardEvent): void => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void attach(files);
  },
};

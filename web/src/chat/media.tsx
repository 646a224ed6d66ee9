import { useEffect, useState } from "preact/hooks";
import { send } from "../app/api";
import { problemText } from "../app/problem";
import { shownNumber } from "../app/language";
import { number, text } from "../events/read";
import type { Turn } from "../events/state";
import type { JsonObject } from "../generated/api";
import { saveAs } from "../parts/copy";
import { Icon } from "../parts/icon";
import { isOwnImage } from "../parts/markdown-render";
import { canView, nameOf, viewing } from "./documents/viewing";
import { conversation, filesAddress } from "./session";
import { sayChat } from "../words/chat";
import { sayDocuments } from "../words/documents";

export interface MediaProps {
  kind: "image" | "file";
  data: JsonObject;
}

/** An image or a file that a tool made; only what this server has is ever fetched. */
export function Media({ kind, data }: MediaProps) {
  const name = text(data["title"]) || text(data["path"]) || text(data[kind]);
  const address = addressOf(data);
  if (kind === "image" && address) return <Picture name={name} alt={text(data["alt"]) || name} address={address} />;
  const changed = conversation.value !== null && changedSince(data, conversation.value.turns);
  return <FileCard name={text(data["path"]) || name} title={name} address={address} bytes={number(data["bytes"], -1)} changed={changed} />;
}

/** Whether a later step wrote the file of this card anew, or took it back: what is saved is then another file. */
export function changedSince(data: JsonObject, turns: readonly Turn[]): boolean {
  const cards = turns.flatMap((turn) => turn.items).flatMap((item) => (item.type === "media" && text(item.data["path"]) === text(data["path"]) ? [item.data] : []));
  const mine = cards.findIndex((one) => text(one["file"]) === text(data["file"]));
  return mine >= 0 && text(cards.at(-1)?.["sha256"]) !== text(data["sha256"]);
}

/** Where it can be read from: the conversation's folder, or the event itself. */
function addressOf(data: JsonObject): string {
  const path = text(data["path"]);
  const id = conversation.value?.id;
  const folder = filesAddress.value ?? (id ? `/api/conversations/${encodeURIComponent(id)}/files` : null);
  if (path && folder) return `${folder}/${path.split("/").map(encodeURIComponent).join("/")}`;
  const given = text(data["url"]) || text(data["data"]);
  return isOwnImage(given) ? given : "";
}

function Picture({ name, alt, address }: { name: string; alt: string; address: string }) {
  const [shown, setShown] = useState(address.startsWith("data:") ? address : "");
  const [failed, setFailed] = useState("");
  useEffect(() => {
    if (address.startsWith("data:")) return;
    send("GET", address, { headers: { Accept: "image/*" } })
      .then((response) => response.blob())
      .then(dataUrl)
      .then(setShown)
      .catch((thrown: unknown) => setFailed(problemText(thrown)));
  }, [address]);
  return (
    <figure class="card picture">
      {shown ? <img src={shown} alt={alt} /> : <p class="muted loading">{failed || sayChat("loadingChat")}</p>}
      {name && <figcaption class="small muted">{name}</figcaption>}
    </figure>
  );
}

/** A fetched picture as an address of its own: the page's policy allows no blob addresses, and an `img` sends no key. */
function dataUrl(blob: Blob): Promise<string> {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.onerror = () => fail(reader.error);
    reader.readAsDataURL(blob);
  });
}

function FileCard({ name, title, address, bytes, changed }: { name: string; title: string; address: string; bytes: number; changed: boolean }) {
  const [problem, setProblem] = useState("");
  const save = async (): Promise<void> => {
    try {
      const response = await send("GET", address, { headers: { Accept: "*/*" } });
      saveAs(name.split("/").at(-1) ?? name, await response.blob());
    } catch (thrown) {
      setProblem(problemText(thrown));
    }
  };
  return (
    <div class="card file-card">
      <Icon name="file" />
      <span class="file-name">{title}</span>
      {bytes >= 0 && <span class="muted small">{shownNumber(bytes / 1024, { maximumFractionDigits: 1 })} KB</span>}
      {address && canView(name) && (
        <button class="button small" onClick={() => (viewing.value = { path: name, name: nameOf(name) })}>
          <Icon name="search" size={15} /> {sayChat("look")}
        </button>
      )}
      {address && (
        <button class="button small" onClick={() => void save()}>
          <Icon name="download" size={15} /> {sayChat("save")}
        </button>
      )}
      {changed && <span class="muted small">{sayDocuments("changedSince")}</span>}
      {problem && <span class="field-error">{problem}</span>}
    </div>
  );
}

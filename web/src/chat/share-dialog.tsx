import { useEffect, useState } from "preact/hooks";
import { call, get, post } from "../app/api";
import { shownTime } from "../app/language";
import { problemText } from "../app/problem";
import type { NewShareInfo, ShareInfo, ShareList } from "../generated/api";
import { copyText } from "../parts/copy";
import { Dialog } from "../parts/dialog";
import { Icon } from "../parts/icon";
import { sayShare } from "../words/share";
import type { Listed } from "./conversations";

const DAYS = ["7", "30", ""] as const;

/** Links to a conversation: make one, copy it while it is shown, and revoke those there are. */
export function ShareDialog({ one, onClose }: { one: Listed; onClose: () => void }) {
  const address = `/api/conversations/${encodeURIComponent(one.id)}/shares`;
  const [shares, setShares] = useState<readonly ShareInfo[]>([]);
  const [made, setMade] = useState("");
  const [days, setDays] = useState<string>("7");
  const [problem, setProblem] = useState("");
  const tried = (work: Promise<unknown>): void => {
    setProblem("");
    work.catch((thrown: unknown) => setProblem(problemText(thrown)));
  };
  const load = async (): Promise<void> => setShares((await get<ShareList>(address)).shares);
  useEffect(() => tried(load()), [one.id]);
  const make = async (): Promise<void> => {
    const link = await post<NewShareInfo>(address, days ? { expires_in_days: Number(days) } : {});
    setMade(location.origin + link.path);
    await load();
  };
  const revoke = async (share: ShareInfo): Promise<void> => {
    await call("DELETE", `/api/shares/${encodeURIComponent(share.id)}`);
    setMade("");
    await load();
  };
  return (
    <Dialog title={sayShare("shareTitle")} onClose={onClose}>
      <p class="small">{sayShare("shareText")}</p>
      <div class="share-make">
        <label class="field">
          <span class="field-label">{sayShare("expires")}</span>
          <select value={days} onChange={(event) => setDays(event.currentTarget.value)}>
            {DAYS.map((count) => (
              <option key={count} value={count}>
                {count ? sayShare("inDays", { count }) : sayShare("never")}
              </option>
            ))}
          </select>
        </label>
        <button class="button primary" onClick={() => tried(make())}>
          <Icon name="link" size={16} /> {sayShare("makeLink")}
        </button>
      </div>
      {made && <MadeLink address={made} />}
      {problem && (
        <p class="field-error" role="alert">
          {problem}
        </p>
      )}
      {shares.length > 0 && (
        <ul class="shares" aria-label={sayShare("links")}>
          {shares.map((share) => (
            <ShareRow key={share.id} share={share} onRevoke={() => tried(revoke(share))} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function MadeLink({ address }: { address: string }) {
  const [done, setDone] = useState(false);
  return (
    <div class="share-made" role="status">
      <input readOnly value={address} aria-label={sayShare("link")} onFocus={(event) => event.currentTarget.select()} />
      <button class="button" onClick={() => void copyText(address).then(setDone)}>
        <Icon name={done ? "check" : "copy"} size={16} /> {sayShare(done ? "copied" : "copy")}
      </button>
      <p class="small muted">{sayShare("shownOnce")}</p>
    </div>
  );
}

function ShareRow({ share, onRevoke }: { share: ShareInfo; onRevoke: () => void }) {
  const over = share.expires_at !== null && Date.parse(share.expires_at) < Date.now();
  const state = share.revoked_at ? "revoked" : over ? "expired" : "active";
  return (
    <li>
      <span class={`chip ${state === "active" ? "good" : ""}`}>{sayShare(state)}</span>
      <span class="small">
        {sayShare("madeAt", { time: shownTime(share.created_at) })}
        {share.expires_at && state === "active" && <span class="muted"> · {sayShare("until", { time: shownTime(share.expires_at) })}</span>}
      </span>
      {state === "active" && (
        <button class="button small" onClick={onRevoke}>
          {sayShare("revoke")}
        </button>
      )}
    </li>
  );
}

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

import { errorOf, get, isAbort } from "../app/api";
import type { JsonObject } from "../generated/api";
import { sayApp } from "../words/app";
import { consoleWords as say } from "../words/console";
import { failureText } from "../app/failures";

/** Something read from the server: not yet, there, or why not. */
export interface Loaded {
  readonly data: JsonObject | null;
  readonly error: { readonly code: string; readonly message: string; readonly hint: string } | null;
  readonly busy: boolean;
  readonly again: () => void;
}

/** Read from the server; null reads nothing. What was there stays until the new is there. */
export function useLoaded(path: string | null): Loaded {
  const found = useSignal<{ path: string; data: JsonObject } | null>(null);
  const error = useSignal<Loaded["error"]>(null);
  const busy = useSignal(path !== null);
  const times = useSignal(0);
  useEffect(() => {
    if (path === null) return;
    const given = new AbortController();
    busy.value = true;
    get<JsonObject>(path, given.signal)
      .then((data) => {
        found.value = { path, data };
        error.value = null;
        busy.value = false;
      })
      .catch((thrown: unknown) => {
        if (isAbort(thrown) || given.signal.aborted) return;
        error.value = errorOf(thrown);
        busy.value = false;
      });
    return () => given.abort();
  }, [path, times.value]);
  const data = found.value !== null && found.value.path === path ? found.value.data : null;
  return { data, error: path === null ? null : error.value, busy: busy.value, again: () => times.value++ };
}

/** Shows what was loaded, or that it is on the way, or what went wrong and what to do. */
export function Await({ what, children }: { readonly what: Loaded; readonly children: (data: JsonObject) => ComponentChildren }) {
  if (what.data) return <>{children(what.data)}</>;
  if (what.error) return <Problem error={what.error} again={what.again} />;
  return (
    <p class="console-note" role="status">
      {say("loading")}
    </p>
  );
}

/** What went wrong: the sentence, the code, the hint, and a way to try again. */
export function Problem({ error, again }: { readonly error: NonNullable<Loaded["error"]>; readonly again?: () => void }) {
  const offline = error.code === "offline";
  const sentence = failureText(error.code);
  const hint = offline ? say("offlineHint") : error.hint;
  return (
    <div class="console-problem" role="alert">
      <p>
        <strong>{offline ? say("offline") : (sentence ?? (error.message || error.code))}</strong> <code>{error.code}</code>
      </p>
      {hint && sentence === null && <p class="muted">{hint}</p>}
      {sentence !== null && error.message && (
        <details class="failure-details">
          <summary class="small">{sayApp("details")}</summary>
          <p class="small muted" lang="en">
            {error.message} {error.hint}
          </p>
        </details>
      )}
      {again && (
        <button type="button" class="button small" onClick={again}>
          {say("again")}
        </button>
      )}
    </div>
  );
}

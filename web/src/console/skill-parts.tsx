import { shownTime } from "../app/language";
import { list, object, text } from "../events/read";
import type { JsonObject } from "../generated/api";
import { sayApp } from "../words/app";
import { consoleWords as say, type ConsoleWord } from "../words/console";
import { Block, Nothing } from "./frame";
import { Await, useLoaded } from "./loaded";
import { addressOf } from "./pages";
import type { Finding } from "./skill-model";

const TONES: Readonly<Record<string, string>> = { error: "bad", warning: "warn", info: "" };

/** What was found: how bad, the sentence, where, and what to do. */
export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) return <Nothing>{say("noFindings")}</Nothing>;
  return (
    <ul class="console-findings card">
      {findings.map((one, at) => (
        <li key={at}>
          <span class={`chip ${TONES[one.severity] ?? ""}`}>
            {one.severity in TONES ? say(`severity_${one.severity}` as ConsoleWord) : one.severity}
          </span>
          <div>
            <p>
              {one.message} <code>{one.code}</code>
            </p>
            {one.hint && <p class="muted">{one.hint}</p>}
            <p class="muted mono">{one.where}</p>
            {(one.detail || one.path !== one.where) && (
              <details class="failure-details">
                <summary class="small">{sayApp("details")}</summary>
                {one.detail && (
                  <p class="small muted" lang="en">
                    {one.detail}
                  </p>
                )}
                <p class="small muted mono">{one.path}</p>
              </details>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** What reloads changed, of all skills or of one. */
export function Reloads({ only = "" }: { readonly only?: string }) {
  const loaded = useLoaded("/api/skills/log");
  return (
    <Block title={say("changes")}>
      <Await what={loaded}>
        {(data) => {
          const changes = list(data["reloads"])
            .map(object)
            .flatMap((entry) => changesOf(entry, only));
          if (changes.length === 0) return <Nothing>{say("noChanges")}</Nothing>;
          return (
            <ul class="console-changes">
              {changes.map(([at, change], index) => (
                <Change key={index} at={at} change={change} />
              ))}
            </ul>
          );
        }}
      </Await>
    </Block>
  );
}

function changesOf(entry: JsonObject, only: string): [string, JsonObject][] {
  const changes = list(entry["changes"])
    .map(object)
    .filter((one) => !only || text(one["skill"]) === only);
  return changes.map((one) => [text(entry["at"]), one]);
}

function Change({ at, change }: { readonly at: string; readonly change: JsonObject }) {
  const [skill, kind] = [text(change["skill"]), text(change["change"])];
  const tone = kind === "added" ? "good" : kind === "removed" ? "bad" : "accent";
  return (
    <li class="card">
      <details>
        <summary>
          <span class={`chip ${tone}`}>{["added", "removed", "changed"].includes(kind) ? say(`change_${kind}` as ConsoleWord) : kind}</span>{" "}
          <strong>{skill}</strong>{" "}
          <code>{`${text(change["before"]).slice(0, 8) || "–"} → ${text(change["after"]).slice(0, 8) || "–"}`}</code>{" "}
          <span class="muted">{at && shownTime(at, { dateStyle: "short", timeStyle: "medium" })}</span>
        </summary>
        <Diff text={text(change["diff"])} />
        {change["cut"] === true && <p class="console-note">{say("diffCut")}</p>}
        {kind !== "removed" && (
          <p class="console-note">
            <a href={addressOf("skills", skill)}>{skill}</a>
          </p>
        )}
      </details>
    </li>
  );
}

/** A unified diff with its lines coloured; the signs stay, so colour is not all that tells. */
export function Diff({ text: written }: { readonly text: string }) {
  return (
    <pre class="console-diff" tabIndex={0} role="region" aria-label="diff">
      {written.split("\n").map((line, at) => (
        <span key={at} class={lineClass(line)}>
          {line}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

function lineClass(line: string): string {
  if (line.startsWith("+++") || line.startsWith("---") || line.startsWith("@@")) return "diff-head";
  return line.startsWith("+") ? "diff-add" : line.startsWith("-") ? "diff-del" : "";
}

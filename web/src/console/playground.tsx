import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { call, errorOf, isAbort } from "../app/api";
import { skillTitle } from "../app/bilingual";
import { place, setQuery } from "../app/router";
import { list, object, text } from "../events/read";
import type { RouteDecision } from "../generated/api";
import { consoleWords as say } from "../words/console";
import { PageHead } from "./frame";
import { Problem, useLoaded, type Loaded } from "./loaded";
import { Decided } from "./route-parts";
import { routeView, type RouteView } from "./route-model";

/** What is asked; it all stands in the address. */
interface Asked {
  readonly q: string;
  readonly active: string;
  readonly host: string;
  readonly without: readonly string[];
}

/** Why this skill? A message in, the decision with all its reasons out; nothing is run or stored. */
export function Playground() {
  const { query } = place.value;
  const asked: Asked = {
    q: query.get("q") ?? "",
    active: query.get("active") ?? "",
    host: query.get("host") ?? "",
    without: (query.get("without") ?? "").split(",").filter(Boolean),
  };
  const { view, error, busy } = useDecision(asked);
  const catalog = useLoaded("/api/skills");
  const skills = list(catalog.data?.["skills"])
    .map(object)
    .map((one) => ({ id: text(one["id"]), title: skillTitle(one) }));
  return (
    <>
      <PageHead title={say("playground")} lead={say("playgroundLead")} />
      <AskForm asked={asked} skills={skills} busy={busy} />
      {asked.q && <Without skills={skills.filter((one) => asked.without.includes(one.id) || view?.candidates.some((found) => found.skill === one.id))} without={asked.without} />}
      <div aria-live="polite" aria-busy={busy}>
        {error && <Problem error={error} />}
        {view && !error && <Decided view={view} />}
      </div>
    </>
  );
}

interface SkillName {
  readonly id: string;
  readonly title: string;
}

function AskForm({ asked, skills, busy }: { readonly asked: Asked; readonly skills: readonly SkillName[]; readonly busy: boolean }) {
  const ask = (submit: SubmitEvent): void => {
    submit.preventDefault();
    const form = new FormData(submit.currentTarget as HTMLFormElement);
    const value = (name: string): string | null => String(form.get(name) ?? "").trim() || null;
    setQuery({ q: value("q"), active: value("active"), host: value("host") });
  };
  return (
    <form class="card console-pad console-ask" onSubmit={ask}>
      <label class="field">
        <span class="field-label">{say("message")}</span>
        <input type="text" name="q" defaultValue={asked.q} key={asked.q} placeholder={say("messageHint")} autocomplete="off" />
      </label>
      <label class="field">
        <span class="field-label">{say("activeSkill")}</span>
        <select name="active" value={asked.active}>
          <option value="">{say("none")}</option>
          {skills.map((skill) => (
            <option key={skill.id} value={skill.id} selected={skill.id === asked.active}>
              {skill.title}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span class="field-label">{say("host")}</span>
        <input type="text" name="host" defaultValue={asked.host} placeholder={say("hostHint")} autocomplete="off" />
      </label>
      <button type="submit" class="button primary" disabled={busy}>
        {say(busy ? "asking2" : "ask")}
      </button>
    </form>
  );
}

function Without({ skills, without }: { readonly skills: readonly SkillName[]; readonly without: readonly string[] }) {
  const toggle = (id: string): void => {
    const next = without.includes(id) ? without.filter((one) => one !== id) : [...without, id];
    setQuery({ without: next.join(",") || null });
  };
  if (!skills.length) return null;
  return (
    <div class="console-without">
      <span class="muted small" id="without-label" title={say("withoutHint")}>
        {say("without")}
      </span>
      <span class="console-chips" role="group" aria-labelledby="without-label">
        {skills.map((skill) => (
          <button key={skill.id} type="button" class="chip" aria-pressed={without.includes(skill.id)} onClick={() => toggle(skill.id)}>
            {skill.title}
          </button>
        ))}
      </span>
    </div>
  );
}

function useDecision(asked: Asked): { view: RouteView | null; error: Loaded["error"]; busy: boolean } {
  const view = useSignal<RouteView | null>(null);
  const error = useSignal<Loaded["error"]>(null);
  const busy = useSignal(false);
  const key = JSON.stringify(asked);
  useEffect(() => {
    error.value = null;
    view.value = asked.q ? view.value : null;
    if (!asked.q) return;
    const given = new AbortController();
    const body = {
      message: asked.q,
      without: [...asked.without],
      ...(asked.active ? { active: asked.active } : {}),
      ...(asked.host ? { host: asked.host } : {}),
    };
    busy.value = true;
    call<RouteDecision>("POST", "/api/route", { body, signal: given.signal })
      .then((data) => (view.value = routeView(data)))
      .catch((thrown: unknown) => {
        if (!isAbort(thrown)) error.value = errorOf(thrown);
      })
      .finally(() => (busy.value = given.signal.aborted && busy.value));
    return () => given.abort();
  }, [key]);
  return { view: view.value, error: error.value, busy: busy.value };
}

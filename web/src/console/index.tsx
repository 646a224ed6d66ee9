import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";

import "../styles/console.css";
import { later } from "../app/later";
import { Shell } from "../app/shell";
import { titleWith, waitingCount, watchWaiting } from "../chat/waiting";
import { Icon } from "../parts/icon";
import { sayApp } from "../words/app";
import { consoleWords as say } from "../words/console";
import { Bench } from "./bench";
import { Context } from "./context";
import { Dashboard } from "./dashboard";
import { Feedback } from "./feedback";
import { Nothing, PageHead } from "./frame";
import { Models } from "./models";
import { consolePlace, PAGES, type PageName } from "./pages";
import { Playground } from "./playground";
import { openJump, QuickJump } from "./quick-jump";
import { Skill } from "./skill";
import { Skills } from "./skills";
import { Telemetry } from "./telemetry";
import { Timeline } from "./timeline";
import { Turn } from "./turn";
import { Violations } from "./violations";

/** A page of the console, for one thing when it has an id. */
type Page = ComponentType<{ readonly id: string }>;

const LISTS: Readonly<Record<PageName, Page>> = {
  timeline: Timeline,
  context: Context,
  skills: Skills,
  playground: Playground,
  violations: Violations,
  feedback: Feedback,
  dashboard: Dashboard,
  models: Models,
  bench: Bench,
  macrobench: later(() => import("./plan-bench").then((found) => found.PlanBench)),
  telemetry: Telemetry,
};
const DETAILS: Readonly<Partial<Record<PageName, Page>>> = { timeline: Turn, skills: Skill };

/** The console: its pages by address, and a quick jump among them. */
export function Console({ path }: { readonly path: string }) {
  const { page, id } = consolePlace(path);
  useEffect(() => {
    document.title = titleWith(page ? `${say(page)} · Metier` : "Metier");
  });
  useEffect(watchWaiting, []);
  void waitingCount.value; // the title follows it
  const Shown = page && ((id && DETAILS[page]) || LISTS[page]);
  return (
    <Shell side={<Side page={page} />} title={page ? say(page) : ""}>
      <div class="console">{Shown ? <Shown key={`${page}/${id}`} id={id} /> : <NoPage />}</div>
      <QuickJump />
    </Shell>
  );
}

function NoPage() {
  return (
    <>
      <PageHead title={sayApp("noPage")} lead="" />
      <Nothing>
        <a href="/console/timeline">{say("timeline")}</a>
      </Nothing>
    </>
  );
}

function Side({ page }: { readonly page: PageName | null }) {
  return (
    <div class="console-side">
      <button type="button" class="console-jump" onClick={openJump}>
        <Icon name="search" size={15} /> <span>{say("jump")}</span> <kbd>{isMac() ? "⌘" : "Ctrl"} K</kbd>
      </button>
      <ul>
        {PAGES.map(({ name, icon }) => (
          <li key={name}>
            <a href={`/console/${name}`} aria-current={name === page ? "page" : undefined}>
              <Icon name={icon} size={16} /> {say(name)}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function isMac(): boolean {
  return /Mac|iP(hone|ad)/.test(navigator.userAgent);
}

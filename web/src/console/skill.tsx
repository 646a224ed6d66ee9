import { useMemo } from "preact/hooks";

import { skillDescription } from "../app/bilingual";
import { shownTime } from "../app/language";
import { list, object, text, texts } from "../events/read";
import type { JsonObject } from "../generated/api";
import { Graph } from "../parts/graph";
import { consoleWords as say } from "../words/console";
import { Block, Facts, Nothing, PageHead } from "./frame";
import { Await, useLoaded } from "./loaded";
import { addressOf } from "./pages";
import { findingOf, skillOf, sopGraph, toolNames, type SkillView } from "./skill-model";
import { Findings, Reloads } from "./skill-parts";

/** One skill: what routing reads, which tools it may use, its steps, its findings and its changes. */
export function Skill({ id }: { readonly id: string }) {
  const loaded = useLoaded(`/api/skills/${encodeURIComponent(id)}`);
  return (
    <>
      <PageHead title={say("skill")} lead={id}>
        <a class="button quiet small" href={addressOf("skills")}>
          {say("skills")}
        </a>
      </PageHead>
      <Await what={loaded}>
        {(data) => <Whole raw={data["skill"] ? object(data["skill"]) : data} findings={list(data["findings"]).map(object)} />}
      </Await>
      <Reloads only={id} />
    </>
  );
}

function Whole({ raw, findings }: { readonly raw: JsonObject; readonly findings: readonly JsonObject[] }) {
  const skill = skillOf(raw, findings.map(findingOf));
  return (
    <>
      <div class="console-title">
        <h2>{skill.title}</h2>
        {!skill.enabled && <span class="chip warn">{say("disabled")}</span>}
        {skill.trusted !== null && (
          <span class={`chip ${skill.trusted ? "good" : ""}`}>{say(skill.trusted ? "trusted" : "untrusted")}</span>
        )}
        <a class="button small" href={addressOf("playground", "", { q: texts(raw["examples"])[0] ?? skill.title })}>
          {say("tryRoute")}
        </a>
      </div>
      <div class="card console-pad">
        <Basics skill={skill} raw={raw} />
      </div>
      <Block title={say("routingText")}>
        <div class="card console-pad">
          <RoutingText raw={raw} />
        </div>
      </Block>
      <Steps raw={raw} title={skill.title} />
      <Block title={`${say("findings")} (${skill.findings.length})`}>
        <Findings findings={skill.findings} />
      </Block>
      <Block title={say("instructions")}>
        <pre class="console-text card" tabIndex={0} role="region" aria-label={say("instructions")}>
          {text(raw["instructions"])}
        </pre>
      </Block>
    </>
  );
}

function Basics({ skill, raw }: { readonly skill: SkillView; readonly raw: JsonObject }) {
  const allowed = raw["allowed_tools"];
  return (
    <Facts
      facts={[
        ["ID", <code>{skill.id}</code>],
        [say("version"), skill.version],
        [say("digest"), <code>{skill.digest.slice(0, 16)}</code>],
        [say("layout"), <Place layout={skill.layout} path={text(object(raw["source"])["path"])} />],
        [say("priority"), String(skill.priority)],
        [say("group"), text(raw["group"])],
        [say("hosts"), texts(raw["hosts"]).join(", ")],
        [say("tools"), <Chips words={toolNames(raw["tools"])} />],
        [say("allowed"), Array.isArray(allowed) ? <Chips words={texts(allowed)} tone="good" /> : say(toolNames(raw["tools"]).length > 0 ? "declaredTools" : "anyTool")],
        [say("forbidden"), texts(raw["forbidden_tools"]).length ? <Chips words={texts(raw["forbidden_tools"])} tone="bad" /> : ""],
        [say("next"), <Chips words={texts(raw["next"])} link />],
        [say("usage"), skill.used ? say("usedTimes", { count: skill.used }) : say("usedNever")],
        [say("at"), skill.lastUsed && say("lastUsed", { at: shownTime(skill.lastUsed) })],
      ]}
    />
  );
}

/** How the skill is written and its file: the folder and the name, all of the path where it is pointed at. */
function Place({ layout, path }: { readonly layout: string; readonly path: string }) {
  return (
    <>
      {layout} · <span title={path}>{path.split(/[\\/]/).slice(-2).join("/")}</span>
    </>
  );
}

function RoutingText({ raw }: { readonly raw: JsonObject }) {
  return (
    <Facts
      facts={[
        [say("description"), skillDescription(raw)],
        [say("whenToUse"), text(raw["when_to_use"])],
        [say("triggers"), <Chips words={texts(raw["triggers"])} />],
        [say("examples"), <Listed items={texts(raw["examples"])} />],
      ]}
    />
  );
}

function Steps({ raw, title }: { readonly raw: JsonObject; readonly title: string }) {
  const { nodes, edges } = useMemo(() => sopGraph(raw), [raw]);
  return (
    <Block title={say("sop")}>
      {nodes.length === 0 ? (
        <Nothing>{say("noSop")}</Nothing>
      ) : (
        <div class="card console-pad">
          <Graph title={title} nodes={nodes} edges={edges} height={nodes.length > 6 ? 320 : 200} />
        </div>
      )}
    </Block>
  );
}

function Chips({ words, tone = "", link = false }: { readonly words: readonly string[]; readonly tone?: string; readonly link?: boolean }) {
  if (words.length === 0) return <>–</>;
  return (
    <span class="console-chips">
      {words.map((word) =>
        link ? (
          <a key={word} class="chip accent" href={addressOf("skills", word)}>
            {word}
          </a>
        ) : (
          <span key={word} class={`chip ${tone}`}>
            {word}
          </span>
        ),
      )}
    </span>
  );
}

function Listed({ items }: { readonly items: readonly string[] }) {
  if (items.length === 0) return <>–</>;
  return (
    <ul class="console-plain">
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}

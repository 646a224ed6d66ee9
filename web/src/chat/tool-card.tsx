import { failureLine, namesIn } from "../app/failures";
import { language, shownElapsed } from "../app/language";
import type { ToolItem } from "../events/state";
import { Icon, type IconName } from "../parts/icon";
import { Details } from "../parts/details";
import { JsonView } from "../parts/json-view";
import { sayChat } from "../words/chat";

const STATES: Record<ToolItem["state"], { icon: IconName; tone: string; word: "stateRunning" | "stateDone" | "stateFailed" | "stateRefused" | "stepStopped" }> = {
  running: { icon: "dot", tone: "busy", word: "stateRunning" },
  done: { icon: "check", tone: "good", word: "stateDone" },
  failed: { icon: "cross", tone: "bad", word: "stateFailed" },
  refused: { icon: "shield", tone: "warn", word: "stateRefused" },
  stopped: { icon: "stop", tone: "", word: "stepStopped" },
};
const FEW = 4;
const CHINESE = /\p{Script=Han}/u;

/** Calls that were made one after the other; many of them fold into one line. */
export function ToolGroup({ tools }: { tools: ToolItem[] }) {
  const over = tools.every((tool) => tool.state !== "running");
  const failed = tools.filter((tool) => tool.state === "failed").length;
  if (tools.length < FEW || !over) return <Cards tools={tools} />;
  return (
    <details class="tool-group">
      <summary>
        <Icon name="tool" size={15} /> {sayChat("toolCalls", { count: tools.length })} {failed > 0 && <span class="chip bad">{sayChat("failedCount", { count: failed })}</span>}
      </summary>
      <Cards tools={tools} />
    </details>
  );
}

/** Why a call failed in the reader's language: the tool's own words where it has them, else a sentence for its code. */
export function errorWords({ code, message, hint }: NonNullable<ToolItem["error"]>): string {
  if (language.value !== "zh" || CHINESE.test(message)) return [message, hint].filter(Boolean).join(" ");
  return failureLine(code, message) ?? sayChat(code === "invalid_arguments" ? "callMisfit" : "callFailed") + namesIn(message);
}

function Cards({ tools }: { tools: ToolItem[] }) {
  return (
    <div class="tool-cards">
      {tools.map((tool) => (
        <ToolCard key={tool.key} tool={tool} />
      ))}
    </div>
  );
}

function ToolCard({ tool }: { tool: ToolItem }) {
  const state = STATES[tool.state];
  return (
    <details class={`tool-card ${tool.state}${tool.parent ? " below" : ""}`}>
      <summary>
        {tool.progress && <progress class="tool-progress" value={tool.progress.share} max={1} aria-label={tool.title} />}
        <span class={`state ${state.tone}`}>
          <Icon name={state.icon} size={15} />
        </span>
        <span class={tool.title === tool.tool ? "tool-name" : "tool-title"}>{tool.title}</span>
        <span class="tool-brief muted">{tool.progress?.text || brief(tool)}</span>
        <span class="visually-hidden">{sayChat(state.word)}</span>
        {tool.elapsed_ms !== null && <span class="muted small">{shownElapsed(tool.elapsed_ms)}</span>}
      </summary>
      <div class="tool-body">
        {tool.details ? <Details listed={tool.details} /> : <Arguments given={tool.arguments} />}
        {tool.error && (
          <p class="field-error" title={tool.error.message}>
            {errorWords(tool.error)} <code>{tool.error.code}</code>
          </p>
        )}
        {(tool.data !== undefined || tool.content) && (
          <>
            <p class="tool-part">{sayChat("result")}</p>
            <JsonView value={tool.data ?? tool.content} label={sayChat("result")} />
          </>
        )}
      </div>
    </details>
  );
}

function Arguments({ given }: { given: ToolItem["arguments"] }) {
  if (Object.keys(given).length === 0) return null;
  return (
    <>
      <p class="tool-part">{sayChat("arguments")}</p>
      <JsonView value={given} label={sayChat("arguments")} />
    </>
  );
}

/** The arguments in a line, as far as they are words for people: no ids, switches or nested data; numbers with their names. */
export function brief(tool: Pick<ToolItem, "details" | "arguments">): string {
  const given = tool.details ?? Object.values(tool.arguments).map((value) => ({ title: "", value: typeof value === "object" ? "{" : String(value) }));
  return given.flatMap(({ title, value }) => (CODE.test(value) ? [] : [title && !isNaN(+value) ? `${title} ${value}` : value])).join(" · ").slice(0, 120);
}

/** An id (`trend_and_life`, `/lifecoach`, `sample:work`), a switch, or JSON. */
const CODE = /^(\/|[[{]|true$|false$|[a-z\d]+[_:/][a-z\d_:/]+$)/;

import type { Item } from "../events/state";
import { Icon } from "../parts/icon";
import { skillCard } from "./catalog";
import { sayChat } from "../words/chat";

const LAYERS: Record<string, "layer_policy" | "layer_skill" | "layer_plan" | "layer_task" | "layer_default"> = {
  policy: "layer_policy",
  operator: "layer_policy",
  skill: "layer_skill",
  plan: "layer_plan",
  task_type: "layer_task",
  default: "layer_default",
};

const CODES = ["unknown_tool", "ambiguous_tool", "denied_by_policy", "not_allowed_by_skill", "forbidden_by_skill", "not_in_plan", "forbidden_by_plan", "forbidden_for_task_type", "skill_not_active", "skill_waits", "skill_is_bound", "skill_was_left", "skill_not_offered", "arguments_changed", "file_not_kept"] as const;

/** The rule behind a refusal in the reader's language; a code nobody knows keeps the server's sentence. */
function ruleWords(item: Extract<Item, { type: "violation" }>): string {
  const code = CODES.find((one) => one === item.code);
  const skill = item.source.replace(/^skill /, "");
  if (item.code === "file_not_kept") return item.reason; // names the file, in the language of the turn
  return code ? sayChat(`code_${code}`, { tool: item.tool, source: skillCard(skill)?.title ?? skill }) : item.reason;
}

/** A refused call: which tool, by which rule, why, and what may be used instead. */
export function Violation({ item }: { item: Extract<Item, { type: "violation" }> }) {
  const layer = LAYERS[item.layer];
  return (
    <details class="violation">
      <summary>
        <Icon name="shield" size={16} /> {sayChat("refused", { tool: item.tool })} <span class="muted">{layer ? sayChat(layer) : item.layer}</span>
      </summary>
      <div class="violation-body small">
        <p title={item.reason}>{ruleWords(item)}</p>
        <div class="chips" role="list" aria-label={sayChat("allowedNow")}>
          <span class="muted">{sayChat("allowedNow")}</span>
          {item.allowed.length === 0 && <span>{sayChat("none")}</span>}
          {item.allowed.slice(0, 24).map((tool) => (
            <span class="chip" role="listitem" key={tool}>
              {tool}
            </span>
          ))}
        </div>
        <a href="/console/violations">{sayChat("inbox")}</a> <code>{item.code}</code>
      </div>
    </details>
  );
}

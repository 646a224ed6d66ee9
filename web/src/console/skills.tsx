import { shownNumber, shownTime } from "../app/language";
import { place, setQuery } from "../app/router";
import { consoleWords as say } from "../words/console";
import { Findings, Reloads } from "./skill-parts";
import { Block, Choice, DataTable, Nothing, PageHead, headsOf } from "./frame";
import { Await, useLoaded } from "./loaded";
import { addressOf } from "./pages";
import { SkillTrust } from "./pending-skills";
import { matches, skillsOf, strayFindings, worst, type SkillView } from "./skill-model";

/** Every loaded skill, what was found in it, and what reloads changed. */
export function Skills() {
  const loaded = useLoaded("/api/skills");
  return (
    <>
      <PageHead title={say("skills")} lead={say("skillsLead")}>
        <button type="button" class="button quiet small" onClick={loaded.again}>
          {say("reload")}
        </button>
      </PageHead>
      <SkillTrust done={loaded.again} />
      <Await what={loaded}>
        {(data) => (
          <>
            {strayFindings(data).length > 0 && (
              <Block title={say("findings")}>
                <Findings findings={strayFindings(data)} />
              </Block>
            )}
            <Catalogue skills={skillsOf(data)} />
          </>
        )}
      </Await>
      <Reloads />
    </>
  );
}

function Catalogue({ skills }: { readonly skills: readonly SkillView[] }) {
  const { query } = place.value;
  const typed = query.get("q") ?? "";
  const asTable = query.get("as") === "table";
  const shown = skills.filter((skill) => matches(skill, typed));
  if (skills.length === 0) return <Nothing>{say("noSkills")}</Nothing>;
  const ways = [
    { value: "cards" as const, text: say("asCards") },
    { value: "table" as const, text: say("asTable") },
  ];
  return (
    <>
      <div class="console-bar-row">
        <input
          type="search"
          aria-label={say("search")}
          placeholder={say("search")}
          value={typed}
          onInput={(input) => setQuery({ q: input.currentTarget.value || null })}
        />
        <span class="muted small">{say("skillCount", { count: shownNumber(shown.length) })}</span>
        <Choice
          label={say("viewAs")}
          options={ways}
          value={asTable ? "table" : "cards"}
          onPick={(way) => setQuery({ as: way === "table" ? way : null })}
        />
      </div>
      {asTable ? <AsTable skills={shown} /> : <Cards skills={shown} />}
    </>
  );
}

function Cards({ skills }: { readonly skills: readonly SkillView[] }) {
  return (
    <ul class="console-cards">
      {skills.map((skill) => (
        <li key={skill.id} class="card console-pad console-skill">
          <h2>
            <a href={addressOf("skills", skill.id)}>{skill.title}</a>
          </h2>
          <p class="console-skill-text">{skill.description || "–"}</p>
          <p class="console-skill-facts">
            <code>{skill.id}</code>
            {skill.version && <span>v{skill.version}</span>}
            <span>{skill.layout}</span>
            <code title={skill.digest}>{skill.digest.slice(0, 8)}</code>
          </p>
          <p class="console-chips">
            <Marks skill={skill} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function Marks({ skill }: { readonly skill: SkillView }) {
  const tone = worst(skill.findings);
  return (
    <>
      {!skill.enabled && <span class="chip warn">{say("disabled")}</span>}
      {skill.trusted !== null && <span class={`chip ${skill.trusted ? "good" : ""}`}>{say(skill.trusted ? "trusted" : "untrusted")}</span>}
      <span class={`chip ${skill.findings.length ? tone : ""}`}>
        {say("findings")} {skill.findings.length}
      </span>
      <span class="chip" title={skill.tools.join(", ")}>
        {say("tools")} {skill.anyTool ? say("anyTool") : skill.tools.length}
      </span>
      <span class={`chip ${skill.used ? "accent" : ""}`} title={skill.lastUsed && say("lastUsed", { at: shownTime(skill.lastUsed) })}>
        {skill.used ? say("usedTimes", { count: skill.used }) : say("usedNever")}
      </span>
      {skill.failed > 0 && <span class="chip bad">{say("failedTimes", { count: skill.failed })}</span>}
    </>
  );
}

function AsTable({ skills }: { readonly skills: readonly SkillView[] }) {
  const heads = headsOf(
    ["skill", "version", "layout", "digest", "priority", "tools", "findings", "usage", "enabled"],
    ["priority", "tools", "findings", "usage"],
  );
  return (
    <DataTable caption={say("skills")} heads={heads}>
      {skills.map((skill) => (
        <tr key={skill.id}>
          <th scope="row">
            <a href={addressOf("skills", skill.id)}>{skill.title}</a> <code class="muted">{skill.id}</code>
          </th>
          <td>{skill.version || "–"}</td>
          <td>{skill.layout}</td>
          <td>
            <code title={skill.digest}>{skill.digest.slice(0, 8)}</code>
          </td>
          <td class="number">{skill.priority}</td>
          <td class="number" title={skill.tools.join(", ")}>
            {skill.anyTool ? say("anyTool") : skill.tools.length}
          </td>
          <td class={`number tone-${worst(skill.findings) || "none"}`}>{skill.findings.length}</td>
          <td class="number">{shownNumber(skill.used)}</td>
          <td>{skill.enabled ? say("yes") : say("no")}</td>
        </tr>
      ))}
    </DataTable>
  );
}

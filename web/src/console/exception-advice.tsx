import { language, shownNumber } from "../app/language";
import { list, number, object, text } from "../events/read";
import type { JsonObject } from "../generated/api";
import { consoleWords as say } from "../words/console";
import { useLoaded } from "./loaded";
import { addressOf } from "./pages";

/** Which skill should list which tool: advice from exceptions and refused calls, with the edit of the skill's file. */
export function ExceptionAdvice() {
  const loaded = useLoaded(`/api/exceptions/report?language=${language.value}`);
  const rows = loaded.data ? list(object(loaded.data)["exceptions"]).map(object) : [];
  if (rows.length === 0) return null;
  return (
    <section class="card" aria-label={say("exceptionReport")}>
      <h2>{say("exceptionReport")}</h2>
      <ul>
        {rows.slice(0, 20).map((row) => (
          <Advice key={`${text(row["skill"])} ${text(row["tool"])}`} row={row} />
        ))}
      </ul>
    </section>
  );
}

function Advice({ row }: { readonly row: JsonObject }) {
  const edit = object(row["edit"]);
  const count = (name: string) => shownNumber(number(row[name]));
  return (
    <li>
      {text(row["skill"]) && <a href={addressOf("skills", text(row["skill"]))}>{text(row["skill"])}</a>} {text(row["text"])}
      <p class="muted small">{say("adviceCounts", { asked: count("asked"), granted: count("granted"), denied: count("denied"), refused: count("refused") })}</p>
      {text(edit["diff"]) && (
        <details>
          <summary>{say("proposedEdit")}</summary>
          <pre>{text(edit["diff"])}</pre>
        </details>
      )}
    </li>
  );
}

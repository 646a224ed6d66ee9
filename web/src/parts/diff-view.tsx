import type { Json } from "../generated/api";
import { sayChat } from "../words/chat";
import { differences } from "./diff";

/** What was changed, each place with before and after. */
export function DiffView({ before, after }: { before: Json; after: Json }) {
  const changes = differences(before, after);
  if (changes.length === 0) return <p class="small muted">{sayChat("noChange")}</p>;
  return (
    <ul class="diff small" aria-label={sayChat("changes")}>
      {changes.map((change) => (
        <li key={change.path}>
          <code>{change.path}</code>{" "}
          {change.before !== undefined && <del>{JSON.stringify(change.before)}</del>} {change.after !== undefined && <ins>{JSON.stringify(change.after)}</ins>}
        </li>
      ))}
    </ul>
  );
}

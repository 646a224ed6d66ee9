import { later } from "../app/later";
import { list, object, text, texts } from "../events/read";
import type { JsonObject } from "../generated/api";
import { Icon } from "../parts/icon";
import { Markdown } from "../parts/markdown";
import { sayChat } from "../words/chat";
import type { GraphProps } from "../parts/graph";

const Graph = later<GraphProps>(() => import("../parts/graph").then((room) => room.Graph));

/** A report with its graph and sources, or a look back at the work; whatever of it is there. */
export function DocumentCard({ kind, data }: { kind: "reflect" | "report"; data: JsonObject }) {
  const body = text(data["markdown"]) || text(data["text"]) || text(data["report"]) || text(data["reason"]) || text(data["summary"]);
  const graph = object(data["graph"] ?? data["dag"]);
  const nodes = list(graph["nodes"]).map(object);
  const sources = texts(data["sources"]);
  return (
    <section class="card document">
      <h2>
        <Icon name={kind === "report" ? "book" : "retry"} size={16} /> {text(data["title"]) || sayChat(kind)}
      </h2>
      {body && <Markdown text={body} />}
      {nodes.length > 0 && <Graph title={text(graph["title"]) || sayChat("graph")} nodes={nodes as unknown as GraphProps["nodes"]} edges={list(graph["edges"]).map(object) as unknown as GraphProps["edges"]} />}
      {sources.length > 0 && (
        <ol class="sources small">
          {sources.map((source) => (
            <li key={source}>{source}</li>
          ))}
        </ol>
      )}
    </section>
  );
}

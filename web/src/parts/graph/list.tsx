import { pictureWords as say } from "../../words/pictures";
import type { GraphEdge, GraphNode } from "./layout";

/** The graph to read: every node with its state and where it leads. */
export function GraphList({ nodes, edges }: { readonly nodes: readonly GraphNode[]; readonly edges: readonly GraphEdge[] }) {
  const names = new Map(nodes.map((node) => [node.id, node.label]));
  return (
    <ol class="graph-list">
      {nodes.map((node) => {
        const next = edges.filter((edge) => edge.from === node.id).map((edge) => names.get(edge.to) ?? edge.to);
        const state = node.state ?? "plain";
        return (
          <li key={node.id}>
            <strong>{node.label}</strong>
            {node.detail && <span class="graph-list-detail"> {node.detail}</span>}
            {state !== "plain" && <span class={`graph-list-state graph-${state}`}> {say(state)}</span>}
            {next.length > 0 && (
              <span class="graph-list-next">
                {" "}
                → <span class="visually-hidden">{say("leadsTo")} </span>
                {next.join(", ")}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

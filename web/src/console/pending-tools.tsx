import { useSignal } from "@preact/signals";

import { errorOf, post } from "../app/api";
import { list, object, text, texts } from "../events/read";
import { consoleWords as say } from "../words/console";
import { Nothing } from "./frame";
import { Await, Problem, useLoaded, type Loaded } from "./loaded";
import { Diff } from "./skill-parts";

/** Tools of MCP servers that wait for approval: what changed, and a button that approves exactly this version. */
export function PendingTools() {
  const loaded = useLoaded("/api/tools/pending");
  return (
    <Await what={loaded}>
      {(data) => {
        const pending = list(data["pending"]).map(object);
        if (pending.length === 0) return <Nothing>{say("noPendingTools")}</Nothing>;
        return (
          <>
            {pending.map((one) => (
              <PendingTool
                key={text(one["digest"])}
                server={text(one["server"])}
                tool={text(one["tool"])}
                digest={text(one["digest"])}
                changed={text(one["code"]) === "tool_changed"}
                lines={texts(one["diff"])}
                done={loaded.again}
              />
            ))}
          </>
        );
      }}
    </Await>
  );
}

interface PendingToolProps {
  readonly server: string;
  readonly tool: string;
  readonly digest: string;
  readonly changed: boolean;
  readonly lines: readonly string[];
  readonly done: () => void;
}

function PendingTool({ server, tool, digest, changed, lines, done }: PendingToolProps) {
  const error = useSignal<Loaded["error"]>(null);
  const busy = useSignal(false);
  const approve = () => {
    busy.value = true;
    post("/api/tools/approve", { server, tool, digest }).then(done, (thrown: unknown) => {
      error.value = errorOf(thrown);
      busy.value = false;
    });
  };
  return (
    <section class="console-explained" aria-label={`${server} ${tool}`}>
      <p>
        <code>{tool}</code> <span class="muted">{server}</span> {say(changed ? "toolChanged" : "toolNew")}{" "}
        <button type="button" class="button small" disabled={busy.value} onClick={approve}>
          {say("approveTool")}
        </button>
      </p>
      <Diff text={lines.join("\n")} />
      {error.value && <Problem error={error.value} again={done} />}
    </section>
  );
}

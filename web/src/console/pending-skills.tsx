import { useSignal } from "@preact/signals";

import { errorOf, post } from "../app/api";
import { list, object, text } from "../events/read";
import { consoleWords as say } from "../words/console";
import { Block } from "./frame";
import { Problem, useLoaded, type Loaded } from "./loaded";
import { Diff } from "./skill-parts";

/** Skills that wait for approval: what changed, and a button that approves exactly this version. Only operators see it. */
export function PendingSkills({ done }: { readonly done: () => void }) {
  const loaded = useLoaded("/api/skills/pending");
  const pending = list(loaded.data?.["pending"]).map(object);
  if (pending.length === 0) return null;
  const again = () => {
    loaded.again();
    done();
  };
  return (
    <Block title={say("pendingSkills")}>
      {pending.map((one) => (
        <PendingSkill
          key={text(one["digest"])}
          id={text(one["id"])}
          title={text(one["title"])}
          digest={text(one["digest"])}
          changed={text(one["change"]) === "changed"}
          diff={text(one["diff"])}
          cut={one["cut"] === true}
          done={again}
        />
      ))}
    </Block>
  );
}

interface PendingSkillProps {
  readonly id: string;
  readonly title: string;
  readonly digest: string;
  readonly changed: boolean;
  readonly diff: string;
  readonly cut: boolean;
  readonly done: () => void;
}

function PendingSkill({ id, title, digest, changed, diff, cut, done }: PendingSkillProps) {
  const error = useSignal<Loaded["error"]>(null);
  const busy = useSignal(false);
  const approve = () => {
    busy.value = true;
    post("/api/skills/approve", { skill: id, digest }).then(done, (thrown: unknown) => {
      error.value = errorOf(thrown);
      busy.value = false;
    });
  };
  return (
    <section class="console-explained" aria-label={id}>
      <p>
        <strong>{title}</strong> <code>{id}</code> {say(changed ? "skillChanged" : "skillNew")}{" "}
        <button type="button" class="button small" disabled={busy.value} onClick={approve}>
          {say("approveTool")}
        </button>
      </p>
      <Diff text={diff} />
      {cut && <p class="muted small">{say("diffCut")}</p>}
      {error.value && <Problem error={error.value} again={done} />}
    </section>
  );
}

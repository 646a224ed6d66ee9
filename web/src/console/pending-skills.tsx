import { useSignal } from "@preact/signals";

import { errorOf, post } from "../app/api";
import { list, object, text } from "../events/read";
import { consoleWords as say } from "../words/console";
import { Block } from "./frame";
import { Problem, useLoaded, type Loaded } from "./loaded";
import { Diff } from "./skill-parts";

/** Which versions of skills may run: those that wait, and all against the lock file. Only operators see it. */
export function SkillTrust({ done }: { readonly done: () => void }) {
  const lock = useLoaded("/api/skill-lock");
  const round = useSignal(0);
  const approved = () => {
    lock.again();
    done();
  };
  const pinned = () => {
    round.value++;
    approved();
  };
  return (
    <>
      <PendingSkills key={round.value} done={approved} />
      <SkillLock loaded={lock} done={pinned} />
    </>
  );
}

/** Skills that wait for approval: what changed, and a button that approves exactly this version. */
function PendingSkills({ done }: { readonly done: () => void }) {
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

/** All skills against the lock file, and a button that approves exactly those that were compared; only with approvals. */
function SkillLock({ loaded, done }: { readonly loaded: Loaded; readonly done: () => void }) {
  const error = useSignal<Loaded["error"]>(null);
  const busy = useSignal(false);
  const found = loaded.data;
  if (!found || text(found["trust"]) === "off") return null;
  const parts = [
    ["lockChanged", list(found["changed"])],
    ["lockUnknown", list(found["unknown"])],
    ["lockMissing", list(found["missing"])],
  ] as const;
  const differs = parts.filter(([, skills]) => skills.length > 0);
  const again = () => {
    busy.value = false;
    error.value = null;
    done();
  };
  const pin = () => {
    busy.value = true;
    post("/api/skill-lock", { digest: text(found["digest"]) }).then(again, (thrown: unknown) => {
      error.value = errorOf(thrown);
      busy.value = false;
    });
  };
  return (
    <Block title={say("skillLock")}>
      {differs.length === 0 && <p class="muted">{say("lockClean", { count: Number(found["count"]) })}</p>}
      {differs.map(([word, skills]) => (
        <p key={word}>{say(word, { skills: skills.map(text).join(", ") })}</p>
      ))}
      {differs.length > 0 && (
        <button type="button" class="button small" disabled={busy.value} onClick={pin}>
          {say("approveAllSkills")}
        </button>
      )}
      {error.value && <Problem error={error.value} again={again} />}
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

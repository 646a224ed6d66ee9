import { useEffect, useId, useMemo, useState } from "preact/hooks";
import { get } from "../app/api";
import { list, object, same, texts } from "../events/read";
import type { Json, JsonObject, PauseList, WaitingCall } from "../generated/api";
import { Details } from "../parts/details";
import { DiffView } from "../parts/diff-view";
import { fieldsLike, fieldsOf } from "../parts/form/field";
import { SchemaForm } from "../parts/form/form";
import { JsonView } from "../parts/json-view";
import { choiceOf, chosenRows, findMisfits, PreviewTable, sameRows, useEdited } from "../parts/preview-table";
import { visibleJson, visibleText } from "../parts/visible";
import { sayApproval } from "../words/approval";
import { sayChat } from "../words/chat";
import { toolSchema } from "./catalog";
import { noteRows } from "./outbox";
import type { PauseFormProps } from "./pause-form";

interface Ruling {
  decision: "approve" | "edit" | "reject";
  arguments?: JsonObject;
  rows?: JsonObject[];
  note?: string;
}

/** Calls that wait for a yes: approve, change the arguments, or reject with a reason; several are answered together. */
export function ApprovalForm({ pause, busy, onAnswer }: PauseFormProps) {
  const [rulings, setRulings] = useState<Record<string, Ruling>>({});
  const refusal = useRefusal(pause.id);
  const allowed = decisionsOf(pause.schema);
  const single = pause.calls.length === 1;
  const rule = (call: WaitingCall, ruling: Ruling): void => {
    if (single) return onAnswer(ruling as unknown as Json);
    setRulings({ ...rulings, [call.id]: ruling });
  };
  const all = (decision: Ruling["decision"]): void => setRulings(Object.fromEntries(pause.calls.map((call) => [call.id, { decision }])));
  const ready = pause.calls.every((call) => call.id in rulings);
  return (
    <>
      {pause.reason && !pause.reason.startsWith("a person must agree") && <p class="small muted">{visibleText(pause.reason)}</p>}
      {pause.inDoubt && (
        <p class="small doubt" role="status">
          {sayApproval(pause.calls.some((call) => call.preview?.chosen_as) ? "inDoubt" : "inDoubtWhole")}
        </p>
      )}
      {pause.calls.map((call) => (
        <CallCard key={call.id} call={call} chosen={pause.chosen} ruling={rulings[call.id] ?? null} allowed={allowed} busy={busy} mayApprove={!refusal} onRule={(ruling) => rule(call, ruling)} />
      ))}
      {refusal && <p class="small muted">{sayApproval(refusal === "self_approval" ? "needsAnother" : "needsRole")}</p>}
      {!single && (
        <div class="actions">
          <button class="button primary" disabled={busy || !ready} onClick={() => onAnswer({ decisions: rulings as unknown as Json })}>
            {sayChat("sendDecisions", { done: Object.keys(rulings).length, all: pause.calls.length })}
          </button>
          <button class="button" disabled={busy || Boolean(refusal)} onClick={() => all("approve")}>
            {sayChat("approveAll")}
          </button>
          <button class="button quiet" disabled={busy} onClick={() => all("reject")}>
            {sayChat("rejectAll")}
          </button>
        </div>
      )}
    </>
  );
}

/** The decisions that the answer's schema allows. */
export function decisionsOf(schema: JsonObject): string[] {
  const ways = [schema, ...list(schema["anyOf"]).map(object)];
  const found = ways.map((way) => texts(object(object(way["properties"])["decision"])["enum"])).find((one) => one.length > 0);
  return found ?? ["approve", "reject"];
}

interface CallCardProps {
  call: WaitingCall;
  chosen: string[] | null;
  ruling: Ruling | null;
  allowed: string[];
  busy: boolean;
  mayApprove: boolean;
  onRule: (ruling: Ruling) => void;
}

/** Why the reader may not approve, as the server's code; empty if he may or nobody knows yet. */
export function useRefusal(pause: string): string {
  const [refusal, setRefusal] = useState("");
  useEffect(() => {
    const found = get<PauseList>("/api/pauses").then((listed) => listed.pauses.find((one) => one.pause === pause)?.refusal ?? "");
    found.then(setRefusal, () => setRefusal("")); // the server checks it again with the answer
  }, [pause]);
  return refusal;
}

function CallCard({ call, chosen, ruling, allowed, busy, mayApprove, onRule }: CallCardProps) {
  const [mode, setMode] = useState<"look" | "edit" | "reject">("look");
  const held = useMemo(() => choiceOf(call.preview, chosen), [call.preview, chosen]);
  const [choice, setChoice] = useState(held);
  useEffect(() => setChoice(held), [held]); // words chose other rows, here or elsewhere
  const edited = useEdited(call.preview, choice);
  const kept = (call.preview?.rows.length ?? 0) - choice.out.size;
  const misfits = call.preview ? findMisfits(call.preview, choice).length : 0;
  const changed = !ruling && (edited || !sameRows(choice.out, held.out));
  useEffect(() => {
    noteRows(call.id, changed);
    return () => noteRows(call.id, false);
  }, [call.id, changed]);
  const approve = (): void => {
    const rows = call.preview ? chosenRows(call.preview, choice, chosen !== null) : null;
    onRule(rows ? { decision: "approve", rows } : { decision: "approve" });
  };
  return (
    <div class={`held-call${ruling ? " ruled" : ""}`}>
      <div class="held-head">
        <strong>{visibleText(call.title || call.name)}</strong>
        {ruling && <span class={`chip ${ruling.decision === "reject" ? "bad" : "good"}`}>{sayChat(ruling.decision === "approve" ? "approved" : ruling.decision === "edit" ? "editedApproved" : "rejected")}</span>}
      </div>
      {mode === "edit" ? (
        <EditArguments call={call} busy={busy} onDone={(edited) => (setMode("look"), onRule(edited))} onBack={() => setMode("look")} />
      ) : (
        <>
          {call.preview_problem && (
            <p class="field-error" role="alert">
              {visibleText(call.preview_problem)}
            </p>
          )}
          {call.preview && <PreviewTable preview={call.preview} choice={choice} onChoose={ruling || busy ? undefined : setChoice} />}
          <Arguments call={call} ruling={ruling} />
        </>
      )}
      {mode === "reject" && <RejectReason busy={busy} onDone={(note) => (setMode("look"), onRule(note ? { decision: "reject", note } : { decision: "reject" }))} onBack={() => setMode("look")} />}
      {mode === "look" && (
        <div class="actions">
          {allowed.includes("approve") && (
            <button class="button primary" disabled={busy || !mayApprove || misfits > 0 || (call.preview !== undefined && call.preview.rows.length > 0 && kept === 0)} onClick={approve}>
              {edited ? sayChat("approveEdited") : choice.out.size > 0 ? sayChat("approveRows", { count: kept }) : sayChat("approve")}
            </button>
          )}
          {allowed.includes("edit") && !call.preview && (
            <button class="button" disabled={busy || !mayApprove} onClick={() => setMode("edit")}>
              {sayChat("edit")}
            </button>
          )}
          {allowed.includes("reject") && (
            <button class="button danger" disabled={busy} onClick={() => setMode("reject")}>
              {sayChat("reject")}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function Arguments({ call, ruling }: { call: WaitingCall; ruling: Ruling | null }) {
  if (ruling?.decision === "edit" && ruling.arguments) return <DiffView before={call.args} after={ruling.arguments} />;
  if (call.details) return <CallDetails call={call} />;
  if (Object.keys(call.args).length === 0) return <p class="small muted">{sayChat("noArguments")}</p>;
  return <JsonView value={visibleJson(call.args)} label={sayChat("arguments")} />;
}

/** The arguments in words: folded away beside a preview, which says more. */
export function CallDetails({ call }: { call: WaitingCall }) {
  const listed = <Details listed={call.details ?? []} />;
  if (!call.preview || !call.details?.length) return listed;
  return (
    <details>
      <summary class="small">{sayChat("callDetails")}</summary>
      {listed}
    </details>
  );
}

function EditArguments({ call, busy, onDone, onBack }: { call: WaitingCall; busy: boolean; onDone: (ruling: Ruling) => void; onBack: () => void }) {
  const [schema, setSchema] = useState<JsonObject | null>(null);
  const [edited, setEdited] = useState<JsonObject>(call.args);
  useEffect(() => {
    void toolSchema(call.name).then(setSchema);
  }, [call.name]);
  const fields = useMemo(() => (schema && Object.keys(object(schema["properties"])).length > 0 ? fieldsOf(schema) : fieldsLike(call.args)), [schema, call]);
  if (!schema) return <p class="muted">{sayChat("loadingChat")}</p>;
  const done = (value: JsonObject): void => onDone(same(value, call.args) ? { decision: "approve" } : { decision: "edit", arguments: value });
  return (
    <>
      <SchemaForm fields={fields} known={call.args} submit={sayChat("approveEdited")} busy={busy} onSubmit={done} onChange={setEdited}>
        <button type="button" class="button quiet" onClick={onBack}>
          {sayChat("back")}
        </button>
      </SchemaForm>
      <DiffView before={call.args} after={edited} />
    </>
  );
}

function RejectReason({ busy, onDone, onBack }: { busy: boolean; onDone: (note: string) => void; onBack: () => void }) {
  const [note, setNote] = useState("");
  const id = useId();
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {sayChat("rejectReason")} <span class="muted">· {sayChat("optional")}</span>
      </label>
      <textarea id={id} rows={2} maxLength={2000} value={note} onInput={(event) => setNote(event.currentTarget.value)} />
      <div class="actions">
        <button class="button danger" disabled={busy} onClick={() => onDone(note.trim())}>
          {sayChat("reject")}
        </button>
        <button class="button quiet" onClick={onBack}>
          {sayChat("back")}
        </button>
      </div>
    </div>
  );
}

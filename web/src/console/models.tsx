import { useSignal } from "@preact/signals";

import { errorOf, post } from "../app/api";
import { list, object, text, texts } from "../events/read";
import type { JsonObject } from "../generated/api";
import { FailureWords } from "../parts/failure";
import { wording } from "../words";
import { checkSentences } from "../words/checks";
import { consoleWords as say, type ConsoleWord } from "../words/console";
import { failureText } from "../app/failures";
import { sayModel } from "../words/model";
import { Block, Nothing, PageHead } from "./frame";
import { Await, Problem, useLoaded, type Loaded } from "./loaded";
import { ModelSetup } from "./model-setup";

const CHECKS: Readonly<Record<string, ConsoleWord>> = {
  load: "checkLoad",
  reply: "checkReply",
  streaming: "checkStreaming",
  usage: "checkUsage",
  english: "checkEnglish",
  chinese: "checkChinese",
  tools: "checkTools",
  schema: "checkSchema",
  window: "checkWindow",
};
const STAGES: Readonly<Record<string, ConsoleWord>> = {
  choose: "stage_choose",
  fill: "stage_fill",
  act: "stage_act",
  report: "stage_report",
  converse: "stage_converse",
};
const STATES: Readonly<Record<string, { readonly word: ConsoleWord; readonly tone: string }>> = {
  ok: { word: "checkOk", tone: "good" },
  warning: { word: "checkWarning", tone: "warn" },
  failed: { word: "checkFailed", tone: "bad" },
};

/** The configured language models, each with a button that tries it out. */
export function Models() {
  return (
    <>
      <PageHead title={say("models")} lead={say("modelsLead")} />
      <ModelSetup />
      <ModelList />
    </>
  );
}

/** The configured language models; operators can try them out. */
export function ModelList() {
  const loaded = useLoaded("/api/models");
  const info = useLoaded("/api/info");
  const mayTest = texts(info.data?.["roles"]).includes("operator");
  return (
    <>
      {info.data && !mayTest && <p class="muted small">{sayModel("operatorsTest")}</p>}
      <Await what={loaded}>
        {(data) => {
          const models = list(data["models"]).map(object);
          if (models.length === 0) return <Nothing>{say("noModels")}</Nothing>;
          return (
            <>
              {models.map((one) => (
                <Model
                  key={text(one["name"])}
                  name={text(one["name"])}
                  model={text(one["model"])}
                  address={text(one["address"])}
                  isDefault={one["default"] === true}
                  stages={texts(one["stages"])}
                  mayTest={mayTest}
                />
              ))}
            </>
          );
        }}
      </Await>
    </>
  );
}

interface ModelProps {
  readonly name: string;
  readonly model: string;
  readonly address: string;
  readonly isDefault: boolean;
  readonly stages: readonly string[];
  readonly mayTest: boolean;
}

function Model({ name, model, address, isDefault, stages, mayTest }: ModelProps) {
  const error = useSignal<Loaded["error"]>(null);
  const busy = useSignal(false);
  const checks = useSignal<readonly JsonObject[]>([]);
  const test = () => {
    busy.value = true;
    error.value = null;
    checks.value = [];
    post<JsonObject>("/api/models/test", { model: name })
      .then(
        (told) => (checks.value = list(told["checks"]).map(object)),
        (thrown: unknown) => (error.value = errorOf(thrown)),
      )
      .finally(() => (busy.value = false));
  };
  return (
    <Block title={model === "builtin" ? sayModel("builtin") : name}>
      <p>
        {model !== "builtin" && <code>{model}</code>} {address && <span class="muted">{address}</span>} {isDefault && <span class="chip">{say("modelDefault")}</span>}{" "}
        {stages.map((stage) => (
          <span class="chip" key={stage}>
            {STAGES[stage] ? say(STAGES[stage]) : stage}
          </span>
        ))}{" "}
        <button type="button" class="button small" disabled={busy.value || !mayTest} onClick={test} aria-label={`${say("testModel")} ${name}`}>
          {say(busy.value ? "testingModel" : "testModel")}
        </button>
      </p>
      <ul class="checks" aria-live="polite">
        {checks.value.map((check) => {
          const state = STATES[text(check["status"])] ?? { word: "checkWarning" as const, tone: "warn" };
          const word = CHECKS[text(check["name"])];
          return (
            <li key={text(check["name"])}>
              <span class={`chip ${state.tone}`}>{say(state.word)}</span> {word ? say(word) : text(check["name"])} <CheckWords check={check} />
            </li>
          );
        })}
      </ul>
      {error.value && <Problem error={error.value} again={test} />}
    </Block>
  );
}

const sayCheck = wording(checkSentences);

/** What a check saw and what to do, in the reader's language; an error has its own sentence. */
function CheckWords({ check }: { readonly check: JsonObject }) {
  const code = text(check["code"]);
  const seen = checkText(code, check) ?? (failureText(code) === null ? text(check["message"]) : null);
  const hint = checkText(text(check["hint_code"]), check) ?? (seen === null ? "" : text(check["hint"]));
  return (
    <>
      {seen === null ? <FailureWords code={code} message={text(check["message"])} hint={text(check["hint"])} /> : <span class="muted">{seen}</span>}
      {hint && <p class="small muted">{hint}</p>}
    </>
  );
}

function checkText(code: string, check: JsonObject): string | null {
  if (!Object.hasOwn(checkSentences, code)) return null;
  const values = Object.entries(object(check["values"])).map(([name, value]) => [name, String(value)]);
  return sayCheck(code as keyof typeof checkSentences, Object.fromEntries(values) as Record<string, string>);
}

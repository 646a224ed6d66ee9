import { defaultModel, withoutModel } from "../app/models";
import { sayModel } from "../words/model";
import { CopyButton } from "./frame";

const WORKS = ["worksSteps", "worksData", "worksAsk", "worksFind"] as const;
const ADDS = ["addsTalk", "addsBeyond", "addsWrite"] as const;
const CONNECT = `METIER_MODEL=deepseek:deepseek-v4-flash \\
DEEPSEEK_API_KEY=sk-… metier serve`;
const LOCAL = "METIER_MODEL=ollama:qwen3:4b metier serve";

/** What runs without a language model, what one would add, and how to connect one. */
export function ModelSetup() {
  const model = defaultModel.value;
  return (
    <div class="model-setup">
      <p>{withoutModel.value || !model ? sayModel("none") : sayModel("some", { model: model.model })}</p>
      <div class="model-columns">
        <section>
          <h2>{sayModel("works")}</h2>
          <ul>
            {WORKS.map((word) => (
              <li key={word}>{sayModel(word)}</li>
            ))}
          </ul>
        </section>
        <section>
          <h2>{sayModel("adds")}</h2>
          <ul>
            {ADDS.map((word) => (
              <li key={word}>{sayModel(word)}</li>
            ))}
          </ul>
        </section>
      </div>
      <details open={withoutModel.value}>
        <summary>{sayModel("connect")}</summary>
        <p class="small">{sayModel("connectHow")}</p>
        {[CONNECT, LOCAL].map((command, at) => (
          <div class="command" key={command}>
            <pre tabIndex={0} role="region" aria-label={`${sayModel("command")} ${at + 1}`}>
              {command}
            </pre>
            <CopyButton text={command} />
          </div>
        ))}
        <p class="small muted">
          {sayModel("connectCheck")} <code>metier model test</code>
        </p>
      </details>
    </div>
  );
}

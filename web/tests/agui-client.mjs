// Runs turns with AG-UI's own client and prints what it understood, one JSON line per run.
// node agui-client.mjs URL THREAD MESSAGE [ANSWER]
import { HttpAgent } from "@ag-ui/client";

const [url, threadId, message, answer] = process.argv.slice(2);
const agent = new HttpAgent({ url, threadId });
agent.messages = [{ id: "m1", role: "user", content: message }];

async function run(input) {
  const seen = [];
  let outcome;
  await agent.runAgent(input, {
    onEvent: ({ event }) => void seen.push(event.type),
    onRunFinishedEvent: ({ event }) => void (outcome = event.outcome ?? null),
    onRunFailed: ({ error }) => void (outcome = { type: "failed", message: String(error) }),
  });
  console.log(JSON.stringify({ seen, outcome, messages: agent.messages, state: agent.state }));
  return outcome;
}

const first = await run({ runId: "r1" });
if (answer !== undefined) {
  const interruptId = first.interrupts[0].id;
  await run({ runId: "r2", resume: [{ interruptId, status: "resolved", payload: JSON.parse(answer) }] });
}

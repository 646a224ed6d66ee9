import { useState } from "preact/hooks";
import { problemText } from "../app/problem";
import type { Turn } from "../events/state";
import { Icon } from "../parts/icon";
import { sayChat } from "../words/chat";
import { exportAs } from "./conversations";
import { conversation } from "./session";

const REPORTS = ["pdf", "docx"] as const;

/** Buttons that save the report of one turn as a document. */
export function ReportExport({ turn }: { turn: Turn }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const id = conversation.value?.id;
  if (!id || !turn.items.some((item) => item.type === "table" || item.type === "chart")) return null;
  const save = async (format: (typeof REPORTS)[number]): Promise<void> => {
    setBusy(true);
    setProblem("");
    try {
      await exportAs(id, turn.message.slice(0, 60), format, turn.id);
    } catch (thrown) {
      setProblem(problemText(thrown));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {REPORTS.map((format) => (
        <button key={format} class="button quiet small" disabled={busy} onClick={() => void save(format)}>
          <Icon name="download" size={15} /> {sayChat(`export_${format}`)}
        </button>
      ))}
      {problem && (
        <span class="bad small" role="alert">
          {problem}
        </span>
      )}
    </>
  );
}

import { language } from "./language";
import { errorSentences } from "../words/errors";
import { wording } from "../words";

type Code = keyof typeof errorSentences;

/** Errors whose sentence says all; of the others the server's own words say more, but they are English. */
const COMPLETE: ReadonlySet<string> = new Set<Code>([
  "model_key_refused",
  "model_unavailable",
  "model_not_found",
  "invalid_settings",
  "missing_extra",
  "role_missing",
  "self_approval",
  "approval_changed",
  "file_damaged",
  "office_file_refused",
  "file_locked",
  "file_has_macros",
  "old_text_format",
  "old_sheet_format",
  "old_slides_format",
  "file_type_refused",
  "file_too_complex",
  "context_overflow",
  "record_not_found",
  // Their words name turns, processes and keys, which tell a person nothing.
  "conversation_busy",
  "lease_lost",
  "key_reused",
  "already_decided",
  "store_unavailable",
  "store_busy",
  "rate_limited",
]);

const say = wording(errorSentences);

/** The sentence of an error in the reader's language; null where the server's words are the better ones. */
export function failureText(code: string): string | null {
  const general = language.value !== "en" && Object.hasOwn(errorSentences, code);
  return general || COMPLETE.has(code) ? say(code as Code) : null;
}

/** The sentence of an error on one line, a general one with the values that the server's words quote. */
export function failureLine(code: string, message: string): string | null {
  const sentence = failureText(code);
  if (sentence === null || COMPLETE.has(code)) return sentence;
  return sentence + namesIn(message);
}

/** Ids, and processes as host:pid:id: of no use to a reader. */
const OF_MACHINES = /^[0-9a-f]{12,}$|^[0-9a-f]{8}-[0-9a-f-]{27}$|^[\w.-]+:\d+(?::\w+)?$/i;

/** The values that an English sentence quotes, in brackets; empty if there are none. */
export function namesIn(message: string): string {
  const found = [...message.matchAll(/(?<!\w)'([^'\n]{1,80})'(?!\w)/g)].map((one) => one[1] ?? "");
  const names = found.filter((name) => !OF_MACHINES.test(name)).map((name) => `「${name}」`).join("、");
  return names && `（${names}）`;
}

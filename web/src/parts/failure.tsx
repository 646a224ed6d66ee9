import { sayApp } from "../words/app";
import { failureText } from "../app/failures";

interface FailureProps {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** An error in the reader's language with the server's own words folded; an error without a sentence keeps those. */
export function FailureWords({ code, message, hint }: FailureProps) {
  const sentence = failureText(code);
  if (sentence === null) {
    return (
      <>
        {message} {hint && <span class="muted">{hint}</span>} <code>{code}</code>
      </>
    );
  }
  return (
    <>
      {sentence}
      <details class="failure-details">
        <summary class="small">{sayApp("details")}</summary>
        <p class="small muted" lang="en">
          {message} {hint} <code>{code}</code>
        </p>
      </details>
    </>
  );
}

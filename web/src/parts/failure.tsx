import type { ComponentChildren } from "preact";
import { sayApp } from "../words/app";
import { failureText } from "../app/failures";
import { problemDetail } from "../app/problem";

interface FailureProps {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** A problem as a sentence, with the server's own words folded. */
export function ProblemWords({ text }: { readonly text: string }) {
  const detail = problemDetail(text);
  return (
    <>
      {text}
      {detail && <Folded>{detail}</Folded>}
    </>
  );
}

function Folded({ children }: { readonly children: ComponentChildren }) {
  return (
    <details class="failure-details">
      <summary class="small">{sayApp("details")}</summary>
      <p class="small muted" lang="en">
        {children}
      </p>
    </details>
  );
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
      <Folded>
        {message} {hint} <code>{code}</code>
      </Folded>
    </>
  );
}

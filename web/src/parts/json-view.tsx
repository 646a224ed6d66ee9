import type { Json } from "../generated/api";

const MOST_CHARS = 20_000;

/** JSON to read; very long ones are cut, with how much is left. */
export function JsonView({ value, label }: { value: Json | undefined; label: string }) {
  const whole = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
  const cut = whole.length > MOST_CHARS;
  return (
    <pre class="json" tabIndex={0} role="region" aria-label={label}>
      {cut ? `${whole.slice(0, MOST_CHARS)}\n… (+${whole.length - MOST_CHARS})` : whole}
    </pre>
  );
}

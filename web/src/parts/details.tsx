import type { Detail } from "../generated/api";
import { visibleText } from "./visible";

/** Arguments of a call in words. */
export function Details({ listed }: { listed: Detail[] }) {
  if (listed.length === 0) return null;
  return (
    <dl class="filled small">
      {listed.map((one) => (
        <div key={one.title}>
          <dt>{visibleText(one.title)}</dt>
          <dd>{visibleText(one.value)}</dd>
        </div>
      ))}
    </dl>
  );
}

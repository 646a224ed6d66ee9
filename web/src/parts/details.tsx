import type { Detail } from "../generated/api";

/** Arguments of a call in words. */
export function Details({ listed }: { listed: Detail[] }) {
  if (listed.length === 0) return null;
  return (
    <dl class="filled small">
      {listed.map((one) => (
        <div key={one.title}>
          <dt>{one.title}</dt>
          <dd>{one.value}</dd>
        </div>
      ))}
    </dl>
  );
}

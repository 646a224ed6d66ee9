import { useMemo } from "preact/hooks";

import type { MapSpec } from "../../generated/api";
import { mapWords as say } from "../../words/map";
import { bandsOf, cornerOf, directionOf, groundPath, limitPath, scaleLength, squareAt, squareOf, squarePaths, valuesOf, wedgePath, type StageName } from "./geometry";
import { coloursOf } from "./palette";

/** What is drawn, and where the reader looks. */
export interface PictureProps {
  readonly spec: MapSpec;
  readonly stage: StageName;
  readonly layer: string;
  readonly sectors: boolean;
  readonly base: boolean;
  readonly cursor: number | null;
  readonly label: string;
  readonly onCursor: (at: number | null) => void;
}

/** The map itself: the base, the squares, the limit, the sectors, and the square under the cursor. */
export function MapPicture({ spec, stage, layer, sectors, base, cursor, label, onCursor }: PictureProps) {
  const values = valuesOf(spec.layers.find((one) => one.id === layer), stage);
  const bands = bandsOf(spec, stage);
  const paths = useMemo(() => squarePaths(spec, values, bands), [spec, stage, layer]);
  const grounds = useMemo(() => spec.ground.map((one) => ({ kind: one.kind, path: groundPath(spec, one.rectangles) })), [spec]);
  const limit = stage === "difference" ? undefined : spec.threshold;
  const line = useMemo(() => (limit === undefined ? "" : limitPath(spec, values, limit)), [spec, stage, layer]);
  const colours = coloursOf(bands.length, stage);
  const point = (event: PointerEvent): void => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    onCursor(squareAt(spec, ((event.clientX - box.left) / box.width) * spec.width_m, ((event.clientY - box.top) / box.height) * spec.height_m));
  };
  const keys = (event: KeyboardEvent): void => {
    const next = moved(spec, cursor ?? Math.floor((spec.rows / 2) * spec.columns + spec.columns / 2), event.key);
    if (next === null) return;
    event.preventDefault();
    onCursor(next);
  };
  const { wide, high } = squareOf(spec);
  const [x, y] = cursor === null ? [0, 0] : cornerOf(spec, cursor);
  return (
    <svg
      class={`map-picture${base ? "" : " bare"}`}
      viewBox={`0 0 ${spec.width_m} ${spec.height_m}`}
      role="application"
      aria-roledescription={say("help")}
      aria-label={label}
      tabindex={0}
      onPointerMove={point}
      onPointerLeave={() => onCursor(null)}
      onKeyDown={keys}
    >
      <rect class="map-road" width={spec.width_m} height={spec.height_m} />
      {base && grounds.map((one) => <path key={one.kind} class={`map-ground ${one.kind}`} d={one.path} />)}
      <g class="map-squares">
        {paths.map((path, at) => path && <path key={at} d={path} fill={colours[at]} />)}
      </g>
      {base && grounds.map((one) => <path key={one.kind} class="map-outline" d={one.path} />)}
      {line && <path class="map-limit" d={line} />}
      {sectors && <Sectors spec={spec} stage={stage} layer={layer} />}
      <ScaleBar spec={spec} />
      {cursor !== null && <rect class="map-cursor" x={x} y={y} width={wide} height={high} />}
    </svg>
  );
}

/** Sectors as wedges around their sites; those that change are marked. */
function Sectors({ spec, stage, layer }: { spec: MapSpec; stage: StageName; layer: string }) {
  const sites = new Map(spec.sites.map((site) => [site.id, site]));
  const radius = Math.max(spec.width_m, spec.height_m) / 36;
  const shown = spec.sectors.filter((sector) => layer === "all" || sector.layer === layer);
  return (
    <g>
      {shown.map((sector) => {
        const site = sites.get(sector.site);
        if (!site) return null;
        // The wedges of a second network lie inside those of the first.
        const size = sector.layer === "5G" && layer === "all" ? radius * 0.62 : radius;
        const path = wedgePath(site.x_m, spec.height_m - site.y_m, directionOf(sector, stage), sector.beamwidth_deg, size);
        const changed = sector.changes !== "";
        return (
          <path key={sector.id} class={`map-sector${changed ? " changed" : ""}`} d={path}>
            <title>{[`${sector.id} · ${sector.layer}`, sector.note, sector.changes].filter(Boolean).join("\n")}</title>
          </path>
        );
      })}
      {spec.sites.map((site) => (
        <circle key={site.id} class="map-site" cx={site.x_m} cy={spec.height_m - site.y_m} r={radius / 7}>
          <title>{site.title}</title>
        </circle>
      ))}
    </g>
  );
}

function ScaleBar({ spec }: { spec: MapSpec }) {
  const length = scaleLength(spec);
  const [edge, size] = [spec.width_m / 60, spec.width_m / 45];
  return (
    <g class="map-scale">
      <path d={`M${edge} ${spec.height_m - edge * 1.6}v${edge * 0.6}h${length}v${-edge * 0.6}`} />
      <text x={edge + length / 2} y={spec.height_m - edge * 1.5} font-size={size}>
        {say("metres", { count: length })}
      </text>
      <text x={spec.width_m - edge * 1.5} y={edge * 2.4} font-size={size}>
        N ↑
      </text>
    </g>
  );
}

/** The square that a key leads to; null for other keys. */
export function moved(spec: MapSpec, at: number, key: string): number | null {
  const [column, row] = [at % spec.columns, Math.floor(at / spec.columns)];
  const clamp = (value: number, most: number): number => Math.min(most - 1, Math.max(0, value));
  const steps: { readonly [key: string]: readonly [number, number] } = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const step = steps[key];
  return step ? clamp(row + step[1], spec.rows) * spec.columns + clamp(column + step[0], spec.columns) : null;
}

const PATHS = {
  spark: "M12 4l1.9 5.1L19 11l-5.1 1.9L12 18l-1.9-5.1L5 11l5.1-1.9zM19 16l.7 1.8 1.8.7-1.8.7-.7 1.8-.7-1.8-1.8-.7 1.8-.7z",
  mark: "M5 19V6l7 8 7-8v13",
  menu: "M4 7h16M4 12h16M4 17h16",
  plus: "M12 5v14M5 12h14",
  search: "M11 18a7 7 0 1 1 0-14 7 7 0 0 1 0 14zM20 20l-4-4",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  send: "M12 19V5M6 11l6-6 6 6",
  stop: "M7 7h10v10H7z",
  copy: "M9 9h10v10H9zM5 15V5h10",
  retry: "M4 12a8 8 0 1 0 2.5-5.8M4 4v4h4",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  trash: "M5 7h14M10 7V5h4v2M7 7l1 12h8l1-12",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  check: "M5 13l4 4L19 7",
  cross: "M6 6l12 12M18 6L6 18",
  skip: "M6 6l6 6-6 6M16 6v12",
  dot: "M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
  clock: "M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM12 8v5l3 2",
  hand: "M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM12 8v5M12 16h.01",
  flag: "M6 21V4h11l-2 4 2 4H6",
  tool: "M14 6a4 4 0 0 1 5 5l-9 9-4-4 8-8zM6 16l2 2",
  shield: "M12 3l7 3v6c0 4-3 7-7 9-4-2-7-5-7-9V6z",
  file: "M7 3h7l4 4v14H7zM14 3v4h4",
  folder: "M3 6h6l2 2h10v11H3z",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01",
  lock: "M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3",
  unlock: "M6 11h12v9H6zM9 11V8a3 3 0 0 1 5.8-1",
  up: "M6 15l6-6 6 6",
  down: "M6 9l6 6 6-6",
  right: "M9 6l6 6-6 6",
  sun: "M12 16a4 4 0 1 1 0-8 4 4 0 0 1 0 8zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4M18.4 5.6L17 7M7 17l-1.4 1.4",
  moon: "M20 14a8 8 0 0 1-10-10 8 8 0 1 0 10 10z",
  contrast: "M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM12 3v18",
  pin: "M12 16v5M8 4h8l-1 6 3 3v2H6v-2l3-3z",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.6-5.6L12 7M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.6 5.6L12 17",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l1.5 1.5h-15zM10 21h4",
  bellOff: "M6 17V11a6 6 0 0 1 12 0v6l1.5 1.5h-15zM10 21h4M4 4l16 16",
  branch: "M7 5v14M7 14c6 0 10-1 10-6M7 5l-2 2M7 5l2 2M17 8l-2-2M17 8l2-2",
  thumbUp: "M7 11v9H4v-9zM7 11l4-7c1.5 0 2.4 1.2 2.1 2.7L12.5 10H18a2 2 0 0 1 2 2.4l-1.2 6A2 2 0 0 1 16.8 20H7",
  thumbDown: "M17 13V4h3v9zM17 13l-4 7c-1.5 0-2.4-1.2-2.1-2.7l.6-3.3H6a2 2 0 0 1-2-2.4l1.2-6A2 2 0 0 1 7.2 4H17",
  chart: "M5 20V11M12 20V4M19 20v-6M3 20h18",
  book: "M5 4h10a4 4 0 0 1 4 4v12H9a4 4 0 0 1-4-4zM5 16a4 4 0 0 1 4-4h10",
  list: "M9 7h11M9 12h11M9 17h11M5 7h.01M5 12h.01M5 17h.01",
  question: "M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.5c-.7.4-1 1-1 1.5M12 17h.01",
} as const;

/** The names of the pictures. */
export type IconName = keyof typeof PATHS;

/** A small line picture; decoration only, so it is hidden from screen readers. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

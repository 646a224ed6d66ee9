import type { ComponentChildren } from "preact";
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Icon } from "../parts/icon";
import { sayApp } from "../words/app";
import { language, setLanguage } from "./language";
import { ModelDialogPlace, ModelStatus } from "./model-status";
import { ProfileDialogPlace, profileOpen } from "./profile-place";
import { page, place } from "./router";
import { askForNotices, noticesOff, noticeState } from "./notices";
import { setTheme, theme } from "./theme";
import type { Theme } from "./theme";

/** Whether the side is open where it is a drawer, on narrow screens. */
export const drawerOpen = signal(false);

/** How many approvals of others wait for the reader. */
export const approvalsWaiting = signal(0);

/** What a page puts into the shell: its side, its title for the top bar, and its content. */
export interface ShellProps {
  side: ComponentChildren;
  title?: ComponentChildren;
  aside?: ComponentChildren;
  children: ComponentChildren;
}

/** The frame of every page: a side with brand, pages and settings (a drawer on phones), the content, and an aside. */
export function Shell({ side, title, aside, children }: ShellProps) {
  const address = place.value;
  useEffect(() => {
    drawerOpen.value = false;
  }, [address]);
  const open = drawerOpen.value;
  return (
    <div class={`shell${aside ? " with-aside" : ""}`} onKeyDown={(key) => key.key === "Escape" && (drawerOpen.value = false)}>
      <a class="skip" href="#main">
        {sayApp("skip")}
      </a>
      <header class="topbar">
        <button class="icon-button" aria-label={sayApp("menu")} aria-expanded={open} aria-controls="side" onClick={() => (drawerOpen.value = !open)}>
          <Icon name="menu" />
        </button>
        <div class="topbar-title">{title ?? "Metier"}</div>
        <ModelStatus />
      </header>
      {open && <button class="scrim" aria-label={sayApp("closeMenu")} onClick={() => (drawerOpen.value = false)} />}
      <nav id="side" class={`side${open ? " open" : ""}`} aria-label={sayApp("pages")}>
        <Brand />
        <div class="side-body">{side}</div>
        <Settings />
      </nav>
      <main id="main" class="main" tabIndex={-1}>
        {children}
      </main>
      {aside && <aside class="aside">{aside}</aside>}
      <ModelDialogPlace />
      <ProfileDialogPlace />
    </div>
  );
}

function Brand() {
  const now = page.value.name;
  return (
    <div class="brand">
      <div class="brand-row">
        <a class="brand-name" href="/">
          <Icon name="mark" /> Metier
        </a>
        <ModelStatus />
      </div>
      <div class="segments">
        <a href="/" aria-current={now === "chat" ? "page" : undefined}>
          {sayApp("chat")}
        </a>
        <a href={approvalsWaiting.value > 0 ? "/console/violations?tab=approvals" : "/console/timeline"} aria-current={now === "console" ? "page" : undefined}>
          {sayApp("console")}
          {approvalsWaiting.value > 0 && (
            <span class="count" title={sayApp("approvalsWait", { count: approvalsWaiting.value })}>
              {approvalsWaiting.value}
              <span class="visually-hidden"> {sayApp("approvalsWait", { count: approvalsWaiting.value })}</span>
            </span>
          )}
        </a>
      </div>
    </div>
  );
}

/** Whether the browser tells when something waits, and the switch for it. */
function Bell() {
  const isOn = noticeState.value === "granted" && !noticesOff.value;
  const words = sayApp(isOn ? "noticesOn" : noticeState.value === "denied" ? "noticesDenied" : "askNotices");
  return (
    <button class="icon-button" aria-pressed={isOn} aria-label={words} title={words} onClick={() => void askForNotices()}>
      <Icon name={isOn ? "bell" : "bellOff"} size={17} />
    </button>
  );
}

function Settings() {
  return (
    <div class="side-foot" role="group" aria-label={sayApp("settings")}>
      <label class="mini">
        <span class="visually-hidden">{sayApp("theme")}</span>
        <Icon name={theme.value === "dark" ? "moon" : theme.value === "light" ? "sun" : "contrast"} />
        <select value={theme.value} onChange={(change) => setTheme(change.currentTarget.value as Theme)}>
          <option value="system">{sayApp("system")}</option>
          <option value="light">{sayApp("light")}</option>
          <option value="dark">{sayApp("dark")}</option>
        </select>
      </label>
      {noticeState.value !== "none" && <Bell />}
      <button class="button quiet small" onClick={() => (profileOpen.value = true)}>
        {sayApp("myData")}
      </button>
      <button class="button quiet small" lang={language.value === "zh" ? "en" : "zh-CN"} onClick={() => setLanguage(language.value === "zh" ? "en" : "zh")}>
        {language.value === "zh" ? "English" : "中文"}
      </button>
    </div>
  );
}

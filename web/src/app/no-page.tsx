import { sayApp } from "../words/app";

/** What an address shows that the page does not have. */
export function NoPage() {
  document.title = `${sayApp("noPage")} · Metier`;
  return (
    <main id="main" class="shared">
      <div class="thread-empty" role="alert">
        <h1>{sayApp("noPage")}</h1>
        <p class="muted">{sayApp("noPageText")}</p>
        <a class="button" href="/">
          {sayApp("newChat")}
        </a>
      </div>
    </main>
  );
}

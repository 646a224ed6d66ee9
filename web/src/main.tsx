import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/chat.css";
import "./styles/cards.css";
import { render } from "preact";
import { watchCutTexts } from "./app/cut-texts";
import { KeyPrompt } from "./app/key-prompt";
import { later } from "./app/later";
import { NoPage } from "./app/no-page";
import { page, startRouter } from "./app/router";
import { Chat } from "./chat";

/** The console is a chunk of its own: whoever only chats never loads it. */
const Console = later<{ path: string }>(() => import("./console/index").then((room) => room.Console));

/** What a share link shows; it needs neither a key nor the rest of the page. */
const Shared = later<{ token: string }>(() => import("./chat/shared").then((room) => room.Shared));

function App() {
  const where = page.value;
  if (where.name === "shared") return <Shared token={where.token} />;
  if (where.name === "unknown") return <NoPage />;
  return (
    <>
      {where.name === "console" ? <Console path={where.path} /> : <Chat id={where.id} />}
      <KeyPrompt />
    </>
  );
}

startRouter();
watchCutTexts();
const root = document.getElementById("app");
if (root) render(<App />, root);

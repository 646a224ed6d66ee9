import { render } from "preact";
import { signal } from "@preact/signals";
const n = signal(0);
render(<button onClick={() => n.value++}>{n}</button>, document.getElementById("app")!);

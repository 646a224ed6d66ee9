import { useEffect, useState } from "preact/hooks";
import type { ComponentType, VNode } from "preact";
import { sayApp } from "../words/app";

const RETRY_MS = 5000;

/** Show a component of a chunk that is loaded when it is first needed. With `meanwhile`, that stands in its place until then, and a failed load is tried again. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>, meanwhile?: (props: Props) => VNode): ComponentType<Props> {
  let known: ComponentType<Props> | null = null;
  return function Later(props: Props) {
    const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(() => known);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (failed && meanwhile) {
        const timer = setTimeout(() => setFailed(false), RETRY_MS);
        return () => clearTimeout(timer);
      }
      if (failed) return;
      if (known) {
        setLoaded(() => known); // another one was loaded between the first drawing of this one and now
        return;
      }
      load().then(
        (found) => {
          known = found;
          setLoaded(() => found);
        },
        () => setFailed(true),
      );
    }, [failed]);
    if (Loaded) return <Loaded {...props} />;
    if (meanwhile) return meanwhile(props);
    if (!failed) return <p class="muted loading">{sayApp("loading")}</p>;
    return (
      <p class="loading" role="alert">
        {sayApp("loadFailed")}{" "}
        <button class="button" onClick={() => setFailed(false)}>
          {sayApp("again")}
        </button>
      </p>
    );
  };
}

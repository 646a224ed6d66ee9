import { useEffect, useState } from "preact/hooks";
import type { ComponentType, VNode } from "preact";
import { sayApp } from "../words/app";

/** Show a component of a chunk that is loaded when it is first needed. `meanwhile` stands in its place until then, also where loading fails. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>, meanwhile?: (props: Props) => VNode): ComponentType<Props> {
  let known: ComponentType<Props> | null = null;
  return function Later(props: Props) {
    const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(() => known);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
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
    if (!failed) return meanwhile?.(props) ?? <p class="muted loading">{sayApp("loading")}</p>;
    return (
      <>
        {meanwhile?.(props)}
        <p class="loading" role="alert">
          {sayApp("loadFailed")}{" "}
          <button class="button" onClick={() => setFailed(false)}>
            {sayApp("again")}
          </button>
        </p>
      </>
    );
  };
}

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { sayApp } from "../words/app";
import { Icon } from "./icon";

/** Props of `Dialog`. */
export interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
}

/** A modal dialog with a title and a way out; there as long as it is rendered. */
export function Dialog({ title, onClose, children, wide = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const name = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const outside = (click: MouseEvent): void => {
    if (click.target === dialog.current) onClose();
  };
  return (
    <dialog ref={dialog} class={`dialog${wide ? " wide" : ""}`} aria-labelledby={name} onClose={onClose} onClick={outside}>
      <div class="dialog-body">
        <div class="dialog-head">
          <h2 id={name}>{title}</h2>
          <button class="icon-button" aria-label={sayApp("close")} onClick={onClose}>
            <Icon name="cross" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

import type { Pause } from "../events/state";
import type { Json } from "../generated/api";
import { ApprovalForm } from "./approval";
import { ExceptionForm } from "./exception-form";
import { ParametersForm } from "./parameters";
import { QuestionForm } from "./question";

/** What every form of a question is given. */
export interface PauseFormProps {
  pause: Pause;
  busy: boolean;
  onAnswer: (value: Json) => void;
}

/** The form that a question needs. */
export function PauseForm(props: PauseFormProps) {
  switch (props.pause.kind) {
    case "approval":
      return <ApprovalForm {...props} />;
    case "exception":
      return <ExceptionForm {...props} />;
    case "parameters":
      return <ParametersForm {...props} />;
    default:
      return <QuestionForm {...props} />;
  }
}

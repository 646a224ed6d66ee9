import { signal } from "@preact/signals";
import { later } from "./later";

/** Whether the dialog about the reader's own data is open. */
export const profileOpen = signal(false);

const ProfileDialog = later<object>(() => import("./profile-dialog").then((room) => room.ProfileDialog));

/** The place of the dialog in the shell. */
export function ProfileDialogPlace() {
  return profileOpen.value ? <ProfileDialog /> : null;
}

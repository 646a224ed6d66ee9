import { signal } from "@preact/signals";
import { later } from "./later";

/** Whether the dialog about the reader's own data is open. */
export const profileOpen = signal(false);

/** The link that answers have to it. */
const OWN_DATA = "#my-data";

const follow = (): void => {
  if (location.hash !== OWN_DATA) return;
  profileOpen.value = true;
  history.replaceState(null, "", location.pathname + location.search); // so that the link works again
};
addEventListener("hashchange", follow);
follow();

const ProfileDialog = later<object>(() => import("./profile-dialog").then((room) => room.ProfileDialog));

/** The place of the dialog in the shell. */
export function ProfileDialogPlace() {
  return profileOpen.value ? <ProfileDialog /> : null;
}

import { useLocation } from "react-router";
import { patterns } from "@/app/paths";
import { ConfirmEmail } from "./ConfirmEmail";
import { ResetPassword } from "./ResetPassword";
import { UndoChange } from "./UndoChange";
import { VerifyMail } from "./VerifyMail";

/** What a link of a mail about the account opens. These screens are seldom seen, so they are fetched together. */
export function FromMail() {
  const { pathname } = useLocation();
  if (pathname.startsWith(patterns.undoChange)) return <UndoChange />;
  if (pathname.startsWith(patterns.verifyMail)) return <VerifyMail />;
  return pathname.startsWith(patterns.confirmEmail) ? <ConfirmEmail /> : <ResetPassword />;
}

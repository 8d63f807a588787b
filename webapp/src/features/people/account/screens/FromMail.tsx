import { useLocation } from "react-router";
import { confirmEmail, undoChange } from "@/api/security";
import { patterns } from "@/lib/paths";
import { ByMail } from "../parts/ByMail";
import { accountTexts as t } from "../texts";
import { ResetPassword } from "./ResetPassword";
import { VerifyMail } from "./VerifyMail";

/** What a link of a mail about the account opens. These screens are seldom seen, so they are fetched together. */
export function FromMail() {
  const { pathname } = useLocation();
  if (pathname.startsWith(patterns.undoChange)) return <ByMail t={t.undoChange} act={undoChange} ends="password" />;
  if (pathname.startsWith(patterns.confirmEmail)) return <ByMail t={t.confirmEmail} act={confirmEmail} ends="email" />;
  return pathname.startsWith(patterns.verifyMail) ? <VerifyMail /> : <ResetPassword />;
}

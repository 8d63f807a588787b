import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { forgetInvitation, keepInvitation } from "@/api/account";
import { invitationAt } from "@/lib/invitations";
import { paths } from "@/lib/paths";
import { errorTexts } from "@/lib/texts/errors";
import { report, succeed } from "./report";

/** While it is open to its person, the invitation of this address waits on their Home, until `leave` puts it aside. */
export function useKeptInvitation(open: boolean) {
  const { pathname, search } = useLocation();
  const here = pathname + search;
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    const invitation = invitationAt(here);
    // Only a reminder: without it the link still works.
    if (open && invitation) keepInvitation(invitation).catch(() => {});
  }, [here, open]);
  const leave = async () => {
    setLeaving(true);
    try {
      const { message } = await forgetInvitation(invitationAt(here) ?? {});
      succeed(message);
      navigate(paths.dashboard);
    } catch (error) {
      report(error, errorTexts.notAnswered.join);
      setLeaving(false);
    }
  };
  return { leaving, leave };
}

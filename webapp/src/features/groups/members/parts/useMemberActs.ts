import * as api from "@/api/groups";
import { useAct } from "@/features/groups/frame";

type Deed = "approve" | "reject" | "deactivate" | "validator" | "approver" | "notApprover";

/** An official's actions on one member; each answers whether it was done. */
export function useMemberActs(groupId: string, memberId: string) {
  const { busy, act } = useAct(groupId);
  const name = (deed: Deed) => `${deed}:${groupId}:${memberId}`;
  const go = async (deed: Deed, send: Parameters<typeof act>[1]) => (await act(name(deed), send)) !== undefined;
  return {
    busy: busy?.split(":")[0] as Deed | undefined,
    /** Lets in who waits, and makes active again who is inactive. */
    approve: () => go("approve", (key) => api.approveMember(key, groupId, memberId)),
    reject: (reason: string) => go("reject", (key) => api.rejectMember(key, { groupId, memberId, reason })),
    deactivate: (reason: string) => go("deactivate", (key) => api.deactivateMember(key, { groupId, memberId, reason })),
    makeValidator: () => go("validator", (key) => api.setValidator(key, groupId, memberId)),
    makeApprover: () => go("approver", (key) => api.appointApprover(key, groupId, memberId)),
    removeApprover: () => go("notApprover", (key) => api.removeApprover(key, groupId, memberId)),
  };
}

export { GroupFrame } from "./GroupFrame";
export { InvitedCard } from "./InvitedCard";
export { MemberAvatar } from "./MemberAvatar";
export { isOfficial, seesTotals } from "./offices";
export { MemberSearch, SubAccountPick } from "./Picks";
export { descriptionRule, nameRule } from "./rules";
export { groupTexts } from "./texts";
export { useAct } from "./useAct";
export { isOwner, mayApprove, mayPay, useDetails, useGroup, useSubAccounts } from "./useGroup";

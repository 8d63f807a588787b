export { Appoint } from "./parts/Appoint";
export { useMemberActs } from "./parts/useMemberActs";
export { WaitingRow } from "./parts/WaitingRow";
export { memberTexts, officeTexts } from "./texts";

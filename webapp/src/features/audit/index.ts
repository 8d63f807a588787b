export { Coverage } from "./parts/Coverage";
export { Desk } from "./parts/Desk";
export { type Audited, useQueue } from "./parts/useQueue";
export { auditTexts } from "./texts";

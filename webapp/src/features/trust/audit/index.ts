export { Coverage } from "./parts/Coverage";
export { Desk } from "./parts/Desk";
export { FilterBar, type OddityName, Pick, States } from "./parts/FilterBar";
export { Rechecks } from "./parts/Rechecks";
export { asked, type Filters, useFilters } from "./parts/useFilters";
export { type Audited, useQueue } from "./parts/useQueue";
export { auditTexts } from "./texts";

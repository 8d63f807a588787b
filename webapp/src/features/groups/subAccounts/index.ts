export { NewSubAccount } from "./parts/NewSubAccount";
export { SubAccountRow } from "./parts/SubAccountRow";

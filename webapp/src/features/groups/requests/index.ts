export { RequestFund } from "./parts/RequestFund";

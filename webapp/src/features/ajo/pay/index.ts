export { Debt } from "./parts/Debt";
export { PayNow } from "./parts/PayNow";
export { payTexts } from "./texts";

export { Debt, debtWords } from "./parts/Debt";
export { PayNow } from "./parts/PayNow";
export { payTexts } from "./texts";

export { onField } from "./parts/onField";
export { rules, tidyCode, tidyPhone } from "./parts/rules";
export { accountTexts } from "./texts";

export { normalizeCode, normalizePhone, rules } from "./parts/rules";
export { accountTexts } from "./texts";

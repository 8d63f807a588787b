export { onField } from "./parts/onField";
export { normalizeCode, normalizePhone, rules } from "./parts/rules";
export { accountTexts } from "./texts";

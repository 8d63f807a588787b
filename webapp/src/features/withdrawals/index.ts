export { limitTexts, withdrawTexts } from "./texts";

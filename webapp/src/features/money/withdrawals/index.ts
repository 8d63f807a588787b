export { Frozen } from "./parts/Frozen";
export { limitTexts, withdrawTexts } from "./texts";

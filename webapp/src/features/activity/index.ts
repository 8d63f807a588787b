export { activityTexts } from "./texts";

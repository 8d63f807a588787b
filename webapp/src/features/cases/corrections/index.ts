export { Corrected } from "./parts/Corrected";

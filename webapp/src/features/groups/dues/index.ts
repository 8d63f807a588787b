export { DueExtras } from "./parts/OwnDues";

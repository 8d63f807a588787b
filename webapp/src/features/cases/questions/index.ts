export { Question } from "./parts/Question";

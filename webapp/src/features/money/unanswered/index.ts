export { UnansweredCard } from "./UnansweredCard";

export { NewCard } from "./parts/NewCard";

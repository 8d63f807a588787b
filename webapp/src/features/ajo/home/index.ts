export { ChangeTerms, TellPast } from "./change/ChangeOpen";

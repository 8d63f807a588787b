import { getQuestion } from "@/api/questions";
import type { Question } from "@/api/schema.gen";
import type { Source } from "./source";

/** What is said about a queried payment. */
export const questionSource = (id: string): Source<Question> => ({
  key: `question:${id}`,
  area: "activity",
  topics: ["activity", "group", "ajo"],
  read: () => getQuestion(id),
});

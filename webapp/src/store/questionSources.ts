import { getQuestion, getQuestions } from "@/api/questions";
import type { OpenQuestion, Question } from "@/api/schema.gen";
import type { Source } from "./source";

/** The payments of the one signed in about which somebody asks. */
export const questionsSource: Source<OpenQuestion[]> = {
  key: "questions",
  area: "activity",
  topics: ["activity", "group", "ajo"],
  read: getQuestions,
};

/** What is said about a queried payment. */
export const questionSource = (id: string): Source<Question> => ({
  key: `question:${id}`,
  area: "activity",
  topics: ["activity", "group", "ajo"],
  read: () => getQuestion(id),
});

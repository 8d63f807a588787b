import { getChecks, getDeadLetters, getLetters, getProjections } from "@/api/operator";
import type { Source } from "@/store/source";
import { useStore } from "@/store/store";

const source = <T>(key: string, read: Source<T>["read"]): Source<T> => ({ key, area: "operator", shared: true, read });

export const checksSource = source("checks", getChecks);
export const projectionsSource = source("projections", getProjections);
export const lettersSource = source("letters", getLetters);
export const deadLettersSource = source("deadLetters", getDeadLetters);

/** Reads anew all that the operators' screen shows. */
export async function reloadAll(): Promise<void> {
  const { load } = useStore.getState();
  await Promise.all([load(checksSource), load(projectionsSource), load(lettersSource), load(deadLettersSource)]);
}

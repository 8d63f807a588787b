import { takeBack } from "./aside";
import { newKey } from "./keys";
import { type State, useStore } from "./store";
import { keptNow } from "./tabs";
import { beginTry, endTry } from "./tries";

function without<T>(all: Record<string, T>, gone: string): Record<string, T> {
  const { [gone]: _, ...others } = all;
  return others;
}

/** Whether something was sent under what is kept of a name, and nobody knows yet how it went. */
export const isOpen = ({ intents, unsent }: Pick<State, "intents" | "unsent">, name: string) =>
  name in intents && intents[name] !== unsent[name];

/** What is kept under a name. Another tab may have changed it, and this one not heard of that yet. */
function keyOf(name: string): string | undefined {
  const mine = useStore.getState();
  const { session, intents = {}, unsent = {} } = keptNow() ?? mine;
  const differs = intents[name] !== mine.intents[name] || unsent[name] !== mine.unsent[name];
  if (differs && session?.id === mine.session?.id) useStore.setState({ intents, unsent });
  return useStore.getState().intents[name];
}

/** The key of one thing that the person does; the same until it is answered, in every tab and after a reload. */
export function openIntent(name: string): string {
  const known = keyOf(name);
  if (known) return known;
  const { session, intents, unsent } = useStore.getState();
  const before = takeBack(session?.id, name);
  const key = before ?? newKey();
  useStore.setState({
    intents: { ...intents, [name]: key },
    unsent: before ? unsent : { ...unsent, [name]: key },
  });
  return key;
}

/** Something is sent under the key now. Answers whether an earlier try under it has had no answer. */
export function beginIntent(name: string, key: string, payload: unknown): boolean {
  const known = keyOf(name) ?? key;
  const { session, intents, unsent, asked } = useStore.getState();
  // One that was passed over is kept under another name.
  const earlier = Object.values(intents).includes(key) && unsent[name] !== key;
  useStore.setState({
    intents: { ...intents, [name]: known },
    unsent: known === key ? without(unsent, name) : unsent,
    asked: payload === undefined ? asked : { ...asked, [key]: { payload } },
  });
  beginTry(session?.token ?? "", key);
  return earlier;
}

/** It is known how it went for the person who did it. */
export function closeIntent(name: string, key: string, person: string | undefined) {
  takeBack(person, name, key);
  endTry(key, true);
  useStore.setState(({ intents, asked }) => ({
    intents: intents[name] === key ? without(intents, name) : intents,
    asked: without(asked, key),
  }));
}

/** The person begins another of the same name. The earlier key is kept: nobody knows yet how it went. */
export function passIntent(name: string) {
  const { intents, asked } = useStore.getState();
  const key = intents[name];
  if (!key) return;
  useStore.setState({ intents: { ...without(intents, name), [`${name} ${key}`]: key }, asked: without(asked, key) });
}

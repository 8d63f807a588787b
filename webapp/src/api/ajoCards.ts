import { answer, client } from "./client";
import { untilAnswered } from "./retry";
import type { components } from "./schema.gen";

/** The card of somebody who saves alone, and the round of who fills cards for others. */
type Schemas = components["schemas"];
export type OpenCard = Schemas["OpenAjoCardRequest"];
export type CardFill = Schemas["AjoFill"];

const keyed = (key: string) => ({ header: { "Idempotency-Key": key } });
const of = (key: string, id: string) => ({ params: { path: { id }, ...keyed(key) } });

export const getAjoCards = () => answer(client.GET("/api/v1/ajo/cards"));

export const getAjoCard = (id: string) => answer(client.GET("/api/v1/ajo/cards/{id}", { params: { path: { id } } }));

export const getAjoRound = () => answer(client.GET("/api/v1/ajo/cards/round"));

export const openAjoCard = (key: string, body: OpenCard) =>
  untilAnswered(() => answer(client.POST("/api/v1/ajo/cards", { params: keyed(key), body })));

export const fillAjoCard = (key: string, id: string, boxes: number, userId: string) =>
  untilAnswered(() => answer(client.POST("/api/v1/ajo/cards/{id}/fill", { ...of(key, id), body: { boxes, userId } })));

/** All or none. */
export const fillAjoCards = (key: string, cards: CardFill[], userId: string) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/ajo/cards/fill-many", { params: keyed(key), body: { cards, userId } })),
  );

/** Without an email nobody fills it but its saver. */
export const setCollector = (key: string, id: string, body: Schemas["AjoCollectorRequest"]) =>
  untilAnswered(() => answer(client.POST("/api/v1/ajo/cards/{id}/collector", { ...of(key, id), body })));

/** `amount`: what the saver was told they get. */
export const breakAjoCard = (key: string, id: string, amount: number, userId: string) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/ajo/cards/{id}/break", { ...of(key, id), body: { amount, userId } })),
  );

import { answer, client, textAnswer } from "./client";

/** The newest signed checkpoint of the whole ledger, a note in text. */
export const getCheckpoint = () => textAnswer(client.GET("/api/Ledger/checkpoint", { parseAs: "text" }));

export const getKeys = () => answer(client.GET("/api/Ledger/keys"));

import { answer, client, textAnswer } from "./client";

/** The newest signed checkpoint of the whole ledger, a note in text. */
export const getCheckpoint = () => textAnswer(client.GET("/api/Ledger/checkpoint", { parseAs: "text" }));

/** The statements that the ledger's key signed when it was put back to an earlier time; none of most ledgers. */
export const getEpochs = () => answer(client.GET("/api/Ledger/epochs"));

/** Proves that the ledger of a size continues the one of another. */
export const getConsistency = (from: number, to: number) =>
  answer(client.GET("/api/Ledger/consistency", { params: { query: { from, to } } }));

export const getKeys = () => answer(client.GET("/api/Ledger/keys"));

import { answer, client } from "./client";
import type { CosignatureRequest } from "./schema.gen";

export const getWitnessKeys = () => answer(client.GET("/api/v1/witness/keys"));

export const registerWitness = (publicKey: string) =>
  answer(client.POST("/api/v1/witness/keys", { body: { publicKey } }));

export const revokeWitness = (publicKey: string) =>
  answer(client.POST("/api/v1/witness/keys/revoke", { body: { publicKey } }));

export const cosign = (body: CosignatureRequest) => answer(client.POST("/api/v1/witness/cosignatures", { body }));

/** Who signed a tree of the ledger that has a position in it. */
export const getCosignatures = (position: number, groupId?: string) =>
  answer(client.GET("/api/v1/witness/cosignatures", { params: { query: { position, groupId } } }));

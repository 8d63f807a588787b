import { answer, client, fileAnswer } from "./client";
import type { AjoPaper } from "./schema.gen";

const byId = (id: string) => ({ params: { path: { id } } });

export const getAjoAccess = () => answer(client.GET("/api/v1/ajo/access"));

/** Twice does no harm: one request waits at a time. */
export const askAjoAccess = () => answer(client.POST("/api/v1/ajo/access"));

export const withdrawAjoAccess = () => answer(client.DELETE("/api/v1/ajo/access"));

export const getAjoAsks = (before?: string) =>
  answer(client.GET("/api/v1/finance/ajo-access", { params: { query: { before, limit: 50 } } }));

/** Looking is recorded, with who looked. */
export const getAjoAsk = (id: string) => answer(client.GET("/api/v1/finance/ajo-access/{id}", byId(id)));

export const readAjoPaper = (id: string, paper: AjoPaper): Promise<Blob> =>
  fileAnswer(
    client.GET("/api/v1/finance/ajo-access/{id}/papers/{paper}", {
      params: { path: { id, paper } },
      parseAs: "blob",
    }),
  );

/** `askId`: the request that was looked at; one that was made since is refused. */
export const grantAjoAccess = (id: string, askId: string) =>
  answer(client.POST("/api/v1/finance/ajo-access/{id}/grant", { ...byId(id), body: { askId } }));

export const refuseAjoAccess = (id: string, askId: string, reason: string) =>
  answer(client.POST("/api/v1/finance/ajo-access/{id}/refuse", { ...byId(id), body: { askId, reason } }));

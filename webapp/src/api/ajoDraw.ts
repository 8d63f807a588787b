import { answer, client } from "./client";

/** The proof of an ajo's draw, for everybody; it is read and judged by lib/draw. */
export const getAjoDraw = (id: string) => answer(client.GET("/api/v1/ajo/{id}/draw", { params: { path: { id } } }));

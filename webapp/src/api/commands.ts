import { answer, client } from "./client";

/** What became of what the person signed in sent under a key. Keys of earlier builds are refused. */
export const getCommand = (key: string) => answer(client.GET("/api/v1/commands/{key}", { params: { path: { key } } }));

import { answer, client } from "./client";

export const getProjections = () => answer(client.GET("/api/Operator/projections"));
export const getDeadLetters = () => answer(client.GET("/api/Operator/dead-letters"));

export const retryProjection = (name: string) =>
  answer(client.POST("/api/Operator/projections/{name}/retry", { params: { path: { name } } }));
export const rebuildProjection = (name: string) =>
  answer(client.POST("/api/Operator/projections/{name}/rebuild", { params: { path: { name } } }));

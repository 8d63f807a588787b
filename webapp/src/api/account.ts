import { answer, client } from "./client";
import type { RegisterRequest } from "./types";

export const register = (body: RegisterRequest) => answer(client.POST("/api/Account/Register", { body }));

export const getToken = (email: string, password: string) =>
  answer(client.POST("/api/Account/GetToken", { body: { email, password } }));

export const verifyEmail = (token: string) => answer(client.POST("/api/v1/account/verify-email", { body: { token } }));

export const getProfile = (id: string) =>
  answer(client.GET("/api/Account/GetUserInfoById/{id}", { params: { path: { id } } }));

/** Ends the session at the server. The bearer is passed because the store has already forgotten it. */
export const logout = (token: string) =>
  answer(client.POST("/api/v1/account/logout", { headers: { Authorization: `Bearer ${token}` } }));

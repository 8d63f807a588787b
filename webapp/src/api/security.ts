import { answer, client, fileAnswer } from "./client";
import type { StepUpRequest } from "./schema.gen";

export const changePassword = (email: string, userId: string, currentPassword: string, newPassword: string) =>
  answer(client.POST("/api/Account/ChangePassword", { body: { email, userId, currentPassword, newPassword } }));

export const getSessions = () => answer(client.GET("/api/v1/account/sessions"));

export const endSession = (id: string) =>
  answer(client.DELETE("/api/v1/account/sessions/{id}", { params: { path: { id } } }));

export const endOtherSessions = () => answer(client.DELETE("/api/v1/account/sessions"));

export const stepUp = (body: StepUpRequest) => answer(client.POST("/api/v1/account/step-up", { body }));

export const getTotp = () => answer(client.GET("/api/v1/account/totp"));
export const beginTotp = () => answer(client.POST("/api/v1/account/totp"));
export const confirmTotp = (code: string) => answer(client.POST("/api/v1/account/totp/confirm", { body: { code } }));
export const removeTotp = () => answer(client.DELETE("/api/v1/account/totp"));
export const renewRecoveryCodes = () => answer(client.POST("/api/v1/account/totp/recovery-codes"));

export const changeEmail = (email: string) => answer(client.POST("/api/v1/account/email", { body: { email } }));
export const confirmEmail = (token: string) =>
  answer(client.POST("/api/v1/account/confirm-email", { body: { token } }));
export const undoChange = (token: string) => answer(client.POST("/api/v1/account/undo", { body: { token } }));

export const exportAccount = () => fileAnswer(client.GET("/api/v1/account/export", { parseAs: "blob" }));
export const closeAccount = (email: string) => answer(client.POST("/api/v1/account/close", { body: { email } }));

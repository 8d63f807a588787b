import { answer, client } from "./client";
import type {
  BvnLookUpRequest,
  GuardianRequest,
  InvitationPlace,
  RegisterRequest,
  UpdateUserInfoRequest,
  UserSettings,
} from "./schema.gen";

export const register = (body: RegisterRequest) => answer(client.POST("/api/Account/Register", { body }));

/** `code`: six digits or a recovery code, where the account asks for one. */
export const getToken = (email: string, password: string, code?: string) =>
  answer(client.POST("/api/Account/GetToken", { body: { email, password, ...(code ? { code } : {}) } }));

export const verifyEmail = (token: string, password: string) =>
  answer(client.POST("/api/v1/account/verify-email", { body: { token, password } }));

export const resendVerification = (email: string) =>
  answer(client.POST("/api/v1/account/resend-verification", { body: { email } }));

export const keepInvitation = (body: InvitationPlace) => answer(client.POST("/api/v1/account/invitations", { body }));

export const forgetInvitation = (body: InvitationPlace) =>
  answer(client.POST("/api/v1/account/invitations/forget", { body }));

export const sendPasswordResetLink = (email: string) =>
  answer(client.POST("/api/Account/SendPasswordResetLink", { body: { email } }));

export const resetPassword = (token: string, newPassword: string) =>
  answer(client.POST("/api/Account/ResetPassword", { body: { token, newPassword } }));

export const getProfile = (id: string) =>
  answer(client.GET("/api/Account/GetUserInfoById/{id}", { params: { path: { id } } }));

/** Ends the session at the server. The bearer is passed because the store has already forgotten it. */
export const logout = (token: string) =>
  answer(client.POST("/api/v1/account/logout", { headers: { Authorization: `Bearer ${token}` } }));

export const updateUserInfo = (body: UpdateUserInfoRequest) =>
  answer(client.POST("/api/Account/UpdateUserInfo", { body }));

export const updateUserSettings = (email: string, settings: UserSettings) =>
  answer(client.POST("/api/Account/UpdateUserSettings", { body: { email, settings } }));

/** `image`: the id of an uploaded image; an empty one takes the avatar away. */
export const changeAvatar = (email: string, image: string) =>
  answer(client.POST("/api/Account/ChangeAvatar", { body: { email, image } }));

const saving = {
  utilityBill: "/api/Account/SaveUtilityBill",
  bankStatement: "/api/Account/SaveBankStatement",
  offerLetter: "/api/Account/SaveOfferLetter",
} as const;

export type DocumentKind = keyof typeof saving;

/** `document`: the id of an uploaded document. */
export const saveDocument = (kind: DocumentKind, email: string, document: string) =>
  answer(client.POST(saving[kind], { body: { email, document } }));

export const bvnLookUp = (body: BvnLookUpRequest) => answer(client.POST("/api/Payment/bvn-look-up", { body }));

export const nameEnquiry = (account_number: string, bank_code: string) =>
  answer(client.POST("/api/v1/payment/name-enquiry", { body: { account_number, bank_code } }));

export const askGuardian = (body: GuardianRequest) => answer(client.POST("/api/v1/account/guardian", { body }));

/** Tells what the guardian's link asks, and changes nothing. */
export const readConsent = (token: string) =>
  answer(client.POST("/api/v1/account/guardian/consent", { body: { token } }));

export const giveConsent = (token: string, accept: boolean, name: string) =>
  answer(client.POST("/api/v1/account/guardian/consent", { body: { token, accept, name } }));

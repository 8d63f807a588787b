import type { components } from "./schema.gen";

type Schemas = components["schemas"];

export type Account = Schemas["Account"];
export type Login = Schemas["Login"];
export type RegisterRequest = Schemas["RegisterRequest"];
export type Balances = Schemas["Balances"];
export type Movement = Schemas["Movement"];
export type MovementDetail = Schemas["MovementDetail"];
export type PaymentStart = Schemas["PaymentStart"];
export type PaymentReceipt = Schemas["PaymentReceipt"];
export type RailChannel = Schemas["RailChannel"];
export type Group = Schemas["Group"];
export type Member = Schemas["Member"];
export type SubAccount = Schemas["SubAccount"];
export type GroupSubAccounts = Schemas["GroupSubAccounts"];
export type PaymentType = Schemas["PaymentType"];
export type PaymentFrequency = Schemas["PaymentFrequency"];
export type MemberPayment = Schemas["MemberPayment"];
export type Due = Schemas["Due"];
export type Invitation = Schemas["Invitation"];
export type GroupRow = Schemas["GroupRow"];
export type Dashboard = Schemas["Dashboard"];
export type MonthTotal = Schemas["MonthTotal"];
export type Notification = Schemas["Notification"];
export type Envelope = Schemas["Envelope"];
export type ReturnedCode = Envelope["returnedCode"];

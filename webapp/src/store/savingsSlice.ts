import * as savings from "@/api/savings";
import type { PaymentReceipt, PaymentStart } from "@/api/schema.gen";
import { type Contribution, payFromWallet, payThroughRail, type Rail, type WalletPayment } from "@/api/wallet";
import { succeed } from "./report";
import { groupsSource, openPaymentsSource } from "./sources";
import type { Slice } from "./store";

export interface SavingsSlice {
  createGroup: (key: string, body: Omit<savings.CreateGroup, "userEmail">) => Promise<{ id: string; message: string }>;
  createSubAccount: (key: string, body: Omit<savings.CreateSubAccount, "userId">) => Promise<string>;
  joinGroup: (key: string, groupId: string, code: string) => Promise<string>;
  payFromWallet: (key: string, body: Omit<WalletPayment, "userId">) => Promise<PaymentReceipt>;
  payThroughRail: (key: string, body: Omit<Contribution, "userId"> & Rail) => Promise<PaymentStart>;
}

export const createSavingsSlice: Slice<SavingsSlice> = (_set, get) => ({
  async createGroup(key, body) {
    const { value, message } = await savings.createGroup(key, { ...body, userEmail: get().session?.email ?? "" });
    void get().load(groupsSource);
    return { id: value.id, message };
  },
  async createSubAccount(key, body) {
    const { message } = await savings.createSubAccount(key, { ...body, userId: get().session?.id ?? "" });
    get().refreshGroup(body.groupSavingsId);
    return message;
  },
  async joinGroup(key, groupId, code) {
    const { message } = await savings.joinGroup(key, { groupId, code, email: get().session?.email ?? "" });
    void get().load(groupsSource);
    return message;
  },
  async payFromWallet(key, body) {
    const { value, message } = await payFromWallet(key, { ...body, userId: get().session?.id ?? "" });
    succeed(message);
    get().refreshTopics(["wallet", "activity", ...(body.ajoId ? ["ajo"] : [])]);
    return value;
  },
  async payThroughRail(key, body) {
    const { value } = await payThroughRail(key, { ...body, userId: get().session?.id ?? "" });
    get().keepPayment(value);
    void get().load(openPaymentsSource);
    return value;
  },
});

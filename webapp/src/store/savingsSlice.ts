import * as savings from "@/api/savings";
import type { Group, GroupSubAccounts, PaymentReceipt, PaymentStart } from "@/api/types";
import { type Contribution, payFromWallet, payThroughRail, type Rail } from "@/api/wallet";
import { readInto } from "./read";
import { idle, type Remote } from "./remote";
import { succeed } from "./report";
import type { Slice } from "./store";

export interface SavingsSlice {
  groups: Remote<Group[]>;
  groupById: Record<string, Remote<Group>>;
  subAccountsOf: Record<string, Remote<GroupSubAccounts>>;
  /** Grows whenever a group is said to have changed: what one screen alone reads of it follows. */
  groupTicks: Record<string, number>;
  loadGroups: () => Promise<void>;
  loadGroup: (id: string) => Promise<void>;
  loadSubAccounts: (groupId: string) => Promise<void>;
  createGroup: (key: string, body: Omit<savings.CreateGroup, "userEmail">) => Promise<{ id: string; message: string }>;
  createSubAccount: (key: string, body: Omit<savings.CreateSubAccount, "userId">) => Promise<string>;
  joinGroup: (key: string, groupId: string, code: string) => Promise<string>;
  payFromWallet: (key: string, body: Omit<Contribution, "userId">) => Promise<PaymentReceipt>;
  payThroughRail: (key: string, body: Omit<Contribution, "userId"> & Rail) => Promise<PaymentStart>;
  refreshGroup: (groupId: string) => void;
}

export const createSavingsSlice: Slice<SavingsSlice> = (set, get) => ({
  groups: idle,
  groupById: {},
  subAccountsOf: {},
  groupTicks: {},
  async loadGroups() {
    await readInto({
      key: "groups",
      get: () => get().groups,
      put: (groups) => set({ groups }),
      read: () => savings.getGroups(get().session?.id ?? ""),
    });
  },
  async loadGroup(id) {
    await readInto({
      key: `group:${id}`,
      get: () => get().groupById[id] ?? idle,
      put: (group) => set((state) => ({ groupById: { ...state.groupById, [id]: group } })),
      read: () => savings.getGroup(id),
    });
  },
  async loadSubAccounts(groupId) {
    await readInto({
      key: `subAccounts:${groupId}`,
      get: () => get().subAccountsOf[groupId] ?? idle,
      put: (list) => set((state) => ({ subAccountsOf: { ...state.subAccountsOf, [groupId]: list } })),
      read: () => savings.getSubAccounts(groupId),
    });
  },
  async createGroup(key, body) {
    const { value, message } = await savings.createGroup(key, { ...body, userEmail: get().session?.email ?? "" });
    void get().loadGroups();
    return { id: value.id, message };
  },
  async createSubAccount(key, body) {
    const { message } = await savings.createSubAccount(key, { ...body, userId: get().session?.id ?? "" });
    get().refreshGroup(body.groupSavingsId);
    return message;
  },
  async joinGroup(key, groupId, code) {
    const { message } = await savings.joinGroup(key, { groupId, code, email: get().session?.email ?? "" });
    void get().loadGroups();
    return message;
  },
  async payFromWallet(key, body) {
    const { value, message } = await payFromWallet(key, { ...body, userId: get().session?.id ?? "" });
    succeed(message);
    get().refreshTopics(["wallet", "activity"]);
    return value;
  },
  async payThroughRail(key, body) {
    const { value } = await payThroughRail(key, { ...body, userId: get().session?.id ?? "" });
    get().keepPayment(value);
    void get().loadOpenPayments();
    return value;
  },
  refreshGroup(groupId) {
    const { groupById, subAccountsOf, groups } = get();
    set(({ groupTicks }) => ({ groupTicks: { ...groupTicks, [groupId]: (groupTicks[groupId] ?? 0) + 1 } }));
    if (groupById[groupId]) void get().loadGroup(groupId);
    if (subAccountsOf[groupId]) void get().loadSubAccounts(groupId);
    if (groups.state !== "idle") void get().loadGroups();
  },
});

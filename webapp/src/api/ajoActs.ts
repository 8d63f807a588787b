import { type BidPlace, bidRefused, bidTaken, type KeptBid } from "@/lib/draw/secrets";
import { toNaira } from "@/lib/money";
import { answer, client } from "./client";
import { asFailure, Failure } from "./failure";
import { untilAnswered } from "./retry";
import type { components } from "./schema.gen";

/** What a member does in an ajo. */
type Schemas = components["schemas"];
export type AjoPay = Schemas["AjoPayRequest"];
export type AjoRefusalKind = Schemas["AjoRefusalKind"];

const of = (key: string, id: string) => ({ params: { path: { id }, header: { "Idempotency-Key": key } } });
const at = <P extends object>(key: string, path: P) => ({
  params: { path, header: { "Idempotency-Key": key } },
});

export const acceptAjoTerms = (key: string, id: string, termsHash: string) =>
  untilAnswered(() => answer(client.POST("/api/v1/ajo/{id}/terms/accept", { ...of(key, id), body: { termsHash } })));

export const leaveAjo = (key: string, id: string) =>
  untilAnswered(() => answer(client.POST("/api/v1/ajo/{id}/leave", of(key, id))));

export const cancelAjo = (key: string, id: string, reason: string) =>
  untilAnswered(() => answer(client.POST("/api/v1/ajo/{id}/cancel", { ...of(key, id), body: { reason } })));

/** `order`: the seats in the order that they collect, where the owner proposes it. */
export const closeAjoList = (key: string, id: string, order?: number[]) =>
  untilAnswered(() => answer(client.POST("/api/v1/ajo/{id}/close", { ...of(key, id), body: order ? { order } : {} })));

export const answerAjoPast = (key: string, id: string, confirmed: boolean) =>
  untilAnswered(() => answer(client.POST("/api/v1/ajo/{id}/past/answer", { ...of(key, id), body: { confirmed } })));

export const revealToAjo = (key: string, id: string, secret: string) =>
  untilAnswered(() => answer(client.POST("/api/v1/ajo/{id}/reveal", { ...of(key, id), body: { secret } })));

export const acceptAjoOrder = (key: string, id: string) =>
  untilAnswered(() => answer(client.POST("/api/v1/ajo/{id}/order/accept", of(key, id))));

export const proposeSwap = (key: string, id: string, seat: number, withSeat: number) =>
  untilAnswered(() => answer(client.POST("/api/v1/ajo/{id}/swaps", { ...of(key, id), body: { seat, withSeat } })));

export const answerSwap = (key: string, id: string, swap: string, agree: boolean) =>
  untilAnswered(() =>
    answer(
      agree
        ? client.POST("/api/v1/ajo/{id}/swaps/{swap}/agree", at(key, { id, swap }))
        : client.POST("/api/v1/ajo/{id}/swaps/{swap}/decline", at(key, { id, swap })),
    ),
  );

export const voteNeed = (key: string, id: string, cycle: number, forSeat: number) =>
  untilAnswered(() => answer(client.POST("/api/v1/ajo/{id}/votes", { ...of(key, id), body: { cycle, forSeat } })));

/** Seals a bid. A new one takes the place of an earlier one on this device once the server has taken it. */
export async function sealBid(key: string, place: BidPlace, commitment: string) {
  const { ajoId, cycle, seat } = place;
  const body = { cycle, seat, commitment };
  try {
    const sealed = await untilAnswered(() => answer(client.POST("/api/v1/ajo/{id}/bids", { ...of(key, ajoId), body })));
    bidTaken(place, commitment);
    return sealed;
  } catch (error) {
    if (asFailure(error).certain) bidRefused(place, commitment);
    throw error;
  }
}

const isAnother = (error: unknown) => asFailure(error).certain && asFailure(error).field === "discount";

/** Opens the sealed bid: of the bids that the device keeps of one turn the server knows which it is. */
export async function openBid(key: string, { ajoId, cycle, seat }: BidPlace, bids: KeptBid[]) {
  const open = ({ kobo, salt }: KeptBid, at: number) => {
    const body = { cycle, seat, discount: toNaira(kobo), salt };
    const used = at === 0 ? key : `${key}-${at}`;
    return untilAnswered(() => answer(client.POST("/api/v1/ajo/{id}/bids/reveal", { ...of(used, ajoId), body })));
  };
  const last = bids.length - 1;
  for (const [at, bid] of bids.entries()) {
    try {
      return await open(bid, at);
    } catch (error) {
      if (at === last || !isAnother(error)) throw error;
    }
  }
  throw new Failure({ kind: "refused" });
}

export const putMotion = (key: string, id: string, body: Schemas["AjoMotionRequest"]) =>
  untilAnswered(() => answer(client.POST("/api/v1/ajo/{id}/motions", { ...of(key, id), body })));

export const voteMotion = (key: string, id: string, motion: string, agrees: boolean) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/ajo/{id}/motions/{motion}/vote", { ...at(key, { id, motion }), body: { agrees } })),
  );

/** From the wallet: a due, somebody's due, a deposit, a debt, or all that is left. */
export const payAjo = (key: string, id: string, body: AjoPay) =>
  untilAnswered(() => answer(client.POST("/api/v1/ajo/{id}/pay", { ...of(key, id), body })));

export const forgiveDebt = (key: string, id: string, debt: string) =>
  untilAnswered(() => answer(client.POST("/api/v1/ajo/{id}/debts/{debt}/forgive", at(key, { id, debt }))));

export const consentToAjo = (key: string, id: string, body: Schemas["AjoConsent"]) =>
  untilAnswered(() => answer(client.POST("/api/v1/ajo/{id}/consent", { ...of(key, id), body })));

export const openPlace = (key: string, id: string, seat: number, keep: boolean) =>
  untilAnswered(() =>
    answer(
      keep
        ? client.POST("/api/v1/ajo/{id}/places/keep", { ...of(key, id), body: { seat } })
        : client.POST("/api/v1/ajo/{id}/places/open", { ...of(key, id), body: { seat } }),
    ),
  );

/** Needs a step-up. The amount is what the caller was told they get; another one is refused with 409. */
export const requestAjoPayout = (key: string, body: Schemas["AjoPayoutRequest"]) =>
  untilAnswered(() =>
    answer(
      client.POST("/api/Payment/ajo-liquidation-request", { params: { header: { "Idempotency-Key": key } }, body }),
    ),
  );

export const approveAjoPayout = (key: string, id: string, cycle: number) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/ajo/{id}/payouts/{cycle}/approve", at(key, { id, cycle: String(cycle) }))),
  );

export const refuseAjoPayout = (key: string, id: string, cycle: number, body: Schemas["AjoRefusalRequest"]) =>
  untilAnswered(() =>
    answer(client.POST("/api/v1/ajo/{id}/payouts/{cycle}/refuse", { ...at(key, { id, cycle: String(cycle) }), body })),
  );

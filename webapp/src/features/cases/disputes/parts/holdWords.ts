import type { DisputeHold } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { disputeTexts as t } from "../texts";

/** What is held because of a dispute, and until when. */
export const holdWords = ({ amount, status, until }: DisputeHold) =>
  t.holds[status](formatNaira(amount), until ? moment(until) : "");

import type { RemedyMember } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { Facts } from "@/ui/bits";
import { remedyTexts as t } from "../texts";

/** What the desk sees of a member: addresses are masked. */
export const MemberFacts = ({ member }: { member: RemedyMember }) => (
  <Facts
    rows={[
      [t.address, member.needsAddress ? t.needsAddress(member.email) : member.email],
      [t.earlier, member.earlierEmails.map(({ email, until }) => t.until(email, moment(until))).join("; ") || t.none],
      [t.money, member.isFrozen ? t.frozen : t.free],
      [t.bvn, t.bvnIs(member.bvnVerified, member.bvnKnown)],
    ]}
  />
);

import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import type { Remedy } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { Button } from "@/ui/Button";
import { Facts } from "@/ui/bits";
import { Changed, Confirm, useSeen } from "@/ui/Confirm";
import { remedyTexts as t } from "../texts";
import { MemberFacts } from "./MemberFacts";
import type { RemedyDeeds } from "./useRemedyDeeds";

const saying = ({ kind, member, newEmail = "" }: Remedy) => t.saying(t.kinds[kind], member.email, newEmail);

interface WaitingProps {
  remedy: Remedy;
  deeds: RemedyDeeds;
}

/** What is decided about a remedy: as it was when the dialog opened. */
function Judge({ remedy, deeds }: WaitingProps) {
  const [asking, setAsking] = useState<"agree" | "decline">();
  const { saw, changed, look, done } = useSeen(remedy, ({ version }) => version);
  const { name } = remedy.member;
  const decline = remedy.isMine ? t.takeBack : t.decline;
  const ask = (to: "agree" | "decline") => {
    look();
    setAsking(to);
  };
  const close = () => {
    setAsking(undefined);
    done();
  };
  const both = changed && <Changed saw={saying(saw)} now={saying(remedy)} />;
  return (
    <Flex gap="3" wrap="wrap" align="center">
      {remedy.isMine && <chakra.p textStyle="body">{t.mine}</chakra.p>}
      {remedy.mayAgree && (
        <Button aria-label={t.named(t.agree, name)} onClick={() => ask("agree")}>
          {t.agree}
        </Button>
      )}
      <Button variant="outline" aria-label={t.named(decline, name)} onClick={() => ask("decline")}>
        {decline}
      </Button>
      <Confirm
        open={asking === "agree"}
        title={t.agreeTitle[saw.kind]}
        yes={t.agree}
        no={t.no}
        danger
        onClose={close}
        onYes={() => deeds.agree(saw)}
      >
        {t.agreeText[saw.kind](saw.member.name, saw.newEmail ?? "")}
        {both}
      </Confirm>
      <Confirm
        open={asking === "decline"}
        title={t.declineTitle}
        yes={decline}
        no={t.no}
        onClose={close}
        onYes={() => deeds.decline(saw)}
      >
        {t.declineText(saw.member.name)}
        {both}
      </Confirm>
    </Flex>
  );
}

/** A remedy that waits for an Admin. */
export function Waiting({ remedy, deeds }: WaitingProps) {
  const { kind, member, newEmail, since, reason, proposedBy, proposedAt, endsAt } = remedy;
  const facts: [string, string][] = [];
  if (newEmail) facts.push([t.goesTo, newEmail]);
  if (since) facts.push([t.began, moment(since)]);
  facts.push(
    [t.by, t.at(proposedBy, moment(proposedAt))],
    [t.ends, moment(endsAt)],
    [t.case, remedy.case],
    [t.why, reason],
  );
  return (
    <Stack gap="3" py="4" borderTopWidth="1px" borderColor="border">
      <chakra.h3 fontWeight="600">{`${t.kinds[kind]}: ${member.name}`}</chakra.h3>
      <MemberFacts member={member} />
      <Facts rows={facts} />
      <Judge remedy={remedy} deeds={deeds} />
    </Stack>
  );
}

import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { askAjoAccess, getAjoAccess, withdrawAjoAccess } from "@/api/ajo";
import type { AjoAccess as Access, Account } from "@/api/schema.gen";
import { shortDay } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { told } from "@/store/reportMoney";
import { useRead } from "@/store/useRead";
import { Button, LinkButton } from "@/ui/Button";
import { Badge, Note } from "@/ui/bits";
import { Confirm } from "@/ui/Confirm";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton } from "@/ui/Skeletons";
import { editTexts } from "../texts";
import { Section } from "./Section";

const t = editTexts.ajo;

type Need = Access["checklist"][number];

function NeedRow({ need: { what, done, link } }: { need: Need }) {
  return (
    <chakra.li display="flex" alignItems="center" gap="3" py="2" minHeight="11" data-need={what}>
      <chakra.span flex="1" minWidth="0" textStyle="body">
        {t.what[what]}
      </chakra.span>
      <Badge tone={done ? "success" : "warning"}>{done ? t.done : t.missing}</Badge>
      {!done && link && (
        <LinkButton to={link} replace size="sm" variant="outline" aria-label={t.addWhat(t.what[what])}>
          {t.add}
        </LinkButton>
      )}
    </chakra.li>
  );
}

/** How it stands, in words. */
function State({ access }: { access: Access }) {
  const { status, limit, salary, since, reason, hasAccess, mayAsk } = access;
  const still = hasAccess && limit !== undefined && status !== "GRANTED" && t.still(formatNaira(limit));
  switch (status) {
    case "ASKED":
      return (
        <Note title={t.states.ASKED} live>
          {t.asked(formatNaira(salary ?? 0), shortDay(since ?? ""))} {still}
        </Note>
      );
    case "GRANTED":
      return (
        <Note tone="success" title={t.states.GRANTED} live>
          {t.granted(formatNaira(limit ?? 0))} {mayAsk && t.raise}
        </Note>
      );
    case "REFUSED":
      return (
        <Note tone="danger" title={t.states.REFUSED} live>
          {t.refused}: “{reason}” {t.correct} {still}
        </Note>
      );
    case "LOST":
      return (
        <Note tone="danger" title={t.states.LOST} live>
          {t.lost}: {reason} {t.regain}
        </Note>
      );
    default:
      return null;
  }
}

function Ask({ access, onChanged }: { access: Access; onChanged: (next: Access) => void }) {
  const [busy, setBusy] = useState(false);
  const [open, setOpen] = useState(false);
  const ask = async () => {
    setBusy(true);
    const done = await told(askAjoAccess());
    if (done) onChanged(done.value);
    setBusy(false);
  };
  const withdraw = async () => {
    const done = await told(withdrawAjoAccess());
    if (done) onChanged(done.value);
    return Boolean(done);
  };
  if (access.status !== "ASKED" && access.hasAccess && !access.mayAsk) return null;
  return (
    <Flex>
      {access.status === "ASKED" ? (
        <Button variant="outline" onClick={() => setOpen(true)}>
          {t.withdraw}
        </Button>
      ) : (
        <Button loading={busy} disabled={!access.mayAsk} onClick={ask}>
          {access.status === "NONE" ? t.ask : t.again}
        </Button>
      )}
      <Confirm
        open={open}
        title={t.withdrawTitle}
        yes={t.withdraw}
        no={t.keep}
        danger
        onClose={() => setOpen(false)}
        onYes={withdraw}
      >
        {t.withdrawText}
      </Confirm>
    </Flex>
  );
}

/** Whether the member may join ajo with people whom they do not know, what that needs, and asking for it. */
export function AjoAccess({ account }: { account: Account }) {
  const { bvnVerified, monthlySalaray, bankAccountStatementUrl, offerLetterUrl } = account;
  const { remote, load, put } = useRead({
    // What was given since is another answer.
    key: `ajoAccess:${[bvnVerified, monthlySalaray, bankAccountStatementUrl, offerLetterUrl].join()}`,
    area: "account",
    topics: ["notifications"],
    read: getAjoAccess,
  });
  return (
    <Section id="ajo" title={t.title} lead={t.lead}>
      <Loaded remote={remote} skeleton={<ListSkeleton rows={3} />} onRetry={load}>
        {(access) => (
          <Stack gap="5" data-ajo-access={access.status}>
            <State access={access} />
            <div>
              <chakra.h3 textStyle="label" mb="1">
                {t.needs}
              </chakra.h3>
              <chakra.ul listStyleType="none">
                {access.checklist.map((need) => (
                  <NeedRow key={need.what} need={need} />
                ))}
              </chakra.ul>
            </div>
            <Ask access={access} onChanged={put} />
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

import { chakra, Stack } from "@chakra-ui/react";
import type { AjoInvitation } from "@/api/schema.gen";
import { shortDay } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { ajoWords } from "@/lib/texts/ajo";
import { Naira } from "@/ui/money/Naira";
import { Calendar } from "../parts/Terms";
import { joinTexts as t, termsTexts } from "../texts";

function Term({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <chakra.div>
      <chakra.dt textStyle="small" color="fg.muted">
        {name}
      </chakra.dt>
      <chakra.dd textStyle="body" fontWeight="600" overflowWrap="anywhere">
        {children}
      </chakra.dd>
    </chakra.div>
  );
}

/** What it costs, when one collects, and what one owes if one stops: all before anything is agreed to. */
export function TermsCard({ ajo }: { ajo: AjoInvitation }) {
  const { preview, amount, duration, frequency, past } = ajo;
  const { calendar, turns, terms } = preview;
  const first = calendar.find(({ cycle }) => cycle > past.length) ?? calendar[0];
  const last = calendar.at(-1);
  return (
    <chakra.section aria-labelledby="terms" bg="bg.muted" borderRadius="md" px="4" py="4">
      <chakra.h2 id="terms" textStyle="section" mb="3">
        {t.terms}
      </chakra.h2>
      <Stack as="dl" gap="3">
        <Term name={t.pays}>{t.often(formatNaira(amount), ajoWords.every[frequency], duration - past.length)}</Term>
        <Term name={termsTexts.total}>
          <Naira amount={preview.total} />
        </Term>
        <Term name={t.gets}>
          <Naira amount={turns[0]?.collects ?? preview.pot} />
        </Term>
        {first && last && (
          <Term name={t.collects}>
            {t.collectsOnce(shortDay(first.due), shortDay(last.due), ajoWords.order[ajo.order].toLowerCase())}
          </Term>
        )}
        <Term name={t.stop}>
          <chakra.span fontWeight="400" data-if-you-stop>
            {t.stopText(formatNaira(amount), terms.graceDays, `${terms.penaltyPercent}%`)}
          </chakra.span>
        </Term>
        <Term name={t.deposit}>{preview.deposit > 0 ? t.depositText(formatNaira(preview.deposit)) : t.noDeposit}</Term>
        <Term name={t.fee}>
          <Naira amount={preview.fee} />
        </Term>
        <Term name={t.members}>
          {ajoWords.seats(ajo.members, ajo.memberCapacity)}
          {past.length > 0 && ` · ${t.past(past.length)}`}
        </Term>
      </Stack>
      <chakra.div mt="4">
        <Calendar preview={preview} />
      </chakra.div>
    </chakra.section>
  );
}

import { chakra } from "@chakra-ui/react";
import type { EarlierCorrection } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { correctionTexts as t } from "../texts";

/** The corrections of a case before its latest, with what became of each. */
export function Earlier({ list }: { list: EarlierCorrection[] }) {
  return (
    <chakra.details data-earlier={list.length}>
      <chakra.summary minHeight="11" py="2.5" cursor="pointer" textStyle="label">
        {t.earlier}
      </chakra.summary>
      <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="3">
        {list.map(({ id, status, proposedAt, steps, reason }) => (
          <chakra.li key={id} textStyle="body">
            <chakra.p fontWeight="600">{t.earlierOf(t.status[status], moment(proposedAt))}</chakra.p>
            {steps.map((step) => (
              <p key={step}>{step}</p>
            ))}
            {reason && <chakra.p color="fg.muted">{reason}</chakra.p>}
          </chakra.li>
        ))}
      </chakra.ul>
    </chakra.details>
  );
}

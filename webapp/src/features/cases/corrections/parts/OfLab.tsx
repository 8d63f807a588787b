import { chakra, Stack } from "@chakra-ui/react";
import type { CorrectionOfLab } from "@/api/schema.gen";
import { Note } from "@/ui/bits";
import { Naira } from "@/ui/money/Naira";
import { ofLabTexts as t } from "../texts";

type Difference = CorrectionOfLab["putsRight"][number];

function Differences({ title, name, list }: { title: string; name: string; list: Difference[] }) {
  if (list.length === 0) return null;
  return (
    <div>
      <chakra.h4 textStyle="label">{title}</chakra.h4>
      <chakra.ul listStyleType="none" data-held={name}>
        {list.map(({ label, amount }, at) => (
          <chakra.li
            // biome-ignore lint/suspicious/noArrayIndexKey: two may be called the same, and they never change places
            key={at}
            display="flex"
            gap="3"
            py="1.5"
            borderTopWidth="1px"
            borderColor="border"
            textStyle="body"
          >
            <chakra.span flex="1" minWidth="0" overflowWrap="anywhere">
              {label}
            </chakra.span>
            <chakra.span fontWeight="600" whiteSpace="nowrap">
              {amount > 0 && "+"}
              <Naira amount={amount} />
            </chakra.span>
          </chakra.li>
        ))}
      </chakra.ul>
    </div>
  );
}

interface OfLabProps {
  draft: CorrectionOfLab;
  /** The steps are not those of the lab any more. */
  changed: boolean;
}

/** What a correction that was made of a lab puts right, and what it cannot. */
export function OfLab({ draft: { steps, cannot, putsRight, differs }, changed }: OfLabProps) {
  return (
    <Stack gap="4" data-of-lab={steps.length}>
      <div>
        <chakra.h3 textStyle="section">{t.title}</chakra.h3>
        <chakra.p textStyle="body" color="fg.muted">
          {steps.length === 0 ? t.none : t.lead}
        </chakra.p>
      </div>
      {cannot.map((why) => (
        <Note key={why} tone="warning">
          {t.cannot(why)}
        </Note>
      ))}
      {changed ? (
        <chakra.p textStyle="body" color="fg.muted">
          {t.changed}
        </chakra.p>
      ) : (
        <>
          <Differences title={t.right} name="right" list={putsRight} />
          <Differences title={t.differs} name="differs" list={differs} />
          {differs.length + cannot.length === 0 && <Note tone="success">{t.exact}</Note>}
        </>
      )}
    </Stack>
  );
}

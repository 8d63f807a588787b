import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { getAjoAsks } from "@/api/ajo";
import type { AjoAskRow } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { usePages } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Badge } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { OpenBook } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { More } from "@/ui/More";
import { ListSkeleton } from "@/ui/Skeletons";
import { financeTexts } from "../texts";
import { AjoReview } from "./AjoReview";

const t = financeTexts.ajo;

function Row({ ask, onReview }: { ask: AjoAskRow; onReview: () => void }) {
  const { userId, name, askedAt, hasAccess, mine } = ask;
  return (
    <chakra.li py="4" borderTopWidth="1px" _first={{ borderTopWidth: "0", pt: "0" }} data-ajo-ask={userId}>
      <Flex gap="3" align="center" wrap="wrap">
        <Stack gap="1" flex="1 1 12rem" minWidth="0">
          <Flex gap="2" align="center" wrap="wrap">
            <chakra.h3 fontWeight="650">{name}</chakra.h3>
            {hasAccess && <Badge tone="brand">{t.more}</Badge>}
          </Flex>
          <chakra.p textStyle="small" color="fg.muted">
            {t.asked(moment(askedAt))}
          </chakra.p>
        </Stack>
        {mine ? (
          <chakra.p textStyle="body">{t.mine}</chakra.p>
        ) : (
          <Button size="sm" aria-label={t.reviewIt(name)} onClick={onReview}>
            {t.review}
          </Button>
        )}
      </Flex>
    </chakra.li>
  );
}

/** Who asks to join ajo with people whom they do not know: somebody else of the desk looks and decides. */
export function AjoDesk() {
  const [reviewed, setReviewed] = useState<string>();
  const { remote, rows, load, askMore, paging } = usePages({
    key: "ajoAsks",
    area: "finance",
    topics: ["desk:finance"],
    rows: "asks",
    read: ({ before }) => getAjoAsks(before),
  });
  if (reviewed) {
    const leave = () => {
      setReviewed(undefined);
      void load();
    };
    return <AjoReview userId={reviewed} onLeave={leave} />;
  }
  return (
    <Card title={t.title}>
      <Loaded remote={remote} skeleton={<ListSkeleton rows={4} />} onRetry={load}>
        {({ count }) => (
          <Stack gap="5">
            <chakra.p textStyle="body" color="fg.muted">
              {t.lead(count)}
            </chakra.p>
            {rows.length === 0 ? (
              <Empty picture={<OpenBook />} title={t.noneTitle}>
                {t.none}
              </Empty>
            ) : (
              <chakra.ul listStyleType="none">
                {rows.map((ask) => (
                  <Row key={ask.userId} ask={ask} onReview={() => setReviewed(ask.userId)} />
                ))}
              </chakra.ul>
            )}
            <More onMore={askMore} busy={paging} />
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}

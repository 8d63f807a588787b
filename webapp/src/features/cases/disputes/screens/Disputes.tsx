import { Box, chakra, Flex } from "@chakra-ui/react";
import { Link } from "react-router";
import type { DisputeRow } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { disputesSource } from "@/store/disputeSources";
import { usePages } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { Badge } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { PlusIcon } from "@/ui/icons";
import { Letter } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { More } from "@/ui/More";
import { Naira } from "@/ui/money/Naira";
import { ListSkeleton } from "@/ui/Skeletons";
import { standing, statusTones } from "../parts/tones";
import { disputesTexts as t } from "../texts";

const dateOf = ({ status, answerBy, resolvedAt, decideBy }: DisputeRow) => {
  if (resolvedAt) return t.decided(moment(resolvedAt));
  return status === "INFO_REQUESTED" && answerBy ? t.answerBy(moment(answerBy)) : t.decideBy(moment(decideBy));
};

function Row({ dispute }: { dispute: DisputeRow }) {
  const { id, number, status, title, amount, late, resolvedAt } = dispute;
  return (
    <chakra.li borderTopWidth="1px" borderColor="border" _first={{ borderTopWidth: "0" }}>
      <chakra.a
        asChild
        display="flex"
        flexWrap="wrap"
        alignItems="center"
        justifyContent="space-between"
        columnGap="4"
        rowGap="1.5"
        px="2"
        mx="-2"
        py="3.5"
        minHeight="16"
        borderRadius="md"
        _hover={{ bg: "bg.muted" }}
      >
        <Link to={paths.dispute(id)} data-dispute={status}>
          <Box flex="1 1 14rem" minWidth="0">
            <chakra.p fontWeight="600">{title}</chakra.p>
            <chakra.p textStyle="small" color="fg.muted">
              {number} · {dateOf(dispute)}
            </chakra.p>
          </Box>
          <Flex gap="2" align="center" wrap="wrap">
            {late && !resolvedAt && <Badge tone="danger">{t.late}</Badge>}
            <Badge tone={statusTones[status]}>{standing(dispute)}</Badge>
            {amount !== undefined && (
              <chakra.span fontWeight="600">
                <Naira amount={amount} />
              </chakra.span>
            )}
          </Flex>
        </Link>
      </chakra.a>
    </chakra.li>
  );
}

/** One's own disputes, the latest first. */
export function Disputes() {
  const { remote, rows, load, askMore, paging } = usePages(disputesSource);
  const report = (
    <LinkButton icon={<PlusIcon />} to={paths.newDispute()}>
      {t.report}
    </LinkButton>
  );
  return (
    <chakra.div maxWidth="column">
      <title>{`${t.title} · Adashi`}</title>
      <PageHead title={t.title} detail={t.lead} action={rows.length > 0 && report} />
      <Card>
        <Loaded remote={remote} skeleton={<ListSkeleton rows={3} />} onRetry={load}>
          {() =>
            rows.length === 0 ? (
              <Empty picture={<Letter />} title={t.noneTitle} action={report}>
                {t.none}
              </Empty>
            ) : (
              <chakra.ul listStyleType="none" aria-label={t.list}>
                {rows.map((dispute) => (
                  <Row key={dispute.id} dispute={dispute} />
                ))}
              </chakra.ul>
            )
          }
        </Loaded>
        <More onMore={askMore} busy={paging} />
      </Card>
    </chakra.div>
  );
}

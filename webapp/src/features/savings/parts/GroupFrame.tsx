import { Box, Flex } from "@chakra-ui/react";
import type { ReactNode } from "react";
import type { Group } from "@/api/types";
import { paths } from "@/app/paths";
import { savingsTexts, groupTexts as t } from "@/lib/texts/savings";
import { LinkButton } from "@/ui/Button";
import { Badge, Note } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { OpenSeat } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { PageSkeleton } from "@/ui/Skeletons";
import { useGroup } from "./useGroup";

interface GroupFrameProps {
  id: string;
  /** Which page of the group this is; its front page when absent. */
  page?: string;
  action?: (group: Group) => ReactNode;
  children: (group: Group) => ReactNode;
}

function Waiting({ group }: { group: Group }) {
  return (
    <Box>
      <PageHead title={group.name} detail={group.description} />
      <Note title={t.waitTitle} live>
        {t.waitText}
      </Note>
    </Box>
  );
}

/** What stands around every page of a group: its name, and who may not see more. */
export function GroupFrame({ id, page, action, children }: GroupFrameProps) {
  const { group, load } = useGroup(id);
  if (group.state === "failed" && group.missing) {
    return (
      <Card>
        <Empty
          whole
          picture={<OpenSeat />}
          title={t.outsideTitle}
          action={<LinkButton to={paths.savings}>{t.outsideAction}</LinkButton>}
        >
          {t.outside}
        </Empty>
      </Card>
    );
  }
  return (
    <Loaded remote={group} skeleton={<PageSkeleton />} onRetry={load}>
      {(value) =>
        value.memberStatus === "PENDING" ? (
          <Waiting group={value} />
        ) : (
          <Box>
            <title>{`${page ? `${page} · ` : ""}${value.name} · Adashi`}</title>
            {page && (
              <LinkButton to={paths.group(id)} variant="link">
                ← {value.name}
              </LinkButton>
            )}
            <PageHead
              title={page ?? value.name}
              detail={page ? undefined : value.description}
              action={action?.(value)}
            />
            {!page && value.status === "PENDING_APPROVAL" && (
              <Flex mt="-3" mb="5">
                <Badge tone="warning">{savingsTexts.status.PENDING_APPROVAL}</Badge>
              </Flex>
            )}
            {children(value)}
          </Box>
        )
      }
    </Loaded>
  );
}

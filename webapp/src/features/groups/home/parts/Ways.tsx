import { Box, chakra, SimpleGrid } from "@chakra-ui/react";
import { Link } from "react-router";
import type { Group } from "@/api/schema.gen";
import { hasEnded } from "@/lib/groups";
import { paths } from "@/lib/paths";
import { Card } from "@/ui/Card";
import { ChevronIcon } from "@/ui/icons";
import { pageTexts as t } from "../texts";

interface Way {
  title: string;
  detail: string;
  to: string;
}

/** The other pages of the group that this viewer has something to do with. */
function waysOf(group: Group): Way[] {
  const { id, role, memberStatus, invitationLink } = group;
  const active = memberStatus === "ACTIVE";
  const way = (shown: boolean, words: { title: string; detail: string }, to: string) =>
    shown ? [{ ...words, to }] : [];
  return [
    ...way(active, t.subAccounts, paths.subAccounts(id)),
    ...way(active, t.documents, paths.groupDocuments(id)),
    ...way(Boolean(invitationLink) && !hasEnded(group), t.invite, paths.invite(id)),
    ...way(true, t.wrong, paths.newDispute({ group: id })),
    ...way(true, { title: t.settings, detail: t.settingsDetail(role) }, paths.groupSettings(id)),
  ];
}

export function Ways({ group }: { group: Group }) {
  return (
    <Card title={t.in}>
      <SimpleGrid as="ul" listStyleType="none" columns={{ base: 1, md: 2 }} columnGap="4">
        {waysOf(group).map(({ title, detail, to }) => (
          <li key={to}>
            <chakra.a
              asChild
              display="flex"
              alignItems="center"
              gap="3"
              minHeight="14"
              py="2"
              px="2"
              mx="-2"
              borderRadius="md"
              _hover={{ bg: "bg.muted" }}
            >
              <Link to={to}>
                <Box flex="1" minWidth="0">
                  <chakra.p textStyle="body" fontWeight="600">
                    {title}
                  </chakra.p>
                  <chakra.p textStyle="small" color="fg.muted">
                    {detail}
                  </chakra.p>
                </Box>
                <Box color="fg.muted">
                  <ChevronIcon />
                </Box>
              </Link>
            </chakra.a>
          </li>
        ))}
      </SimpleGrid>
    </Card>
  );
}

import { Box, Stack } from "@chakra-ui/react";
import { useParams } from "react-router";
import { GroupFrame, isOfficial } from "@/features/groups/frame";
import { Debtors } from "../parts/Debtors";
import { OwnDues } from "../parts/OwnDues";
import { Views } from "../parts/Views";
import { Waivers } from "../parts/Waivers";
import { unsettledTexts as t } from "../texts";

/** Own dues with their Pay buttons; for officials everybody's dues, and the requested waivers. */
export function UnsettledPayments() {
  const { id = "" } = useParams();
  return (
    <Box maxWidth="column">
      <GroupFrame id={id} tab="payments" page={t.title}>
        {(group) => (
          <Stack gap="4">
            <Views group={group} current="unsettled" />
            <OwnDues group={group} />
            {isOfficial(group) && <Waivers groupId={id} />}
            {isOfficial(group) && <Debtors group={group} />}
          </Stack>
        )}
      </GroupFrame>
    </Box>
  );
}

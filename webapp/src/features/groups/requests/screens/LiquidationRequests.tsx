import { Box } from "@chakra-ui/react";
import { useNavigate, useParams, useSearchParams } from "react-router";
import { GroupFrame } from "@/features/groups/frame";
import { neverRan } from "@/lib/groups";
import { paths } from "@/lib/paths";
import { RequestFund } from "../parts/RequestFund";
import { RequestList } from "../parts/RequestList";
import { RequestSheet } from "../parts/RequestSheet";
import { liquidationTexts as t } from "../texts";

/** Money that leaves the group: asked for, decided on, and followed to the bank. */
export function LiquidationRequests() {
  const { id = "" } = useParams();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  return (
    <Box maxWidth="column">
      <GroupFrame
        id={id}
        tab="requests"
        page={t.title}
        action={(group) =>
          !neverRan(group) && (
            <RequestFund group={group} onSent={(request) => navigate(paths.liquidations(id, request))} />
          )
        }
      >
        {(group) => <RequestList group={group} />}
      </GroupFrame>
      <RequestSheet
        groupId={id}
        id={query.get("request") ?? ""}
        onClose={() => navigate(paths.liquidations(id), { preventScrollReset: true, replace: true })}
      />
    </Box>
  );
}

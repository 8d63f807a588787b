import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import type { Session } from "@/api/schema.gen";
import { endOtherSessions, endSession, getSessions } from "@/api/security";
import { moment } from "@/lib/dates";
import { report, succeed } from "@/store/report";
import { useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Badge } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton } from "@/ui/Skeletons";
import { securityTexts } from "../texts";

const t = securityTexts.sessions;

function SessionRow({ session, onEnded }: { session: Session; onEnded: () => void }) {
  const [ending, setEnding] = useState(false);
  const device = session.device || t.unknown;
  const end = async () => {
    setEnding(true);
    try {
      succeed((await endSession(session.id)).message || t.ended);
      onEnded();
    } catch (error) {
      report(error);
      setEnding(false);
    }
  };
  return (
    <Flex align="center" gap="3" py="3" wrap="wrap" data-session={session.current ? "current" : "other"}>
      <Box flex="1 1 14rem" minWidth="0">
        <Flex gap="2" align="center" wrap="wrap">
          <chakra.p textStyle="body" fontWeight="600" overflowWrap="anywhere">
            {device}
          </chakra.p>
          {session.current && <Badge tone="success">{t.current}</Badge>}
        </Flex>
        <chakra.p textStyle="small" color="fg.muted">
          {t.since(moment(session.createdAt))}, {t.seen(moment(session.lastSeenAt))}
        </chakra.p>
      </Box>
      {!session.current && (
        <Button variant="outline" loading={ending} aria-label={t.endOne(device)} onClick={end}>
          {t.end}
        </Button>
      )}
    </Flex>
  );
}

/** Where this person is logged in; every place but this one can be ended from here. */
export function Sessions() {
  const { remote, load } = useRead({ key: "sessions", area: "account", read: getSessions });
  const [ending, setEnding] = useState(false);
  const endOthers = async () => {
    setEnding(true);
    try {
      succeed((await endOtherSessions()).message || t.endedOthers);
      await load();
    } catch (error) {
      report(error);
    }
    setEnding(false);
  };
  return (
    <Card title={t.title}>
      <Loaded remote={remote} skeleton={<ListSkeleton rows={2} />} onRetry={load}>
        {(sessions) => (
          <Stack gap="4">
            <Stack gap="0" divideY="1px" divideColor="border">
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} onEnded={load} />
              ))}
            </Stack>
            {sessions.length > 1 && (
              <Flex>
                <Button variant="outline" loading={ending} onClick={endOthers}>
                  {t.endOthers}
                </Button>
              </Flex>
            )}
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}

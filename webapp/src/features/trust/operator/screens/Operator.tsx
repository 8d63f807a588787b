import { chakra, Stack } from "@chakra-ui/react";
import { useEffect } from "react";
import type { Projections } from "@/api/schema.gen";
import { isAdmin } from "@/lib/staff";
import { useStore } from "@/store/store";
import { useRead } from "@/store/useRead";
import { Facts } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton } from "@/ui/Skeletons";
import { GroupControl } from "../parts/GroupControl";
import { Health } from "../parts/Health";
import { Letters } from "../parts/Letters";
import { Mail } from "../parts/Mail";
import { Models } from "../parts/Models";
import { checksSource, deadLettersSource, lettersSource, projectionsSource, reloadAll } from "../parts/sources";
import { groupAdminTexts, operatorTexts as t } from "../texts";

const REFRESH_MS = 3000;

function Ledger({ stands }: { stands: Projections }) {
  const last = [...stands.models].sort((one, other) => other.lagEvents - one.lagEvents)[0];
  const letters = stands.models.reduce((sum, model) => sum + model.deadLetters, 0);
  return (
    <Facts
      rows={[
        [t.head, t.number(stands.head)],
        [t.epoch, t.number(stands.epoch)],
        [t.behind, last && last.lagEvents > 0 ? `${last.name}, ${t.lag(last.lagEvents, last.lagSeconds)}` : t.level],
        [t.letters, t.number(letters)],
      ]}
    />
  );
}

/** For Adashi's own staff: the ledger, its read models and their failures. */
export function Operator() {
  const admin = useStore((state) => isAdmin(state.session?.roles));
  const { remote: stands, load: loadStands } = useRead(projectionsSource);
  const { remote: letters, load: loadLetters } = useRead(deadLettersSource);
  const { remote: health, load: loadHealth } = useRead(checksSource);
  const { remote: mail, load: loadMail } = useRead(lettersSource);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && void reloadAll(), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <chakra.div>
      <title>Operator · Adashi</title>
      <PageHead title={t.title} detail={t.lead} />
      <Stack gap="6">
        <Card title={t.checks}>
          <Loaded remote={health} skeleton={<ListSkeleton rows={2} />} onRetry={loadHealth}>
            {(value) => <Health health={value} />}
          </Loaded>
        </Card>
        <Card title={t.ledger}>
          <Loaded remote={stands} skeleton={<ListSkeleton rows={2} />} onRetry={loadStands}>
            {(value) => <Ledger stands={value} />}
          </Loaded>
        </Card>
        <Card title={t.models}>
          <Loaded remote={stands} skeleton={<ListSkeleton rows={5} />} onRetry={loadStands}>
            {({ models }) => <Models models={models} />}
          </Loaded>
        </Card>
        <Card title={t.mailTitle}>
          <Loaded remote={mail} skeleton={<ListSkeleton rows={2} />} onRetry={loadMail}>
            {(value) => <Mail letters={value} />}
          </Loaded>
        </Card>
        {admin && (
          <Card title={groupAdminTexts.title}>
            <GroupControl />
          </Card>
        )}
        <Card title={t.lettersTitle}>
          <Loaded remote={letters} skeleton={<ListSkeleton rows={2} />} onRetry={loadLetters}>
            {(value) => <Letters letters={value} />}
          </Loaded>
        </Card>
      </Stack>
    </chakra.div>
  );
}

import { chakra, Flex, Stack } from "@chakra-ui/react";
import { UnansweredCard } from "@/features/money/unanswered";
import { briefDay } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { myAjosSource } from "@/store/ajoSources";
import { agendaSource, balancesSource, groupsSource, newestActivitySource, profileSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { useRead } from "@/store/useRead";
import { IconButton, LinkButton } from "@/ui/Button";
import { Card, CardBox } from "@/ui/Card";
import { EyeIcon, EyeOffIcon } from "@/ui/icons";
import { Loaded } from "@/ui/Loaded";
import { MovementRow } from "@/ui/money/MovementRow";
import { HiddenFigures } from "@/ui/money/Naira";
import { FigureSkeleton, ListSkeleton } from "@/ui/Skeletons";
import { Agenda } from "../parts/Agenda";
import { FirstSteps } from "../parts/FirstSteps";
import { Hero } from "../parts/Hero";
import { Places } from "../parts/Places";
import { dashboardTexts as t } from "../texts";

const RECENT = 3;

function Recent() {
  const { remote: activity, load } = useRead(newestActivitySource);
  return (
    <Card
      title={t.recent}
      action={
        <LinkButton to={paths.activity} variant="link" aria-label={`${t.all}: ${t.recent}`}>
          {t.all}
        </LinkButton>
      }
    >
      <Loaded remote={activity} skeleton={<ListSkeleton rows={RECENT} />} onRetry={load}>
        {({ transactions }) =>
          transactions.length === 0 ? (
            <chakra.p textStyle="body" color="fg.muted">
              {t.noMovements}
            </chakra.p>
          ) : (
            <Stack gap="0">
              {transactions.slice(0, RECENT).map((movement) => (
                <MovementRow
                  key={movement.id}
                  movement={movement}
                  when={briefDay(movement.date)}
                  to={paths.activityDetail(movement.id)}
                />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Card>
  );
}

/** Whether a person has neither money nor a group nor an ajo: known once all three are read. */
function useIsNew(): boolean {
  const { remote: balances } = useRead(balancesSource);
  const { remote: groups } = useRead(groupsSource);
  const { remote: ajos } = useRead(myAjosSource);
  if (balances.state !== "ready" || groups.state !== "ready" || ajos.state !== "ready") return false;
  return balances.value.totalBalance === 0 && groups.value.length === 0 && !ajos.value.some(({ isMember }) => isMember);
}

function Head() {
  const firstName = useStore((state) => state.session?.firstName ?? "");
  const hidden = useStore((state) => state.figuresHidden);
  const toggle = useStore((state) => state.toggleFigures);
  return (
    <Flex justify="space-between" align="center" gap="3" mb="-2">
      <chakra.h1 textStyle="title" minWidth="0" overflowWrap="anywhere">
        {t.hello(firstName)}
      </chakra.h1>
      <IconButton label={hidden ? t.show : t.hide} aria-pressed={hidden} onClick={toggle}>
        {hidden ? <EyeOffIcon /> : <EyeIcon />}
      </IconButton>
    </Flex>
  );
}

function Money() {
  const { remote: balances, load } = useRead(balancesSource);
  const { remote: groups } = useRead(groupsSource);
  const { remote: ajos } = useRead(myAjosSource);
  const { remote: profile } = useRead(profileSource);
  const isNew = useIsNew();
  const skeleton = (
    <CardBox minHeight="14rem">
      <FigureSkeleton />
    </CardBox>
  );
  if (groups.state === "loading" || ajos.state === "loading") return skeleton;
  if (isNew) return <FirstSteps verified={profile.state === "ready" && profile.value.bvnStatus === "VERIFIED"} />;
  return (
    <Loaded remote={balances} skeleton={skeleton} onRetry={load}>
      {(value) => <Hero balances={value} />}
    </Loaded>
  );
}

/** Home: the wallet, what waits for one in every area, one's groups and ajo, and the last movements. */
export function Dashboard() {
  const hidden = useStore((state) => state.figuresHidden);
  const isNew = useIsNew();
  // What is below the agenda comes once its height is known, so that nothing moves.
  const { remote: agenda } = useRead(agendaSource);
  return (
    <HiddenFigures value={hidden}>
      <Stack gap="4">
        <title>Dashboard · Adashi</title>
        <Head />
        <Money />
        <UnansweredCard />
        <Agenda />
        {!isNew && agenda.state !== "loading" && (
          <>
            <Places />
            <Recent />
          </>
        )}
      </Stack>
    </HiddenFigures>
  );
}

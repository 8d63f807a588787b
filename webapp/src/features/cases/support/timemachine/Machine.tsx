import { Box, chakra, Flex, Grid, Stack } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import type { ReplayStep, ReplaySubject } from "@/api/schema.gen";
import { replayCase } from "@/api/support";
import { Button } from "@/ui/Button";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton } from "@/ui/Skeletons";
import type { Named } from "../parts/useNamed";
import { machineTexts as t } from "../texts";
import { Clocks } from "./Clocks";
import { Controls, KeyHelp } from "./Controls";
import { Event } from "./Event";
import { Jump } from "./Jump";
import { Moments } from "./Moments";
import { Slider } from "./Slider";
import { useCourse, useSettled } from "./useCourse";
import { useKeys } from "./useKeys";
import type { Clock, Place } from "./usePlace";
import { useSteps } from "./useSteps";

interface MachineProps {
  caseId: string;
  subject: ReplaySubject;
  place: Place;
  named: Named;
  onPlace: (change: Partial<Place>) => void;
}

const clocks: Clock[] = ["recorded", "effective"];

/** Which clock the figures go by. */
function ByClock({ clock, onClock }: { clock: Clock; onClock: (clock: Clock) => void }) {
  return (
    <Box>
      <Flex role="group" aria-label={t.by} gap="2" wrap="wrap">
        {clocks.map((one) => (
          <Button
            key={one}
            variant={one === clock ? "secondary" : "outline"}
            aria-pressed={one === clock}
            onClick={() => onClock(one)}
          >
            {t.byClock[one]}
          </Button>
        ))}
      </Flex>
      <chakra.p textStyle="small" color="fg.muted" mt="1.5">
        {t.byHelp[clock]}
      </chakra.p>
    </Box>
  );
}

/** Loads the events, goes through them, and keeps the address where somebody stands. */
function useMachine({ caseId, subject, place, onPlace }: Omit<MachineProps, "named">) {
  const [anchor, setAnchor] = useState(place.at);
  const loaded = useSteps(caseId, subject, anchor);
  const course = useCourse(loaded, anchor);
  const [help, setHelp] = useState(false);
  const settled = useSettled(course.step);
  const at = settled?.position;
  useEffect(() => {
    if (at !== undefined) onPlace({ at });
  }, [at, onPlace]);
  const keep = () => onPlace({ than: place.than === undefined ? course.step?.position : undefined });
  useKeys(
    {
      arrowleft: () => course.move(-1),
      arrowright: () => course.move(1),
      "[": () => course.day(-1),
      "]": () => course.day(1),
      c: keep,
      p: course.play,
      "?": () => setHelp(true),
    },
    help,
  );
  const jump = async (clock: Clock, when: string) => {
    const { value } = await replayCase(caseId, subject, { [clock]: when });
    const wanted = Math.max(1, value.position);
    const [first, last] = [loaded.steps[0], loaded.steps.at(-1)];
    const known = first && last && wanted >= first.position && (wanted <= last.position || !loaded.on.askMore);
    if (!known) setAnchor(wanted);
    course.jump(wanted);
    onPlace({ clock });
    return value.events === 0 ? t.before : undefined;
  };
  return { loaded, course, settled, help, setHelp, keep, jump };
}

type Running = ReturnType<typeof useMachine>;

interface ViewProps extends MachineProps {
  running: Running;
  step: ReplayStep;
}

function View({ caseId, subject, place, named, onPlace, running, step }: ViewProps) {
  const { loaded, course, settled, keep, setHelp } = running;
  return (
    <Stack gap="5" data-machine={subject}>
      <Slider loaded={loaded} course={course} />
      <Controls course={course} comparing={place.than !== undefined} onKeep={keep} onHelp={() => setHelp(true)} />
      {course.still && (
        <chakra.p textStyle="small" color="fg.muted">
          {t.still}
        </chakra.p>
      )}
      <chakra.p role="status" textStyle="section" data-at={step.position}>
        {step.title}
        <chakra.span textStyle="small" color="fg.muted" display="block">
          {t.position(step.position)}
        </chakra.span>
      </chakra.p>
      <Clocks step={step} />
      <Grid
        templateColumns={{ base: "minmax(0, 1fr)", lg: "repeat(2, minmax(0, 1fr))" }}
        columnGap="8"
        rowGap="6"
        alignItems="start"
      >
        <Stack gap="4">
          <ByClock clock={place.clock} onClock={(clock) => onPlace({ clock })} />
          <Moments
            caseId={caseId}
            subject={subject}
            steps={loaded.steps}
            clock={place.clock}
            step={settled?.position === step.position ? step : undefined}
            than={place.than}
          />
        </Stack>
        <Event step={step} named={named} />
      </Grid>
    </Stack>
  );
}

/** The history of one subject: a slider over its events, and what was at each. */
export function Machine(props: MachineProps) {
  const running = useMachine(props);
  const { loaded, course, help, setHelp, jump } = running;
  return (
    <>
      <Loaded remote={loaded.back.remote} skeleton={<ListSkeleton rows={3} />} onRetry={loaded.back.load}>
        {() => {
          if (course.step) return <View {...props} running={running} step={course.step} />;
          if (loaded.on.remote.state === "loading") return <ListSkeleton rows={3} />;
          return <chakra.p color="fg.muted">{t.none}</chakra.p>;
        }}
      </Loaded>
      <Jump clock={props.place.clock} onJump={jump} />
      <KeyHelp open={help} onClose={() => setHelp(false)} />
    </>
  );
}

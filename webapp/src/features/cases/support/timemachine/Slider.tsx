import { chakra, Flex } from "@chakra-ui/react";
import type { ReplayStep } from "@/api/schema.gen";
import { exactTime } from "@/lib/clocks";
import { shortDay } from "@/lib/dates";
import { Button } from "@/ui/Button";
import { machineTexts as t } from "../texts";
import type { Course } from "./useCourse";
import type { LoadedSteps } from "./useSteps";

/** So far the middle of the thumb keeps from the slider's ends. */
const THUMB = "0.75rem";

const track = { height: "0.375rem", borderRadius: "full", bg: "brandLine" };
const thumb = {
  width: "1.5rem",
  height: "1.5rem",
  borderRadius: "full",
  borderWidth: "3px",
  borderStyle: "solid",
  borderColor: "white",
  bg: "brand",
  boxShadow: "float",
};

/** A tick for each event; those whose clocks differ reach higher. */
function Ticks({ steps }: { steps: ReplayStep[] }) {
  const x = (at: number) => (steps.length < 2 ? 0 : (at / (steps.length - 1)) * 1000);
  const path = (late: boolean) =>
    steps.flatMap((step, at) => (step.late === late ? [`M${x(at).toFixed(1)} 12V${late ? 0 : 6}`] : [])).join("");
  return (
    <chakra.div px={THUMB} aria-hidden="true">
      <chakra.svg
        viewBox="0 0 1000 12"
        preserveAspectRatio="none"
        width="full"
        height="3"
        display="block"
        overflow="visible"
      >
        {[false, true].map((late) => (
          <chakra.path
            key={String(late)}
            d={path(late)}
            stroke={late ? "amber" : "grayControl"}
            strokeWidth={late ? "2.5" : "1.5"}
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </chakra.svg>
    </chakra.div>
  );
}

const whenOf = ({ recordedAt }: ReplayStep) => `${shortDay(recordedAt)}, ${exactTime(recordedAt)}`;

interface SliderProps {
  loaded: LoadedSteps;
  course: Course;
}

/** Loads on at both ends, for who does not want to wait until they are there. */
function Ends({ loaded: { steps, back, on }, course: { index } }: SliderProps) {
  return (
    <Flex justify="space-between" align="center" gap="2" wrap="wrap">
      {back.askMore ? (
        <Button variant="link" loading={back.paging} onClick={back.askMore}>
          {t.earlier}
        </Button>
      ) : (
        <chakra.span textStyle="small" color="fg.muted">
          {t.begin}
        </chakra.span>
      )}
      <chakra.span textStyle="small" color="fg.muted" data-place={`${index + 1}/${steps.length}`}>
        {t.place(index + 1, steps.length)}
      </chakra.span>
      {on.askMore && (
        <Button variant="link" loading={on.paging} onClick={on.askMore}>
          {t.later}
        </Button>
      )}
    </Flex>
  );
}

/** One slider over the events that are loaded. */
export function Slider({ loaded, course }: SliderProps) {
  const { steps } = loaded;
  const { index, step } = course;
  return (
    <chakra.div>
      <Ticks steps={steps} />
      <chakra.input
        type="range"
        aria-label={t.slider}
        aria-valuetext={step && t.value(index + 1, steps.length, step.title, whenOf(step))}
        min={0}
        max={Math.max(0, steps.length - 1)}
        value={index}
        onChange={(event) => course.to(Number(event.target.value))}
        width="full"
        height="11"
        margin="0"
        bg="transparent"
        cursor="pointer"
        borderRadius="md"
        css={{
          appearance: "none",
          "&::-webkit-slider-runnable-track": track,
          "&::-moz-range-track": track,
          "&::-webkit-slider-thumb": { ...thumb, appearance: "none", marginTop: "-0.5625rem" },
          "&::-moz-range-thumb": thumb,
        }}
      />
      <Ends loaded={loaded} course={course} />
    </chakra.div>
  );
}

import { chakra, Flex, SimpleGrid } from "@chakra-ui/react";
import { Button } from "@/ui/Button";
import { Modal } from "@/ui/overlays";
import { machineTexts as t } from "../texts";
import type { Course } from "./useCourse";

export interface Doing {
  course: Course;
  /** Whether a second moment is kept. */
  comparing: boolean;
  onKeep: () => void;
  onHelp: () => void;
}

/** A way to go: an arrow on a phone, with its words where there is room. */
function Way({ arrow, label, on = false, onGo }: { arrow: string; label: string; on?: boolean; onGo: () => void }) {
  const words = <chakra.span display={{ base: "none", lg: "inline" }}>{label}</chakra.span>;
  return (
    <Button variant="outline" fullWidth aria-label={label} onClick={onGo}>
      {on && words}
      <span aria-hidden="true">{arrow}</span>
      {!on && words}
    </Button>
  );
}

/** A button for every key. */
export function Controls({ course, comparing, onKeep, onHelp }: Doing) {
  return (
    <Flex gap="2" wrap="wrap" role="group" aria-label={t.title}>
      <SimpleGrid columns={4} gap="2" width="full">
        <Way arrow="«" label={t.dayBack} onGo={() => course.day(-1)} />
        <Way arrow="←" label={t.back} onGo={() => course.move(-1)} />
        <Way arrow="→" label={t.on} on onGo={() => course.move(1)} />
        <Way arrow="»" label={t.dayOn} on onGo={() => course.day(1)} />
      </SimpleGrid>
      <Button variant="outline" onClick={course.play}>
        {course.playing ? t.pause : t.play}
      </Button>
      <Button variant={comparing ? "secondary" : "outline"} onClick={onKeep}>
        {comparing ? t.drop : t.keep}
      </Button>
      <Button variant="ghost" onClick={onHelp}>
        {t.keys} (?)
      </Button>
    </Flex>
  );
}

/** What each key does. */
export function KeyHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Modal open={open} onClose={onClose} title={t.keysTitle}>
      <chakra.dl display="grid" gridTemplateColumns="max-content minmax(0, 1fr)" columnGap="4" rowGap="3">
        {t.keyWords.map(([key, words]) => (
          <chakra.div key={key} display="contents">
            <chakra.dt
              borderWidth="1px"
              borderColor="border.control"
              borderRadius="sm"
              px="2.5"
              fontFamily="mono"
              fontWeight="600"
              textAlign="center"
            >
              {key}
            </chakra.dt>
            <dd>{words}</dd>
          </chakra.div>
        ))}
      </chakra.dl>
    </Modal>
  );
}

import { chakra, Flex } from "@chakra-ui/react";
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

/** A button for every key. */
export function Controls({ course, comparing, onKeep, onHelp }: Doing) {
  return (
    <Flex gap="2" wrap="wrap" role="group" aria-label={t.title}>
      <Button variant="outline" aria-label={t.dayBack} onClick={() => course.day(-1)}>
        « {t.dayBack}
      </Button>
      <Button variant="outline" aria-label={t.back} onClick={() => course.move(-1)}>
        ← {t.back}
      </Button>
      <Button variant="outline" aria-label={t.on} onClick={() => course.move(1)}>
        {t.on} →
      </Button>
      <Button variant="outline" aria-label={t.dayOn} onClick={() => course.day(1)}>
        {t.dayOn} »
      </Button>
      <Button variant="outline" onClick={course.play}>
        {course.playing ? t.pause : t.play}
      </Button>
      <Button variant={comparing ? "secondary" : "outline"} onClick={onKeep}>
        {comparing ? t.drop : t.keep}
      </Button>
      <Button variant="ghost" aria-label={t.keysTitle} onClick={onHelp}>
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

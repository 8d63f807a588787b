import { Flex } from "@chakra-ui/react";
import { useState } from "react";
import { errorTexts } from "@/lib/texts/errors";
import { report } from "@/store/report";
import { valueIn } from "@/store/source";
import { notificationsSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { Button } from "@/ui/Button";
import { noticeTexts as t } from "../texts";
import { ClearAll } from "./ClearAll";

/** Actions on all notifications at once. */
export function Actions() {
  const readAll = useStore((state) => state.readAllNotifications);
  const unread = useStore((state) => valueIn(state, notificationsSource)?.unread ?? 0);
  const [reading, setReading] = useState(false);
  const [clearing, setClearing] = useState(false);
  const read = async () => {
    setReading(true);
    await readAll().catch((error: unknown) => report(error, errorTexts.failedTo.readAll));
    setReading(false);
  };
  return (
    <Flex gap="3" wrap="wrap">
      <Button variant="outline" size="sm" loading={reading} disabled={unread === 0} onClick={read}>
        {t.readAll}
      </Button>
      <Button variant="ghost" size="sm" onClick={() => setClearing(true)}>
        {t.clear}
      </Button>
      <ClearAll open={clearing} onClose={() => setClearing(false)} />
    </Flex>
  );
}

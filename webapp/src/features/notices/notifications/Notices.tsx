import { Stack } from "@chakra-ui/react";
import { paths } from "@/lib/paths";
import { valueIn } from "@/store/source";
import { notificationsSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { LinkButton } from "@/ui/Button";
import { Sheet } from "@/ui/overlays";
import { Actions } from "./parts/Actions";
import { NoticeList } from "./parts/NoticeList";
import { noticeTexts as t } from "./texts";

/** The notification drawer, which the bell opens. */
export function Notices() {
  const open = useStore((state) => state.noticesOpen);
  const openNotices = useStore((state) => state.openNotices);
  const some = useStore((state) => (valueIn(state, notificationsSource)?.notifications.length ?? 0) > 0);
  const close = () => openNotices(false);
  return (
    <Sheet
      open={open}
      onClose={close}
      placement="end"
      title={t.title}
      footer={
        <Stack gap="2" width="full">
          {some && <Actions />}
          <LinkButton to={paths.notifications} variant="link" onClick={close}>
            {t.centre}
          </LinkButton>
        </Stack>
      }
    >
      <NoticeList onLeave={close} />
    </Sheet>
  );
}

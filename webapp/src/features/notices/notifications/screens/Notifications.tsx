import { chakra, Stack } from "@chakra-ui/react";
import { paths } from "@/lib/paths";
import { valueIn } from "@/store/source";
import { notificationsSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { LinkButton } from "@/ui/Button";
import { Card, PageHead } from "@/ui/Card";
import { Actions } from "../parts/Actions";
import { NoticeList } from "../parts/NoticeList";
import { noticeTexts as t } from "../texts";

/** The notification centre: what the bell shows, with room. */
export function Notifications() {
  const unread = useStore((state) => valueIn(state, notificationsSource)?.unread ?? 0);
  const some = useStore((state) => (valueIn(state, notificationsSource)?.notifications.length ?? 0) > 0);
  const settings = (
    <LinkButton to={paths.editProfile("settings")} variant="link">
      {t.settings}
    </LinkButton>
  );
  return (
    <Stack gap="0" maxWidth="column">
      <title>{`${t.title} · Adashi`}</title>
      <PageHead title={t.title} detail={t.lead} action={settings} />
      <Card>
        <Stack gap="4">
          {some && (
            <>
              <chakra.p role="status" textStyle="small" color="fg.muted">
                {t.unreadCount(unread)}
              </chakra.p>
              <Actions />
            </>
          )}
          <NoticeList />
        </Stack>
      </Card>
    </Stack>
  );
}

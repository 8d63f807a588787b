import { Box, chakra, Flex } from "@chakra-ui/react";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Notification } from "@/api/types";
import { moment } from "@/lib/dates";
import { noticeTexts as t } from "@/lib/texts/activity";
import { screenTexts } from "@/lib/texts/common";
import { errorTexts } from "@/lib/texts/errors";
import { innerPath } from "@/lib/urls";
import { report } from "@/store/report";
import { useStore } from "@/store/store";
import { Button } from "@/ui/Button";
import { Unseen } from "@/ui/bits";
import { Empty } from "@/ui/Empty";
import { Letter } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { Naira } from "@/ui/Naira";
import { Modal, Sheet } from "@/ui/overlays";
import { ListSkeleton } from "@/ui/Skeletons";

function Notice({ notice, onOpen }: { notice: Notification; onOpen: () => void }) {
  const { title, body, amount } = notice.data;
  return (
    <chakra.button
      type="button"
      onClick={onOpen}
      data-read={notice.isRead}
      display="flex"
      gap="3"
      width="full"
      textAlign="start"
      px="3"
      py="3"
      borderRadius="md"
      cursor="pointer"
      bg={notice.isRead ? "transparent" : "bg.brand"}
      _hover={{ bg: notice.isRead ? "bg.muted" : "brandLine" }}
    >
      <Box
        mt="1.5"
        boxSize="2"
        borderRadius="full"
        flexShrink="0"
        bg={notice.isRead ? "transparent" : "brand"}
        aria-hidden="true"
      />
      <Box flex="1" minWidth="0">
        <chakra.span display="block" textStyle="body" fontWeight="600">
          {!notice.isRead && <Unseen>{t.unread}: </Unseen>}
          {title}
        </chakra.span>
        <chakra.span display="block" textStyle="body" overflowWrap="anywhere">
          {body}
        </chakra.span>
        <chakra.span display="flex" gap="2" textStyle="small" color="fg.muted" mt="0.5">
          {moment(notice.dateCreated)}
          {amount !== undefined && (
            <chakra.span fontWeight="600" color="fg">
              <Naira amount={amount} />
            </chakra.span>
          )}
        </chakra.span>
      </Box>
    </chakra.button>
  );
}

function ClearAll({ open, onClose }: { open: boolean; onClose: () => void }) {
  const clear = useStore((state) => state.clearNotifications);
  const [deleting, setDeleting] = useState(false);
  const confirm = async () => {
    setDeleting(true);
    await clear().catch((error: unknown) => report(error, errorTexts.failedTo.clear));
    setDeleting(false);
    onClose();
  };
  return (
    <Modal
      open={open}
      onClose={onClose}
      title={t.confirmTitle}
      footer={
        <>
          <Button variant="danger" loading={deleting} onClick={confirm}>
            {t.confirmYes}
          </Button>
          <Button variant="outline" onClick={onClose}>
            {t.cancel}
          </Button>
        </>
      }
    >
      <p>{t.confirm}</p>
    </Modal>
  );
}

function Actions({ onClear }: { onClear: () => void }) {
  const readAll = useStore((state) => state.readAllNotifications);
  const unread = useStore((state) => state.unread);
  const [reading, setReading] = useState(false);
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
      <Button variant="ghost" size="sm" onClick={onClear}>
        {t.clear}
      </Button>
    </Flex>
  );
}

/** What the bell opens. */
export function Notices() {
  const open = useStore((state) => state.noticesOpen);
  const openNotices = useStore((state) => state.openNotices);
  const notifications = useStore((state) => state.notifications);
  const load = useStore((state) => state.loadNotifications);
  const loadMore = useStore((state) => state.loadMoreNotifications);
  const readOne = useStore((state) => state.readNotification);
  const [clearing, setClearing] = useState(false);
  const navigate = useNavigate();

  const follow = (notice: Notification) => {
    if (!notice.isRead) readOne(notice.id).catch((error: unknown) => report(error, errorTexts.failedTo.readOne));
    const to = innerPath(notice.data.link);
    if (!to) return;
    openNotices(false);
    navigate(to);
  };
  const some = notifications.state === "ready" && notifications.value.items.length > 0;
  return (
    <>
      <Sheet
        open={open}
        onClose={() => openNotices(false)}
        placement="end"
        title={t.title}
        footer={some ? <Actions onClear={() => setClearing(true)} /> : undefined}
      >
        <Loaded remote={notifications} skeleton={<ListSkeleton />} onRetry={load}>
          {({ items, next }) =>
            items.length === 0 ? (
              <Empty picture={<Letter />} title={t.emptyTitle}>
                {t.empty}
              </Empty>
            ) : (
              <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="1" mx="-3">
                {items.map((notice) => (
                  <li key={notice.id}>
                    <Notice notice={notice} onOpen={() => follow(notice)} />
                  </li>
                ))}
                {next && (
                  <chakra.li px="3" pt="2">
                    <Button variant="outline" size="sm" onClick={() => void loadMore().catch(report)}>
                      {screenTexts.loadMore}
                    </Button>
                  </chakra.li>
                )}
              </chakra.ul>
            )
          }
        </Loaded>
      </Sheet>
      <ClearAll open={clearing} onClose={() => setClearing(false)} />
    </>
  );
}

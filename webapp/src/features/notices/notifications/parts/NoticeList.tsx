import { chakra, Flex } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import type { Notification } from "@/api/schema.gen";
import { screenTexts } from "@/lib/texts/common";
import { errorTexts } from "@/lib/texts/errors";
import { innerPath } from "@/lib/urls";
import { report } from "@/store/report";
import { notificationsSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { usePages } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Letter } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton } from "@/ui/Skeletons";
import { noticeTexts as t } from "../texts";
import { Notice } from "./Notice";

function useOne(onLeave: () => void) {
  const readOne = useStore((state) => state.readNotification);
  const navigate = useNavigate();
  const read = (notice: Notification) => {
    if (!notice.isRead) readOne(notice.id).catch((error: unknown) => report(error, errorTexts.failedTo.readOne));
  };
  const follow = (notice: Notification) => {
    read(notice);
    const to = innerPath(notice.data.link);
    if (!to) return;
    onLeave();
    navigate(to);
  };
  return { read, follow };
}

interface NoticeListProps {
  /** One of them leads elsewhere. */
  onLeave?: () => void;
  emptyAction?: ReactNode;
}

/** All notifications, page by page; each can be marked read without being opened. */
export function NoticeList({ onLeave = () => {}, emptyAction }: NoticeListProps) {
  const { remote, rows, load, askMore, paging } = usePages(notificationsSource);
  const { read, follow } = useOne(onLeave);
  return (
    <Loaded remote={remote} skeleton={<ListSkeleton />} onRetry={load}>
      {() =>
        rows.length === 0 ? (
          <Empty picture={<Letter />} title={t.emptyTitle} action={emptyAction}>
            {t.empty}
          </Empty>
        ) : (
          <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="1" mx="-3">
            {rows.map((notice) => (
              <chakra.li key={notice.id} borderRadius="md" bg={notice.isRead ? "transparent" : "bg.brand"}>
                <Notice notice={notice} onOpen={() => follow(notice)} />
                {!notice.isRead && (
                  <Flex justify="flex-end" px="3" mt="-2" pb="1">
                    <Button
                      variant="link"
                      size="sm"
                      aria-label={t.readIt(notice.data.title)}
                      onClick={() => read(notice)}
                    >
                      {t.read}
                    </Button>
                  </Flex>
                )}
              </chakra.li>
            ))}
            {askMore && (
              <chakra.li px="3" pt="2">
                <Button variant="outline" size="sm" loading={paging} onClick={askMore}>
                  {screenTexts.loadMore}
                </Button>
              </chakra.li>
            )}
          </chakra.ul>
        )
      }
    </Loaded>
  );
}

import { Box, chakra } from "@chakra-ui/react";
import type { Notification } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { VisuallyHidden } from "@/ui/bits";
import { Naira } from "@/ui/money/Naira";
import { noticeTexts as t } from "../texts";
import { NoticeIcon } from "./NoticeIcon";

/** One notification; opening it marks it read and leads where it points. */
export function Notice({ notice, onOpen }: { notice: Notification; onOpen: () => void }) {
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
      _hover={{ bg: notice.isRead ? "bg.muted" : "brandLine" }}
    >
      <NoticeIcon type={notice.type} unread={!notice.isRead} />
      <Box flex="1" minWidth="0">
        <chakra.span display="block" textStyle="body" fontWeight="600">
          {!notice.isRead && <VisuallyHidden>{t.unread}: </VisuallyHidden>}
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

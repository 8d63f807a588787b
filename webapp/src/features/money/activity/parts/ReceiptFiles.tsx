import { Box, chakra, Flex } from "@chakra-ui/react";
import { useState } from "react";
import { getReceiptFile } from "@/api/records";
import type { Movement } from "@/api/schema.gen";
import { shareFile } from "@/lib/files";
import { report } from "@/store/report";
import { Button } from "@/ui/Button";
import { FileIcon, ShareIcon } from "@/ui/icons";
import { toast } from "@/ui/toaster";
import { activityTexts } from "../texts";

const t = activityTexts.detail;

/** The receipt to hand on, as a picture or a PDF: one tap each. */
export function ReceiptFiles({ movement }: { movement: Movement }) {
  const [busy, setBusy] = useState<"PNG" | "PDF">();
  const hand = async (format: "PNG" | "PDF") => {
    setBusy(format);
    try {
      const kept = await shareFile(await getReceiptFile(movement.id, format), t.receiptFile(movement.position));
      if (kept) toast.success(t.receiptKept);
    } catch (error) {
      report(error);
    }
    setBusy(undefined);
  };
  const of = (format: "PNG" | "PDF") => ({
    loading: busy === format,
    disabled: busy !== undefined,
    onClick: () => void hand(format),
  });
  return (
    <Box mt="5">
      <Flex gap="2" wrap="wrap">
        <Button icon={<ShareIcon />} {...of("PNG")}>
          {t.share}
        </Button>
        <Button variant="outline" icon={<FileIcon />} {...of("PDF")}>
          {t.pdf}
        </Button>
      </Flex>
      <chakra.p textStyle="small" color="fg.muted" mt="2">
        {t.receiptCode}
      </chakra.p>
    </Box>
  );
}

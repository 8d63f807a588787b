import { useState } from "react";
import { errorTexts } from "@/lib/texts/errors";
import { report } from "@/store/report";
import { useStore } from "@/store/store";
import { Button } from "@/ui/Button";
import { Modal } from "@/ui/overlays";
import { noticeTexts as t } from "../texts";

export function ClearAll({ open, onClose }: { open: boolean; onClose: () => void }) {
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

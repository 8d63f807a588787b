import { Button } from "@/ui/Button";
import { Modal } from "@/ui/overlays";
import { leaveTexts as t } from "./texts";

export function LeaveDialog({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  return (
    <Modal
      open
      onClose={onStay}
      title={t.title}
      footer={
        <>
          <Button onClick={onStay}>{t.stay}</Button>
          <Button variant="outline" onClick={onLeave}>
            {t.leave}
          </Button>
        </>
      }
    >
      <p>{t.text}</p>
    </Modal>
  );
}

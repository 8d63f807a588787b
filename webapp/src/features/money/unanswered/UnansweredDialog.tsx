import { Modal } from "@/ui/overlays";
import { unansweredTexts as t } from "./texts";
import { UnansweredList } from "./UnansweredList";

export function UnansweredDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Modal open={open} onClose={onClose} title={t.title}>
      <p>{t.lead}</p>
      <UnansweredList />
    </Modal>
  );
}

import { chakra } from "@chakra-ui/react";
import { useState } from "react";
import { rebuildProjection, retryProjection } from "@/api/operator";
import type { Projection } from "@/api/schema.gen";
import { isAdmin } from "@/lib/staff";
import { report, succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { Button } from "@/ui/Button";
import { Modal } from "@/ui/overlays";
import { operatorTexts as t } from "../texts";
import { reloadAll } from "./sources";

type Help = "retry" | "rebuild";

/** An Admin may retry or rebuild a read model, after a confirmation. */
export function Helping({ model }: { model: Projection }) {
  const admin = useStore((state) => isAdmin(state.session?.roles));
  const [help, setHelp] = useState<Help>("retry");
  const [open, setOpen] = useState(false);
  const [sending, setSending] = useState(false);
  if (!admin) return null;
  const ask = (what: Help) => () => {
    setHelp(what);
    setOpen(true);
  };
  const send = async () => {
    setSending(true);
    try {
      const { message } = await (help === "retry" ? retryProjection : rebuildProjection)(model.name);
      void reloadAll();
      succeed(message);
      setOpen(false);
    } catch (error) {
      report(error);
    }
    setSending(false);
  };
  const texts = t.confirm[help];
  return (
    <chakra.div display="flex" gap="2" flexWrap="wrap">
      {model.state === "paused" && (
        <Button size="sm" aria-label={t.retryOf(model.name)} onClick={ask("retry")}>
          {t.retry}
        </Button>
      )}
      <Button
        variant="outline"
        size="sm"
        aria-label={t.rebuildOf(model.name)}
        disabled={model.state === "rebuilding"}
        onClick={ask("rebuild")}
      >
        {t.rebuild}
      </Button>
      <Modal
        open={open}
        onClose={() => setOpen(false)}
        title={texts.title(model.name)}
        footer={
          <>
            <Button variant="outline" onClick={() => setOpen(false)}>
              {t.no}
            </Button>
            <Button loading={sending} onClick={send}>
              {texts.yes}
            </Button>
          </>
        }
      >
        <chakra.p color="fg.muted">{texts.text}</chakra.p>
      </Modal>
    </chakra.div>
  );
}

import { Flex, SimpleGrid, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { bookAsCsv, bookAsPdf } from "@/api/dues";
import type { Group } from "@/api/schema.gen";
import { SubAccountPick } from "@/features/groups/frame";
import { lagosDay } from "@/lib/dates";
import { keepFile } from "@/lib/files";
import { report, succeed } from "@/store/report";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/form/fields";
import { DownloadIcon, FileIcon } from "@/ui/icons";
import { Modal } from "@/ui/overlays";
import { bookTexts as t } from "../texts";

const readers = { csv: bookAsCsv, pdf: bookAsPdf };

function BookForm({ group, onDone }: { group: Group; onDone: () => void }) {
  const today = lagosDay();
  const [subAccountId, setSubAccount] = useState("");
  const [from, setFrom] = useState("");
  const [to, setTo] = useState(today);
  const [busy, setBusy] = useState<"csv" | "pdf">();
  const upsideDown = from !== "" && to !== "" && from > to;
  const save = async (ending: "csv" | "pdf") => {
    if (upsideDown || busy) return;
    setBusy(ending);
    const of = { subAccountId: subAccountId || undefined, from: from || undefined, to: to || undefined };
    try {
      keepFile(await readers[ending](group.id, of), t.file(group.name, ending));
      succeed(t.done);
      onDone();
    } catch (error) {
      report(error);
    }
    setBusy(undefined);
  };
  return (
    <Stack gap="5">
      <p>{t.lead}</p>
      <SubAccountPick groupId={group.id} value={subAccountId} all onChange={setSubAccount} />
      <SimpleGrid columns={2} gap="4">
        <TextField label={t.from} type="date" max={today} value={from} onChange={(e) => setFrom(e.target.value)} />
        <TextField
          label={t.to}
          type="date"
          max={today}
          value={to}
          error={upsideDown ? t.order : undefined}
          onChange={(e) => setTo(e.target.value)}
        />
      </SimpleGrid>
      <p>{t.pdfHelp}</p>
      <Flex gap="3" wrap="wrap">
        <Button icon={<FileIcon />} loading={busy === "pdf"} onClick={() => save("pdf")}>
          {t.pdf}
        </Button>
        <Button variant="outline" icon={<DownloadIcon />} loading={busy === "csv"} onClick={() => save("csv")}>
          {t.csv}
        </Button>
      </Flex>
    </Stack>
  );
}

/** The group's book, to be taken along. */
export function Book({ group }: { group: Group }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="outline" icon={<DownloadIcon />} onClick={() => setOpen(true)}>
        {t.open}
      </Button>
      <Modal open={open} onClose={() => setOpen(false)} title={t.title}>
        <BookForm group={group} onDone={() => setOpen(false)} />
      </Modal>
    </>
  );
}

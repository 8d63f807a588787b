import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { type SubmitEvent, useState } from "react";
import { exportMovements, type Filters, getStatement } from "@/api/records";
import { lagosDay } from "@/lib/dates";
import { keepFile } from "@/lib/files";
import { paths } from "@/lib/paths";
import { report } from "@/store/report";
import { Button, LinkButton } from "@/ui/Button";
import { TextField } from "@/ui/form/fields";
import { DownloadIcon, FileIcon } from "@/ui/icons";
import { Modal } from "@/ui/overlays";
import { toast } from "@/ui/toaster";
import { filterTexts, exportTexts as t } from "../texts";

async function save(reading: Promise<Blob>, name: string): Promise<boolean> {
  try {
    keepFile(await reading, name);
    return true;
  } catch (error) {
    report(error);
    return false;
  }
}

function StatementForm({ onDone }: { onDone: () => void }) {
  const today = lagosDay();
  const [from, setFrom] = useState(`${today.slice(0, 8)}01`);
  const [to, setTo] = useState(today);
  const [busy, setBusy] = useState(false);
  const upsideDown = from > to;
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (upsideDown || !from || !to) return;
    setBusy(true);
    const saved = await save(getStatement(from, to), t.file(from, to));
    setBusy(false);
    if (!saved) return;
    toast.success(t.done);
    onDone();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        <chakra.p color="fg.muted">{t.lead}</chakra.p>
        <TextField label={t.from} type="date" max={today} value={from} onChange={(e) => setFrom(e.target.value)} />
        <TextField
          label={t.to}
          type="date"
          max={today}
          value={to}
          error={upsideDown ? filterTexts.order : undefined}
          onChange={(e) => setTo(e.target.value)}
        />
        <Box textStyle="body" color="fg.muted">
          <p>{t.code}</p>
          <LinkButton variant="link" to={paths.verifyStatement()}>
            {t.verify}
          </LinkButton>
        </Box>
        <Button type="submit" size="lg" fullWidth loading={busy}>
          {t.download}
        </Button>
      </Stack>
    </form>
  );
}

/** Exports: the list as CSV, and a statement that anybody can verify. */
export function Exports({ filters }: { filters: Filters }) {
  const [busy, setBusy] = useState(false);
  const [open, setOpen] = useState(false);
  const csv = async () => {
    setBusy(true);
    await save(exportMovements(filters), t.csvFile);
    setBusy(false);
  };
  return (
    <Flex gap="2" wrap="wrap">
      <Button size="sm" variant="outline" icon={<DownloadIcon />} loading={busy} title={t.csvHelp} onClick={csv}>
        {t.csv}
      </Button>
      <Button size="sm" variant="outline" icon={<FileIcon />} onClick={() => setOpen(true)}>
        {t.statement}
      </Button>
      <Modal open={open} onClose={() => setOpen(false)} title={t.title}>
        <StatementForm onDone={() => setOpen(false)} />
      </Modal>
    </Flex>
  );
}

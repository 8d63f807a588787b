import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { exportMovements, type Filters, getStatement } from "@/api/records";
import { lagosDay } from "@/lib/dates";
import { keepFile } from "@/lib/files";
import { paths } from "@/lib/paths";
import { report } from "@/store/report";
import { useSubmit } from "@/store/useSubmit";
import { Button, LinkButton } from "@/ui/Button";
import { TextField } from "@/ui/form/fields";
import { DownloadIcon, FileIcon } from "@/ui/icons";
import { Modal } from "@/ui/overlays";
import { toast } from "@/ui/toaster";
import { filterTexts, exportTexts as t } from "../texts";

function StatementForm({ onDone }: { onDone: () => void }) {
  const today = lagosDay();
  const form = useForm({ defaultValues: { from: `${today.slice(0, 8)}01`, to: today } });
  const { register, formState, watch } = form;
  const upsideDown = watch("from") > watch("to");
  const submit = useSubmit(form, {
    send: ({ from, to }) => getStatement(from, to),
    onDone: (statement, { from, to }) => {
      keepFile(statement, t.file(from, to));
      toast.success(t.done);
      onDone();
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        <chakra.p color="fg.muted">{t.lead}</chakra.p>
        <TextField label={t.from} type="date" max={today} {...register("from", { required: true })} />
        <TextField
          label={t.to}
          type="date"
          max={today}
          error={upsideDown ? filterTexts.order : undefined}
          {...register("to", { required: true, validate: (to, { from }) => from <= to })}
        />
        <Box textStyle="body" color="fg.muted">
          <p>{t.code}</p>
          <LinkButton variant="link" to={paths.verifyStatement()}>
            {t.verify}
          </LinkButton>
        </Box>
        <Button type="submit" size="lg" fullWidth loading={formState.isSubmitting}>
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
    await exportMovements(filters).then((csv) => keepFile(csv, t.csvFile), report);
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

import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { exportAccount } from "@/api/security";
import { keepFile } from "@/lib/files";
import { report } from "@/store/report";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { securityTexts } from "../texts";

const t = securityTexts.data;

export function MyData() {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      keepFile(await exportAccount(), t.file);
    } catch (error) {
      report(error);
    }
    setBusy(false);
  };
  return (
    <Card title={t.title}>
      <Stack gap="4" align="flex-start">
        <chakra.p color="fg.muted">{t.lead}</chakra.p>
        <Button variant="outline" loading={busy} onClick={download}>
          {t.export}
        </Button>
      </Stack>
    </Card>
  );
}

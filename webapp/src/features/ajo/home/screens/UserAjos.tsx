import { Box, chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import type { AjoRow } from "@/api/schema.gen";
import { paths } from "@/lib/paths";
import { ajoWords } from "@/lib/texts/ajo";
import { myAjosSource } from "@/store/ajoSources";
import { LinkButton } from "@/ui/Button";
import { PageHead } from "@/ui/Card";
import { SelectField } from "@/ui/form/fields";
import { BackLink } from "@/ui/frame";
import { AjoList, Tiles } from "../parts/AjoList";
import { Start } from "../parts/Start";
import { mineTexts as t } from "../texts";

type Status = AjoRow["status"];
const statuses = Object.entries(ajoWords.status) as [Status, string][];

function ByStatus({ ajos }: { ajos: AjoRow[] }) {
  const [status, setStatus] = useState<Status | "">("");
  const shown = ajos.filter((ajo) => !status || ajo.status === status);
  return (
    <Stack gap="4">
      <Box maxWidth="form">
        <SelectField label={t.status} value={status} onChange={(event) => setStatus(event.target.value as Status | "")}>
          <option value="">{t.every}</option>
          {statuses.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </SelectField>
      </Box>
      {shown.length === 0 && <chakra.p color="fg.muted">{t.noneHere}</chakra.p>}
      <Tiles ajos={shown} />
    </Stack>
  );
}

/** One's own ajo, those that ended too. */
export function UserAjos() {
  return (
    <Box>
      <title>{`${t.title} · Adashi`}</title>
      <BackLink to={paths.ajoGroups}>{ajoWords.toGroups}</BackLink>
      <PageHead title={t.title} detail={t.lead} action={<Start />} />
      <AjoList
        source={myAjosSource}
        none={{
          title: t.noneTitle,
          text: t.none,
          action: <LinkButton to={paths.ajoGroups}>{ajoWords.toGroups}</LinkButton>,
        }}
      >
        {(ajos) => <ByStatus ajos={ajos} />}
      </AjoList>
    </Box>
  );
}

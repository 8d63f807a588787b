import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useDeferredValue, useState } from "react";
import type { AjoRow } from "@/api/schema.gen";
import { folded } from "@/lib/letters";
import { paths } from "@/lib/paths";
import { availableAjosSource } from "@/store/ajoSources";
import { LinkButton } from "@/ui/Button";
import { PageHead } from "@/ui/Card";
import { TextField } from "@/ui/form/fields";
import { AjoList, Tiles } from "../parts/AjoList";
import { Start } from "../parts/Start";
import { listTexts as t } from "../texts";

const places = [
  [paths.userAjos, t.mine],
  [paths.myAjo, t.dues],
  [paths.ajoCards, t.cards],
  [paths.ajoTransactions, t.history],
] as const;

function Found({ ajos }: { ajos: AjoRow[] }) {
  const [words, setWords] = useState("");
  const sought = folded(useDeferredValue(words).trim());
  const found = ajos.filter(({ name }) => folded(name).includes(sought));
  return (
    <Stack gap="4">
      <Box as="search" maxWidth="form">
        <TextField
          label={t.search}
          type="search"
          autoComplete="off"
          maxLength={100}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </Box>
      <chakra.p role="status" textStyle="small" color="fg.muted">
        {found.length === 0 ? t.noneFound : t.found(found.length)}
      </chakra.p>
      <Tiles ajos={found} />
    </Stack>
  );
}

/** What takes members, and one's own. */
export function AjoGroups() {
  return (
    <Box>
      <title>{`${t.title} · Adashi`}</title>
      <PageHead title={t.title} detail={t.lead} action={<Start />} />
      <Flex gap="2" wrap="wrap" mb="5">
        {places.map(([to, name]) => (
          <LinkButton key={to} to={to} variant="outline" size="sm">
            {name}
          </LinkButton>
        ))}
      </Flex>
      <AjoList
        source={availableAjosSource()}
        none={{ title: t.noneTitle, text: t.none, action: <LinkButton to={paths.createAjo}>{t.start}</LinkButton> }}
      >
        {(ajos) => <Found ajos={ajos} />}
      </AjoList>
    </Box>
  );
}

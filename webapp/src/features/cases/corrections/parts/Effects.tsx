import { chakra, Stack } from "@chakra-ui/react";
import type { CorrectionEvent } from "@/api/schema.gen";
import { Note } from "@/ui/bits";
import { Naira } from "@/ui/money/Naira";
import { correctionTexts as t } from "../texts";

const cell = { py: "1.5", borderTopWidth: "1px", borderColor: "border", verticalAlign: "top" } as const;

function Effect({ effect: { title, entries } }: { effect: CorrectionEvent }) {
  return (
    <chakra.li bg="bg.muted" borderRadius="md" px="4" py="3" textStyle="body">
      <chakra.p fontWeight="600">{title}</chakra.p>
      {entries.length === 0 ? (
        <chakra.p textStyle="small" color="fg.muted">
          {t.movesNothing}
        </chakra.p>
      ) : (
        <chakra.table width="full" aria-label={`${t.moves}: ${title}`} css={{ borderCollapse: "collapse" }} mt="1">
          <tbody>
            {entries.map(({ account, label, amount }) => (
              <tr key={account}>
                <chakra.th {...cell} scope="row" textAlign="start" fontWeight="400" overflowWrap="anywhere">
                  {label}
                </chakra.th>
                <chakra.td {...cell} textAlign="end" ps="2" fontWeight="600">
                  <Naira amount={amount} />
                </chakra.td>
              </tr>
            ))}
          </tbody>
        </chakra.table>
      )}
    </chakra.li>
  );
}

/** The entries that a correction would make now, or why it would be refused. */
export function Effects({ events, refused }: { events: CorrectionEvent[]; refused?: string }) {
  if (refused) {
    return (
      <Note tone="danger" live>
        {t.refused(refused)}
      </Note>
    );
  }
  return (
    <Stack gap="2">
      <chakra.h3 textStyle="label">{t.would}</chakra.h3>
      <chakra.ol listStyleType="none" display="flex" flexDirection="column" gap="2" data-effects>
        {events.map((effect, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the entries of one preview never change places
          <Effect key={at} effect={effect} />
        ))}
      </chakra.ol>
    </Stack>
  );
}

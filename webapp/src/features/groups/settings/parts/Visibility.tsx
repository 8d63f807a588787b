import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { setSearchView, showGroupTotal, showSubAccountTotal } from "@/api/groups";
import type { Group, SearchView } from "@/api/schema.gen";
import { isOwner, useAct, useSubAccounts } from "@/features/groups/frame";
import { Button } from "@/ui/Button";
import { Badge } from "@/ui/bits";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton } from "@/ui/Skeletons";
import { settingsTexts } from "../texts";
import { SettingsSection } from "./SettingsSection";

const t = settingsTexts.visibility;
const outside = settingsTexts.outside;

interface RowProps {
  name: string;
  shown: boolean;
  words?: typeof t | typeof outside;
  act: ReturnType<typeof useAct>["act"];
  busy?: string;
  /** Names the deed; absent where this viewer may not. */
  deed?: string;
  send: (key: string, show: boolean) => ReturnType<typeof showGroupTotal>;
}

/** One thing to see, and who sees it. */
function Row({ name, shown, words = t, act, busy, deed, send }: RowProps) {
  const wanted = `${deed}:${!shown}`;
  return (
    <Flex justify="space-between" align="center" gap="3" py="3" data-total-of={name}>
      <Box minWidth="0" flex="1">
        <chakra.p textStyle="body" fontWeight="600" overflowWrap="anywhere" mb="1">
          {name}
        </chakra.p>
        <Badge tone={shown ? "success" : "warning"}>{shown ? words.shown : words.hidden}</Badge>
      </Box>
      {deed && (
        <Button
          variant="outline"
          aria-label={shown ? words.hideIt(name) : words.showIt(name)}
          loading={busy === wanted}
          disabled={busy !== undefined}
          onClick={() => act(wanted, (key) => send(key, !shown))}
        >
          {shown ? words.hide : words.show}
        </Button>
      )}
    </Flex>
  );
}

/** The owner decides which totals members see. */
export function Visibility({ group }: { group: Group }) {
  const { list, load } = useSubAccounts(group.id);
  const { busy, act } = useAct(group.id);
  const may = isOwner(group);
  return (
    <SettingsSection id="visibility" title={t.title} lead={may ? t.lead : t.readOnly}>
      <Stack gap="0" divideY="1px" divideColor="border">
        <Row
          name={t.group}
          shown={group.showTotalBalance}
          act={act}
          busy={busy}
          deed={may ? `total:${group.id}` : undefined}
          send={(key, show) => showGroupTotal(key, group.id, show)}
        />
        <Loaded remote={list} skeleton={<ListSkeleton rows={2} />} onRetry={load}>
          {({ SubAccounts }) =>
            SubAccounts.length === 0 ? (
              <chakra.p textStyle="small" color="fg.muted" pt="3">
                {t.none}
              </chakra.p>
            ) : (
              SubAccounts.map((sub) => (
                <Row
                  key={sub.id}
                  name={sub.name}
                  shown={sub.showTotalToMembers}
                  act={act}
                  busy={busy}
                  deed={may ? `total:${sub.id}` : undefined}
                  send={(key, show) => showSubAccountTotal(key, sub.id, show)}
                />
              ))
            )
          }
        </Loaded>
      </Stack>
    </SettingsSection>
  );
}

const atFirst: SearchView = { findable: true, showTerms: true, showTotals: false };

/** The owner decides what search shows to people outside the group. */
export function Outside({ group }: { group: Group }) {
  const { busy, act } = useAct(group.id);
  const may = isOwner(group);
  const view = group.searchView ?? atFirst;
  const parts: (keyof SearchView)[] = view.findable ? ["findable", "showTerms", "showTotals"] : ["findable"];
  return (
    <SettingsSection id="outside" title={outside.title} lead={may ? outside.lead : outside.readOnly}>
      <Stack gap="0" divideY="1px" divideColor="border">
        {parts.map((part) => (
          <Row
            key={part}
            name={outside.parts[part]}
            shown={view[part]}
            words={outside}
            act={act}
            busy={busy}
            deed={may ? `outside:${group.id}:${part}` : undefined}
            send={(key, show) => setSearchView(key, group.id, { ...view, [part]: show })}
          />
        ))}
      </Stack>
      {view.showTotals && !group.showTotalBalance && (
        <chakra.p textStyle="small" color="fg.muted" pt="3">
          {outside.alsoHidden}
        </chakra.p>
      )}
    </SettingsSection>
  );
}

import { chakra, Stack } from "@chakra-ui/react";
import type { Replay, ReplayAccount, ReplayState } from "@/api/schema.gen";
import { CollapsibleList } from "@/ui/CollapsibleList";
import { Naira } from "@/ui/money/Naira";
import { machineTexts as t } from "../texts";

const FIRST_ACCOUNTS = 12;
const FIRST_STATES = 6;

function Account({ account: { account, label, balance } }: { account: ReplayAccount }) {
  return (
    <chakra.div
      display="flex"
      flexWrap="wrap"
      justifyContent="space-between"
      alignItems="baseline"
      columnGap="4"
      py="2.5"
      data-account={account}
    >
      <chakra.span textStyle="body" color="fg.muted" minWidth="0" overflowWrap="anywhere">
        {label}
      </chakra.span>
      <chakra.span textStyle="figure" ms="auto" color={balance === 0 ? "fg.muted" : undefined}>
        <Naira amount={balance} />
      </chakra.span>
    </chakra.div>
  );
}

/** The accounts of a subject with what they held. */
export function Accounts({ accounts }: Pick<Replay, "accounts">) {
  if (accounts.length === 0) return <chakra.p color="fg.muted">{t.noFigures}</chakra.p>;
  return (
    <CollapsibleList items={accounts} first={FIRST_ACCOUNTS}>
      {(account) => <Account key={account.account} account={account} />}
    </CollapsibleList>
  );
}

/** JSON in a block of its own, which scrolls by key too. */
export function Raw({ label, text }: { label: string; text: string }) {
  return (
    <chakra.pre
      tabIndex={0}
      role="region"
      aria-label={t.raw(label)}
      fontFamily="mono"
      fontSize="xs"
      bg="bg.muted"
      borderRadius="md"
      px="3"
      py="2.5"
      maxHeight="20rem"
      overflow="auto"
    >
      {text}
    </chakra.pre>
  );
}

function State({ state: { label, version, state } }: { state: ReplayState }) {
  return (
    <chakra.details>
      <chakra.summary minHeight="11" py="2.5" cursor="pointer" textStyle="body" overflowWrap="anywhere">
        {label}, {t.version(version)}
      </chakra.summary>
      <Raw label={label} text={state} />
    </chakra.details>
  );
}

/** What the ledger's rules knew of a subject. */
export function States({ states, more }: Pick<Replay, "states" | "more">) {
  if (states.length === 0) return null;
  return (
    <Stack gap="2">
      <chakra.h3 textStyle="label">{t.states}</chakra.h3>
      <CollapsibleList items={states} first={FIRST_STATES}>
        {(state) => <State key={state.stream} state={state} />}
      </CollapsibleList>
      {more !== undefined && (
        <chakra.p textStyle="small" color="fg.muted">
          {t.more(more)}
        </chakra.p>
      )}
    </Stack>
  );
}

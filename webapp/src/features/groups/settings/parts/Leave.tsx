import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useNavigate } from "react-router";
import { getLeaving, leaveGroup } from "@/api/groups";
import type { Group, Leaving } from "@/api/schema.gen";
import { useAct } from "@/features/groups/frame";
import { formatNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { groupsSource, ofGroup } from "@/store/sources";
import { useStore } from "@/store/store";
import { useRead } from "@/store/useRead";
import { Button, LinkButton } from "@/ui/Button";
import { Facts, Note } from "@/ui/bits";
import { Confirm } from "@/ui/Confirm";
import { Switch } from "@/ui/form/fields";
import { Loaded } from "@/ui/Loaded";
import { Naira } from "@/ui/money/Naira";
import { Modal } from "@/ui/overlays";
import { ListSkeleton } from "@/ui/Skeletons";
import { settingsTexts } from "../texts";
import { SettingsSection } from "./SettingsSection";

const t = settingsTexts.leave;

function Account({ leaving }: { leaving: Leaving }) {
  const { owed, saved, held, subAccounts } = leaving;
  return (
    <Stack gap="4">
      <Facts
        rows={[
          [t.owed, <Naira key="owed" amount={owed} />],
          [t.saved, <Naira key="saved" amount={saved} />],
          ...(held > 0 ? [[t.held, <Naira key="held" amount={held} />] as [string, React.ReactNode]] : []),
        ]}
      />
      {subAccounts.length > 1 && (
        <chakra.table width="full" textStyle="body" css={{ borderCollapse: "collapse" }}>
          <thead>
            <tr>
              <chakra.th scope="col" textAlign="start" textStyle="small" color="fg.muted">
                {t.perSub}
              </chakra.th>
              {[t.owed, t.saved].map((name) => (
                <chakra.th key={name} scope="col" textAlign="end" textStyle="small" color="fg.muted">
                  {name}
                </chakra.th>
              ))}
            </tr>
          </thead>
          <tbody>
            {subAccounts.map((sub) => (
              <chakra.tr key={sub.id} borderTopWidth="1px" borderColor="border">
                <chakra.th scope="row" textAlign="start" fontWeight="500" py="2" overflowWrap="anywhere">
                  {sub.name}
                </chakra.th>
                {[sub.owed, sub.saved].map((amount, at) => (
                  <chakra.td key={at === 0 ? t.owed : t.saved} textAlign="end">
                    <Naira amount={amount} />
                  </chakra.td>
                ))}
              </chakra.tr>
            ))}
          </tbody>
        </chakra.table>
      )}
    </Stack>
  );
}

interface ForfeitProps {
  saved: number;
  group: Group;
  onClose: () => void;
  onYes: (saved: number) => Promise<boolean>;
}

/** Giving up money is said in its amount, and ticked before the button works: another amount is ticked again. */
function Forfeit({ saved, group, onClose, onYes }: ForfeitProps) {
  const [agreed, setAgreed] = useState<number>();
  const [busy, setBusy] = useState(false);
  const amount = formatNaira(saved);
  const go = async () => {
    setBusy(true);
    await onYes(saved);
    setBusy(false);
  };
  return (
    <Modal
      open
      onClose={onClose}
      title={t.forfeitTitle(amount)}
      footer={
        <>
          <Button variant="outline" disabled={busy} onClick={onClose}>
            {t.stay}
          </Button>
          <Button variant="danger" disabled={agreed !== saved} loading={busy} onClick={go}>
            {t.forfeit}
          </Button>
        </>
      }
    >
      <Stack gap="4">
        <Note tone="danger">{t.forfeitText(amount, group.name)}</Note>
        <Switch
          label={t.forfeitTick(amount)}
          checked={agreed === saved}
          disabled={busy}
          onChange={(event) => setAgreed(event.target.checked ? saved : undefined)}
        />
      </Stack>
    </Modal>
  );
}

function Ways({ group, leaving }: { group: Group; leaving: Leaving }) {
  const { act } = useAct(group.id, true);
  const navigate = useNavigate();
  const load = useStore((state) => state.load);
  const [asked, setAsked] = useState<"leave" | "forfeit">();
  const { mayLeave, mayForfeit, saved } = leaving;
  const leave = async (given?: number) => {
    const done = await act(`leave:${group.id}`, (key) => leaveGroup(key, group.id, given !== undefined, given), given);
    if (!done) return false;
    void load(groupsSource);
    navigate(paths.savings, { replace: true });
    return true;
  };
  return (
    <Flex gap="3" wrap="wrap">
      {saved > 0 && <LinkButton to={paths.liquidations(group.id)}>{t.ask}</LinkButton>}
      {mayLeave && (
        <Button variant="danger" onClick={() => setAsked("leave")}>
          {t.leave}
        </Button>
      )}
      {mayForfeit && saved > 0 && (
        <Button variant="danger" onClick={() => setAsked("forfeit")}>
          {t.forfeit}
        </Button>
      )}
      <Confirm
        open={asked === "leave"}
        title={t.sureTitle}
        yes={t.leave}
        no={t.stay}
        danger
        onClose={() => setAsked(undefined)}
        onYes={() => leave()}
      >
        {t.sureText}
      </Confirm>
      {asked === "forfeit" && <Forfeit saved={saved} group={group} onClose={() => setAsked(undefined)} onYes={leave} />}
    </Flex>
  );
}

/** Dues and savings of a member who leaves, the obstacles, and the button to leave. */
export function Leave({ group }: { group: Group }) {
  const { remote, load } = useRead({
    ...ofGroup(group.id),
    key: `leaving:${group.id}`,
    read: () => getLeaving(group.id),
  });
  return (
    <SettingsSection id="leave" title={t.title} lead={t.lead}>
      <Loaded remote={remote} skeleton={<ListSkeleton rows={2} />} onRetry={load}>
        {(leaving) => (
          <Stack gap="5">
            <Account leaving={leaving} />
            {leaving.reasons.length > 0 && (
              <Note tone="warning" title={t.blocks}>
                <chakra.ul ps="5" mt="1">
                  {leaving.reasons.map((words) => (
                    <li key={words}>{words}</li>
                  ))}
                </chakra.ul>
              </Note>
            )}
            <Ways group={group} leaving={leaving} />
          </Stack>
        )}
      </Loaded>
    </SettingsSection>
  );
}

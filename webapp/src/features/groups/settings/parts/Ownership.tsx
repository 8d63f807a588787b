import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { answerOwnership, offerOwnership, proposeSuccession, voteSuccession } from "@/api/groups";
import type { Group, GroupDetails, Member } from "@/api/schema.gen";
import { isOwner, mayApprove, useAct } from "@/features/groups/frame";
import { shortDay } from "@/lib/dates";
import { fullName } from "@/lib/person";
import { useStore } from "@/store/store";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Changed, Confirm, useSeen } from "@/ui/Confirm";
import { Choice } from "@/ui/form/Choice";
import { settingsTexts } from "../texts";
import { SettingsSection } from "./SettingsSection";

const t = settingsTexts.ownership;
const vote = settingsTexts.succession;

interface PartProps {
  group: Group;
  details: GroupDetails;
}

const approversOf = ({ officials }: GroupDetails) => officials.filter(({ role }) => role === "APPROVER");

const asOptions = (members: Member[]) => members.map((member) => ({ value: member.userId, title: fullName(member) }));

function nameOf(details: GroupDetails, id: string | undefined): string {
  const member = details.officials.find(({ userId }) => userId === id);
  return member ? fullName(member) : "";
}

/** The owner offers the group to one of the approvers. */
function Offer({ group, details }: PartProps) {
  const { act } = useAct(group.id);
  const approvers = approversOf(details);
  const [chosen, setChosen] = useState<string>();
  const [sure, setSure] = useState(false);
  if (approvers.length === 0) return <chakra.p textStyle="body">{t.nobody}</chakra.p>;
  const to = chosen ?? approvers[0]?.userId ?? "";
  return (
    <Stack gap="4" align="flex-start">
      <Choice legend={t.choose} name="heir" value={to} options={asOptions(approvers)} onChange={setChosen} />
      <Button variant="outline" onClick={() => setSure(true)}>
        {t.offer}
      </Button>
      <Confirm
        open={sure}
        title={t.sureTitle(nameOf(details, to))}
        yes={t.offer}
        no={t.keep}
        onClose={() => setSure(false)}
        onYes={async () =>
          (await act(`offer:${group.id}:${to}`, (key) => offerOwnership(key, group.id, to))) !== undefined
        }
      >
        {t.sureText}
      </Confirm>
    </Stack>
  );
}

/** The one it is offered to answers; the owner can take it back. */
function Offered({ group, details }: PartProps) {
  const own = useStore((state) => state.session?.id);
  const { busy, act } = useAct(group.id);
  const [sure, setSure] = useState(false);
  const { saw, changed, look, done } = useSeen(details, ({ ownershipOffer }) => ownershipOffer);
  const deed = (accept: boolean) => `ownership:${group.id}:${saw.ownershipOffer}:${accept}`;
  const close = () => {
    setSure(false);
    done();
  };
  const answer = async (accept: boolean) =>
    (await act(deed(accept), (key) => answerOwnership(key, group.id, accept, saw.ownershipOffer))) !== undefined;
  const toMe = details.ownershipOfferedTo === own;
  if (!toMe && !isOwner(group)) return null;
  return (
    <Stack gap="4" align="flex-start">
      <Note>{toMe ? t.toYou : t.offered(nameOf(details, details.ownershipOfferedTo))}</Note>
      <Flex gap="3" wrap="wrap">
        {toMe && (
          <Button
            disabled={busy !== undefined}
            onClick={() => {
              look();
              setSure(true);
            }}
          >
            {t.accept}
          </Button>
        )}
        <Button
          variant="outline"
          loading={busy === deed(false)}
          disabled={busy !== undefined}
          onClick={() => answer(false)}
        >
          {toMe ? t.decline : t.withdraw}
        </Button>
      </Flex>
      <Confirm open={sure} title={t.acceptTitle} yes={t.accept} no={t.keep} onClose={close} onYes={() => answer(true)}>
        {t.acceptText}
        {changed && (
          <Changed
            saw={t.offered(nameOf(details, saw.ownershipOfferedTo))}
            now={t.offered(nameOf(details, details.ownershipOfferedTo))}
          />
        )}
      </Confirm>
    </Stack>
  );
}

/** Who takes over from an owner who is away: proposed, and voted on. */
function Vote({ group, details, succession }: PartProps & { succession: NonNullable<GroupDetails["succession"]> }) {
  const { busy, act } = useAct(group.id);
  const { version, candidateId, candidateName, votes, needed, voted } = succession;
  // The validator has a vote where there is but one approver besides the owner.
  const may = mayApprove(group) || (group.role === "VALIDATOR" && approversOf(details).length === 1);
  const deed = (agrees: boolean) => `vote:${group.id}:${version}:${agrees}`;
  /** The vote that the person last voted in, which another may have taken the place of. */
  const { saw, changed, look } = useSeen(succession, (shown) => shown.version);
  return (
    <Stack gap="3" align="flex-start">
      <chakra.p textStyle="body">{vote.votes(candidateName, votes, needed)}</chakra.p>
      {changed && !voted && (
        <Changed
          saw={vote.votes(saw.candidateName, saw.votes, saw.needed)}
          now={vote.votes(candidateName, votes, needed)}
        />
      )}
      {voted && (
        <chakra.p textStyle="small" color="fg.muted">
          {vote.voted}
        </chakra.p>
      )}
      {may && !voted && !isOwner(group) && (
        <Flex gap="3" wrap="wrap">
          {[true, false].map((agrees) => (
            <Button
              key={String(agrees)}
              variant={agrees ? "primary" : "outline"}
              loading={busy === deed(agrees)}
              disabled={busy !== undefined}
              onClick={() => {
                look();
                void act(deed(agrees), (key) => voteSuccession(key, group.id, { candidateId, seen: version, agrees }));
              }}
            >
              {agrees ? vote.agree : vote.disagree}
            </Button>
          ))}
        </Flex>
      )}
    </Stack>
  );
}

function Propose({ group, details }: PartProps) {
  const { busy, act } = useAct(group.id);
  const approvers = approversOf(details);
  const [chosen, setChosen] = useState<string>();
  const whom = chosen ?? approvers[0]?.userId ?? "";
  return (
    <Stack gap="4" align="flex-start">
      <Choice legend={vote.choose} name="successor" value={whom} options={asOptions(approvers)} onChange={setChosen} />
      <Button
        loading={busy !== undefined}
        onClick={() => act(`propose:${group.id}:${whom}`, (key) => proposeSuccession(key, group.id, whom))}
      >
        {vote.propose}
      </Button>
    </Stack>
  );
}

/** Where an owner is away for long, the approvers see to it that there is one. */
export function Succession({ group, details }: PartProps) {
  const { ownerAwaySince, succession } = details;
  const mayPropose = ownerAwaySince && !succession && mayApprove(group) && !isOwner(group);
  if (!succession && !mayPropose) return null;
  return (
    <SettingsSection
      id="succession"
      title={vote.title}
      lead={[ownerAwaySince && vote.away(shortDay(ownerAwaySince)), vote.ends].filter(Boolean).join(" ")}
    >
      {succession ? (
        <Vote group={group} details={details} succession={succession} />
      ) : (
        <Propose group={group} details={details} />
      )}
    </SettingsSection>
  );
}

/** The group passes to another, who must want it. */
export function Ownership({ group, details }: PartProps) {
  return (
    <SettingsSection id="ownership" title={t.title} lead={t.lead}>
      {details.ownershipOfferedTo ? (
        <Offered group={group} details={details} />
      ) : isOwner(group) ? (
        <Offer group={group} details={details} />
      ) : (
        <chakra.p textStyle="body" color="fg.muted">
          {t.none}
        </chakra.p>
      )}
    </SettingsSection>
  );
}

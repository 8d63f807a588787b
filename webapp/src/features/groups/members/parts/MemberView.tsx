import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import type { Group, Member } from "@/api/schema.gen";
import { groupTexts, isOwner, mayApprove } from "@/features/groups/frame";
import { shortDay } from "@/lib/dates";
import { hasEnded, neverRan } from "@/lib/groups";
import { fullName } from "@/lib/person";
import { useStore } from "@/store/store";
import { usePicture } from "@/store/usePicture";
import { Button } from "@/ui/Button";
import { Facts } from "@/ui/bits";
import { Confirm } from "@/ui/Confirm";
import { ReasonForm } from "@/ui/form/Reason";
import { Naira } from "@/ui/money/Naira";
import { Modal } from "@/ui/overlays";
import { Avatar } from "@/ui/Person";
import { Steps } from "@/ui/Steps";
import { memberTexts as t } from "../texts";
import { StatusBadge } from "./MemberRow";
import { useMemberActs } from "./useMemberActs";

type Offered = "approve" | "reject" | "deactivate" | "validator" | "approver" | "notApprover" | "stepDown";

/** This viewer's actions on this member. */
function offered(group: Group, member: Member, own: string | undefined): Offered[] {
  const self = member.userId === own;
  const approver = mayApprove(group) && !hasEnded(group);
  const deeds: [Offered, boolean][] = [
    ["approve", approver && !self && (member.status === "PENDING" || member.status === "INACTIVE")],
    ["reject", approver && !self && member.status === "PENDING"],
    [
      "validator",
      mayApprove(group) && !neverRan(group) && member.status === "ACTIVE" && member.role === "MEMBER" && !self,
    ],
    ["approver", isOwner(group) && member.status === "ACTIVE" && member.role === "MEMBER"],
    ["notApprover", isOwner(group) && member.role === "APPROVER" && !self],
    ["stepDown", self && member.role === "APPROVER"],
    ["deactivate", approver && !self && member.status === "ACTIVE" && member.role !== "OWNER"],
  ];
  return deeds.filter(([, may]) => may).map(([deed]) => deed);
}

const sure = {
  validator: { title: t.validatorTitle, text: t.validatorText, yes: t.make.validator },
  approver: { title: t.approverTitle, text: t.approverText, yes: t.make.approver },
  notApprover: { title: t.notApproverTitle, text: t.notApproverText, yes: t.make.notApprover },
  stepDown: { title: () => t.stepDownTitle, text: t.stepDownText, yes: t.make.stepDown },
} as const;

function words(deed: Offered, member: Member): string {
  if (deed === "approve") return member.status === "INACTIVE" ? t.acts.REACTIVATE : t.acts.APPROVE;
  if (deed === "reject") return t.acts.REJECT;
  if (deed === "deactivate") return t.acts.DEACTIVATE;
  return sure[deed].yes;
}

interface ActsProps {
  group: Group;
  member: Member;
  onDone: () => void;
}

interface Asking {
  asked: Exclude<Offered, "approve"> | undefined;
  onAsk: (deed: Asking["asked"]) => void;
}

function Deeds({ group, member, asked, onAsk, onDone }: ActsProps & Asking) {
  const own = useStore((state) => state.session?.id);
  const acts = useMemberActs(group.id, member.userId);
  const deeds = offered(group, member, own);
  const then = (done: boolean) => {
    if (done) onDone();
    return done;
  };
  if (asked === "reject" || asked === "deactivate") {
    const kind = asked === "reject" ? "REJECT" : "DEACTIVATE";
    return (
      <ReasonForm
        label={t.reason}
        fault={t.reasonFault}
        yes={t.acts[kind]}
        no={t.keep}
        variant="danger"
        onClose={() => onAsk(undefined)}
        onYes={async (reason) => then(await acts[asked](reason))}
      >
        {t.sure[kind].text}
      </ReasonForm>
    );
  }
  const doIt = {
    validator: acts.makeValidator,
    approver: acts.makeApprover,
    notApprover: acts.removeApprover,
    stepDown: acts.removeApprover,
  };
  return (
    <>
      <Flex gap="3" wrap="wrap">
        {deeds.map((deed, at) => (
          <Button
            key={deed}
            variant={deed === "deactivate" || deed === "reject" ? "danger" : at === 0 ? "primary" : "outline"}
            loading={acts.busy === deed}
            disabled={acts.busy !== undefined}
            onClick={async () => {
              if (deed === "approve") then(await acts.approve());
              else onAsk(deed);
            }}
          >
            {words(deed, member)}
          </Button>
        ))}
      </Flex>
      {asked && (
        <Confirm
          open
          title={sure[asked].title(fullName(member))}
          yes={sure[asked].yes}
          no={t.keep}
          onClose={() => onAsk(undefined)}
          onYes={async () => then(await doIt[asked]())}
        >
          {sure[asked].text}
        </Confirm>
      )}
    </>
  );
}

function Acts(props: ActsProps) {
  const [asked, setAsked] = useState<Asking["asked"]>();
  return (
    <Steps at={asked === "reject" || asked === "deactivate" ? asked : ""}>
      <Deeds {...props} asked={asked} onAsk={setAsked} />
    </Steps>
  );
}

/** Who a member is to the group, and what this viewer may do with them. */
export function MemberView({ group, member, onClose }: { group: Group; member: Member; onClose: () => void }) {
  const own = useStore((state) => state.session?.id);
  const picture = usePicture(member.avatar);
  const name = fullName(member);
  return (
    <Modal open onClose={onClose} title={name}>
      <Stack gap="5">
        <Flex align="center" gap="4">
          <Avatar id={member.userId} name={name} size="4rem" ticked={member.paidThisMonth} picture={picture} />
          <Stack gap="1" align="flex-start">
            <StatusBadge status={member.status} />
            {member.userId === own && <chakra.span textStyle="small">{t.you}</chakra.span>}
          </Stack>
        </Flex>
        <Facts
          rows={[
            [t.role, groupTexts.roles[member.role]],
            ...(member.dateJoined ? [[t.joined, shortDay(member.dateJoined)] as [string, string]] : []),
            ...(member.totalSavings === undefined
              ? []
              : [[t.saved, <Naira key="saved" amount={member.totalSavings} />] as [string, React.ReactNode]]),
            ...(member.status === "ACTIVE"
              ? [[t.month, member.paidThisMonth ? t.paid : t.notPaid] as [string, string]]
              : []),
          ]}
        />
        <Acts group={group} member={member} onDone={onClose} />
      </Stack>
    </Modal>
  );
}

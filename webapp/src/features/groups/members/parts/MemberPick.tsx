import { chakra, Stack } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { getMembers } from "@/api/groups";
import type { Member } from "@/api/schema.gen";
import { groupTexts } from "@/features/groups/frame";
import { fullName } from "@/lib/person";
import { useRead } from "@/store/useRead";
import { Choice } from "@/ui/form/Choice";
import { TextField } from "@/ui/form/fields";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton } from "@/ui/Skeletons";
import { pickTexts as t } from "../texts";

const TYPING_PAUSE_MS = 250;
const SHOWN = 8;

interface MemberPickProps {
  groupId: string;
  /** Whom it makes no sense to choose. */
  without: (member: Member) => boolean;
  value: string | undefined;
  error?: string;
  /** Undefined while another is looked for: nobody is chosen who is not shown. */
  onChange: (memberId: string | undefined) => void;
}

/** One of a group's active members, however many there are: the server finds them by name. */
export function MemberPick({ groupId, without, value, error, onChange }: MemberPickProps) {
  const [typed, setTyped] = useState("");
  const [sought, setSought] = useState("");
  useEffect(() => {
    const later = setTimeout(() => setSought(typed.trim()), TYPING_PAUSE_MS);
    return () => clearTimeout(later);
  }, [typed]);
  const filters = { status: "ACTIVE" as const, ...(sought ? { q: sought } : {}) };
  const { remote, load } = useRead({
    key: `memberPick:${groupId}:${JSON.stringify(filters)}`,
    area: "savings",
    read: () => getMembers(groupId, filters),
  });
  return (
    <Stack gap="4">
      <TextField
        label={t.search}
        type="search"
        autoComplete="off"
        maxLength={100}
        placeholder={t.placeholder}
        error={error}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          onChange(undefined);
        }}
      />
      <Loaded remote={remote} skeleton={<ListSkeleton rows={3} />} onRetry={load}>
        {({ members }) => {
          const found = members.filter((member) => !without(member)).slice(0, SHOWN);
          if (found.length === 0) return <chakra.p textStyle="body">{t.none}</chakra.p>;
          return (
            <Choice
              legend={t.legend}
              name="member"
              value={value}
              options={found.map((member) => ({
                value: member.userId,
                title: fullName(member),
                detail: groupTexts.roles[member.role],
              }))}
              onChange={onChange}
            />
          );
        }}
      </Loaded>
    </Stack>
  );
}

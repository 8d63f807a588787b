import type { ReactNode } from "react";
import type { Member } from "@/api/schema.gen";
import { fullName } from "@/lib/person";
import { usePicture } from "@/store/usePicture";
import { Person } from "@/ui/Person";

/** A member with their picture, which only those signed in may read. */
export function MemberAvatar({ member, detail, ticked }: { member: Member; detail?: ReactNode; ticked?: boolean }) {
  const picture = usePicture(member.avatar);
  return <Person id={member.userId} name={fullName(member)} detail={detail} ticked={ticked} picture={picture} />;
}

import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { retryLetters } from "@/api/operator";
import type { Letters } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { isAdmin } from "@/lib/staff";
import { told } from "@/store/reportMoney";
import { useStore } from "@/store/store";
import { Button } from "@/ui/Button";
import { Facts } from "@/ui/bits";
import { Confirm } from "@/ui/Confirm";
import { operatorTexts as t } from "../texts";
import { reloadAll } from "./sources";

function Failed({ letter }: { letter: Letters["last"][number] }) {
  const { about, reason, attempts, createdAt, nextTry } = letter;
  return (
    <chakra.li
      py="3"
      borderTopWidth="1px"
      borderColor="border"
      _first={{ borderTopWidth: "0", pt: "0" }}
      _last={{ pb: "0" }}
    >
      <chakra.p textStyle="body" overflowWrap="anywhere">
        {reason}
      </chakra.p>
      <chakra.p textStyle="small" color="fg.muted" overflowWrap="anywhere">
        {[about, moment(createdAt), t.mailTries(attempts), nextTry ? t.mailNext(moment(nextTry)) : t.mailNoNext].join(
          " · ",
        )}
      </chakra.p>
    </chakra.li>
  );
}

/** The letters that wait, and those that nobody would take. */
export function Mail({ letters: { inbox, waiting, failed, givenUp, last } }: { letters: Letters }) {
  const admin = useStore((state) => isAdmin(state.session?.roles));
  const [open, setOpen] = useState(false);
  const again = async () => {
    const done = await told(retryLetters());
    void reloadAll();
    return done !== undefined;
  };
  return (
    <Stack gap="4">
      {inbox && <p>{t.mailInboxText}</p>}
      <Facts
        rows={[
          [inbox ? t.mailInbox : t.mailWaiting, t.number(waiting)],
          [t.mailFailed, t.number(failed)],
          [t.mailGivenUp, t.number(givenUp)],
        ]}
      />
      {last.length > 0 && (
        <chakra.ul listStyleType="none">
          {last.map((letter) => (
            <Failed key={`${letter.createdAt} ${letter.reason}`} letter={letter} />
          ))}
        </chakra.ul>
      )}
      {admin && last.length > 0 && (
        <Flex>
          <Button size="sm" onClick={() => setOpen(true)}>
            {t.mailRetry}
          </Button>
        </Flex>
      )}
      {open && (
        <Confirm
          open
          title={t.mailRetrySure.title}
          yes={t.mailRetry}
          no={t.no}
          onClose={() => setOpen(false)}
          onYes={again}
        >
          {t.mailRetrySure.text}
        </Confirm>
      )}
    </Stack>
  );
}

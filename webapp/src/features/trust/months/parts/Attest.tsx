import { chakra, Stack } from "@chakra-ui/react";
import { type ReactNode, useState } from "react";
import { failureText } from "@/api/failure";
import { attestMonth, getMonthDraw } from "@/api/months";
import type { ClosedMonth, MonthDraw, Months } from "@/api/schema.gen";
import { useStore } from "@/store/store";
import { useActs } from "@/store/useCommand";
import { Button } from "@/ui/Button";
import { Facts, Note } from "@/ui/bits";
import { Confirm } from "@/ui/Confirm";
import { deviceKind, isReady, ready, signMonth } from "../device/key";
import { monthsTexts } from "../texts";

const t = monthsTexts.sign;

interface Seen {
  draw?: MonthDraw;
  /** The device signed for this person before. */
  before?: boolean;
  /** Why nothing is signed. */
  wrong?: string;
}

/** Reads how the month stands, and draws its sample again before anything is signed. */
async function read(user: string, id: string, month: string): Promise<Seen> {
  try {
    const { value: draw } = await getMonthDraw(id, month);
    if (draw.attestation?.by !== user || draw.attestation.publicKey) return { wrong: t.nothing };
    const { checkMonth } = await import("../proof/check");
    const wrong = (await checkMonth(draw)).find(({ ok }) => !ok);
    if (wrong) return { wrong: `${t.wrong}. ${wrong.says}` };
    return { draw, before: await isReady(user).catch(() => false) };
  } catch (error) {
    return { wrong: failureText(error) };
  }
}

function factsOf({ attestation: said, positions, sample, always }: MonthDraw): [string, ReactNode][] {
  if (!said) return [];
  const { validated, queried, resolved, takenBack, drawnQueried, alwaysQueried } = said;
  return [
    [t.facts.list, positions.length.toLocaleString("en-NG")],
    [t.facts.drawn, t.of(sample.length - always.length, drawnQueried)],
    [t.facts.always, t.of(always.length, alwaysQueried)],
    [t.facts.marks, monthsTexts.marks(validated, queried, resolved)],
    ...(takenBack > 0 ? [[t.facts.takenBack, takenBack.toLocaleString("en-NG")] as [string, ReactNode]] : []),
  ];
}

function Shown({ seen, unable }: { seen?: Seen; unable: boolean }) {
  if (unable) {
    return (
      <Note tone="danger" live>
        {t.unable}
      </Note>
    );
  }
  if (!seen) return <chakra.p>{t.reading}</chakra.p>;
  if (!seen.draw) {
    return (
      <Note tone="danger" live>
        {seen.wrong}
      </Note>
    );
  }
  return (
    <Stack gap="4" data-statement>
      <chakra.p>{t.lead(deviceKind())}</chakra.p>
      <Facts rows={factsOf(seen.draw)} />
      {!seen.before && <chakra.p textStyle="small">{t.first(deviceKind())}</chakra.p>}
    </Stack>
  );
}

interface AttestProps {
  months: Months;
  month: ClosedMonth;
  onClosed: (next: Months) => void;
}

/** Has this device sign how a month stands, once its sample is looked at. */
export function Attest({ months: { id }, month: { month, label }, onClosed }: AttestProps) {
  const user = useStore((state) => state.session?.id ?? "");
  const { busy, act } = useActs([]);
  const [open, setOpen] = useState(false);
  const [seen, setSeen] = useState<Seen>();
  const [unable, setUnable] = useState(false);
  const look = async () => {
    setSeen(undefined);
    setSeen(await read(user, id, month));
  };
  const sign = async () => {
    const draw = seen?.draw;
    if (!draw) return false;
    const done = await act(`attestMonth:${id}:${month}:${draw.attestation?.position}`, async (key) => {
      const form = await ready(user)
        .then((signing) => signMonth(signing, draw, user))
        .catch((error: unknown) => {
          if (error instanceof DOMException) setUnable(true);
          throw error;
        });
      return attestMonth(key, id, form);
    });
    if (done) onClosed(done.value);
    else await look();
    return done !== undefined;
  };
  return (
    <>
      <Button
        loading={busy !== undefined}
        onClick={() => {
          setOpen(true);
          void look();
        }}
      >
        {monthsTexts.attest(label)}
      </Button>
      <Confirm
        open={open}
        title={t.title(label)}
        yes={t.yes}
        no={t.no}
        ready={!unable && seen?.draw !== undefined}
        onClose={() => setOpen(false)}
        onYes={sign}
      >
        <Shown seen={seen} unable={unable} />
      </Confirm>
    </>
  );
}

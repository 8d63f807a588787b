import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { joinAjo } from "@/api/ajos";
import type { AjoInvitation } from "@/api/schema.gen";
import { commitTo } from "@/lib/draw/secrets";
import { formatNaira } from "@/lib/money";
import { randomHex } from "@/lib/random";
import { errorTexts } from "@/lib/texts/errors";
import { succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { useCommand } from "@/store/useCommand";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { Choice } from "@/ui/form/Choice";
import { Switch } from "@/ui/form/fields";
import { joinTexts as t } from "../texts";

const NONCE_BYTES = 16;

/** Of the seats that one may ask for: any that has not collected. */
const ANY = "any";

/** Which hands are free: any that collects, and by their seats those that have collected. */
function seatsOf({ freeSeats }: AjoInvitation) {
  const spent = freeSeats.flatMap(({ seat, collectedIn }) =>
    collectedIn === undefined
      ? []
      : [{ value: String(seat), title: t.spent(seat, collectedIn), detail: t.spentDetail }],
  );
  const any = { value: ANY, title: t.any, detail: t.anyDetail };
  return freeSeats.length > spent.length ? [any, ...spent] : spent;
}

/** How many halves are free of the hands that were chosen. */
function freeOf({ freeSeats }: AjoInvitation, chosen: string) {
  const those = freeSeats.filter(({ seat, collectedIn }) =>
    chosen === ANY ? collectedIn === undefined : String(seat) === chosen,
  );
  return those.reduce((sum, { halves }) => sum + halves, 0);
}

/** "0.5", "1", "2" … as far as the terms and what is free allow. One that has collected pays and collects nothing. */
function handsOf(ajo: AjoInvitation, chosen: string) {
  const { maxHands, amount } = ajo;
  const most = Math.min(Number(maxHands) * 2, freeOf(ajo, chosen));
  const spent = chosen !== ANY;
  const wholes = Array.from({ length: Math.floor(most / 2) }, (_, at) => {
    const pays = formatNaira(amount * (at + 1));
    return {
      value: String(at + 1),
      title: t.whole(at + 1),
      detail: spent ? t.paysOn(pays) : t.wholeDetail(pays, at + 1),
    };
  });
  const pays = formatNaira(amount / 2);
  const half = { value: "0.5", title: t.half.title, detail: spent ? t.paysOn(pays) : t.half.detail(pays) };
  return most < 1 ? [] : [half, ...wholes];
}

interface JoinFormProps {
  ajo: AjoInvitation;
  code: string;
  onJoined: () => void;
  /** The terms may have changed since they were read. */
  onRefused: () => void;
}

/** How many hands, and the consent to the terms that were read. */
export function JoinForm({ ajo, code, onJoined, onRefused }: JoinFormProps) {
  const session = useStore((state) => state.session);
  const seats = seatsOf(ajo);
  const [seat, setSeat] = useState(seats.find(({ value }) => value === ANY)?.value);
  const options = handsOf(ajo, seat ?? ANY);
  const [nonce] = useState(() => randomHex(NONCE_BYTES));
  const [wanted, setHands] = useState("1");
  const hands = options.some(({ value }) => value === wanted) ? wanted : "0.5";
  const form = useForm({ defaultValues: { accepted: false } });
  const [missed, setMissed] = useState(false);
  const { state, run } = useCommand({ name: `joinAjo:${ajo.id}`, send: joinAjo });
  const submit = useSubmit(form, {
    send: async () => {
      if (seat === undefined) {
        setMissed(true);
        return undefined;
      }
      const { id: ajoId, termsHash, draw, commitmentVersion: version } = ajo;
      const asked = seat === ANY ? {} : { seat: Number(seat) };
      const body = { ajoId, hands, termsHash, nonce, email: session?.email ?? "", ...asked };
      // What could not be kept is not committed to: it could never be opened.
      const committed = draw === "PHONES" ? await commitTo({ ajoId, userId: session?.id ?? "", nonce, version }) : {};
      return run({ ...body, ...(code ? { code } : {}), ...committed });
    },
    onDone: ({ message }) => {
      succeed(message || t.joined);
      onJoined();
    },
    notAnswered: errorTexts.notAnswered.joinAjo,
    onFailed: () => {
      onRefused();
      return false;
    },
    onInvalid: () => setMissed(true),
  });
  const accepted = form.watch("accepted");
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        {seats.some(({ value }) => value !== ANY) && (
          <Choice legend={t.which} name="seat" value={seat} options={seats} onChange={setSeat} />
        )}
        <Choice legend={t.hands} name="hands" value={hands} options={options} onChange={setHands} />
        <Switch label={t.accept} {...form.register("accepted", { required: true })} />
        {missed && (!accepted || seat === undefined) && (
          <chakra.p role="alert" textStyle="small" color="fg.danger" fontWeight="500">
            {seat === undefined ? t.chooseFirst : t.acceptFirst}
          </chakra.p>
        )}
        <Button type="submit" size="lg" fullWidth loading={state === "sending"}>
          {t.join}
        </Button>
      </Stack>
    </form>
  );
}

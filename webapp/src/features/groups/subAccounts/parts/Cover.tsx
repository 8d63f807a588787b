import { chakra, Flex, Stack } from "@chakra-ui/react";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { getCoverable } from "@/api/dues";
import { getMembers } from "@/api/groups";
import type { SubAccount } from "@/api/schema.gen";
import { MemberSearch } from "@/features/groups/frame";
import { amountText, formatNaira, parseAmount, toKobo, toNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { fullName } from "@/lib/person";
import { amountFaults } from "@/lib/texts/money";
import { balancesSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { useRead } from "@/store/useRead";
import { useSubmit } from "@/store/useSubmit";
import { Button, LinkButton } from "@/ui/Button";
import { Facts, Note } from "@/ui/bits";
import { AmountField } from "@/ui/form/fields";
import { HeartIcon } from "@/ui/icons";
import { Loaded } from "@/ui/Loaded";
import { Naira } from "@/ui/money/Naira";
import { OutcomeNote } from "@/ui/money/OutcomeNote";
import { Modal } from "@/ui/overlays";
import { Person } from "@/ui/Person";
import { ListSkeleton } from "@/ui/Skeletons";
import { Steps } from "@/ui/Steps";
import { coverTexts as t } from "../texts";
import { useCovering } from "./useCovering";

/** More of a name are found by typing more of it. */
const AT_MOST = 20;

interface Friend {
  id: string;
  name: string;
}

function Who({ groupId, onChoose }: { groupId: string; onChoose: (friend: Friend) => void }) {
  const own = useStore((state) => state.session?.id);
  const [q, setQ] = useState("");
  const { remote, load } = useRead({
    key: `friends:${groupId}:${q}`,
    area: "savings",
    read: () => getMembers(groupId, { q: q || undefined, status: "ACTIVE" }, undefined, AT_MOST),
  });
  return (
    <Stack gap="4">
      <p>{t.lead}</p>
      <MemberSearch onSearch={setQ} />
      <Loaded remote={remote} skeleton={<ListSkeleton rows={3} />} onRetry={load}>
        {({ members }) => {
          const others = members.filter(({ userId }) => userId !== own);
          if (others.length === 0) return <p>{t.none}</p>;
          return (
            <chakra.ul listStyleType="none" aria-label={t.pick}>
              {others.map((member) => (
                <li key={member.userId}>
                  <chakra.button
                    type="button"
                    display="flex"
                    width="full"
                    minHeight="14"
                    px="2"
                    borderRadius="md"
                    textAlign="start"
                    cursor="pointer"
                    _hover={{ bg: "bg.muted" }}
                    onClick={() => onChoose({ id: member.userId, name: fullName(member) })}
                  >
                    <Person id={member.userId} name={fullName(member)} />
                  </chakra.button>
                </li>
              ))}
            </chakra.ul>
          );
        }}
      </Loaded>
    </Stack>
  );
}

interface HowMuchProps {
  sub: SubAccount;
  friend: Friend;
  amount: number | undefined;
  onReview: (amount: number) => void;
  onBack: () => void;
}

function Balance() {
  const { remote: balances } = useRead(balancesSource);
  if (balances.state === "failed") return "–";
  return balances.state === "ready" ? <Naira amount={balances.value.balance} /> : "…";
}

interface AmountFormProps extends Pick<HowMuchProps, "onReview" | "onBack"> {
  total: number;
  amount: number;
  children: ReactNode;
}

function AmountForm({ total, amount, onReview, onBack, children }: AmountFormProps) {
  const form = useForm({ defaultValues: { amount: amountText(toKobo(amount)) } });
  const fits = (typed: string) => {
    const parsed = parseAmount(typed);
    return "fault" in parsed
      ? amountFaults[parsed.fault]
      : parsed.kobo <= toKobo(total) || t.tooMuch(formatNaira(total));
  };
  const submit = useSubmit(form, {
    onReview: (typed) => {
      const parsed = parseAmount(typed.amount);
      if ("kobo" in parsed) onReview(toNaira(parsed.kobo));
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        {children}
        <AmountField
          label={t.amount}
          error={form.formState.errors.amount?.message}
          {...form.register("amount", { validate: fits })}
        />
        <Facts rows={[[t.wallet, <Balance key="balance" />]]} />
        <Flex gap="3" wrap="wrap">
          <Button variant="outline" onClick={onBack}>
            {t.change}
          </Button>
          <Button type="submit">{t.review}</Button>
        </Flex>
      </Stack>
    </form>
  );
}

function HowMuch({ sub, friend, amount, onReview, onBack }: HowMuchProps) {
  const key = `${sub.id}:${friend.id}`;
  const { remote, load } = useRead({
    key: `coverable:${key}`,
    area: "savings",
    read: () => getCoverable(sub.id, friend.id),
  });
  return (
    <Loaded remote={remote} skeleton={<ListSkeleton rows={2} />} onRetry={load}>
      {({ total, dues }) =>
        total === 0 ? (
          <Stack gap="4">
            <Note>{t.nothing(friend.name)}</Note>
            <Button variant="outline" onClick={onBack}>
              {t.change}
            </Button>
          </Stack>
        ) : (
          <AmountForm total={total} amount={amount ?? total} onReview={onReview} onBack={onBack}>
            <Person
              id={friend.id}
              name={friend.name}
              detail={t.owes(friend.name, formatNaira(total), dues.map(({ label }) => label).join(", "))}
            />
          </AmountForm>
        )
      }
    </Loaded>
  );
}

interface ReviewProps {
  sub: SubAccount;
  friend: Friend;
  amount: number;
  covering: ReturnType<typeof useCovering>;
  onBack: () => void;
}

function Review({ sub, friend, amount, covering, onBack }: ReviewProps) {
  const { state, fault, pay, forget } = covering;
  const sending = state === "sending";
  const back = () => {
    forget();
    onBack();
  };
  return (
    <Stack gap="5">
      <chakra.h3 textStyle="section">{t.reviewTitle}</chakra.h3>
      <chakra.div bg="bg.muted" borderRadius="md" px="4" py="4">
        <Facts
          rows={[
            [t.for, friend.name],
            [t.settles, sub.name],
            [
              t.pays,
              <chakra.span key="amount" fontSize="xl" data-you-pay>
                <Naira amount={amount} />
              </chakra.span>,
            ],
          ]}
        />
      </chakra.div>
      <chakra.p textStyle="body" color="fg.muted">
        {t.gift}
      </chakra.p>
      <OutcomeNote fault={fault} sent={covering} />
      {state !== "unknown" && (
        <Flex gap="3" wrap="wrap">
          <Button variant="outline" disabled={sending} onClick={back}>
            {t.change}
          </Button>
          <Button loading={sending} onClick={() => pay({ subAccountId: sub.id, memberId: friend.id, amount })}>
            {t.pay(formatNaira(amount))}
          </Button>
        </Flex>
      )}
    </Stack>
  );
}

interface InsideProps {
  sub: SubAccount;
  covering: ReturnType<typeof useCovering>;
  friend: Friend | undefined;
  onFriend: (friend: Friend | undefined) => void;
  reviewing: boolean;
  onReview: (reviewing: boolean) => void;
  onClose: () => void;
}

function Step({ sub, covering, friend, onFriend, reviewing, onReview, onClose }: InsideProps) {
  const [amount, setAmount] = useState<number>();
  if (covering.receipt) {
    return (
      <Stack gap="4" role="status">
        <Note tone="success" title={t.doneTitle}>
          {friend && t.done(formatNaira(covering.receipt.amount), friend.name)}
        </Note>
        <Flex gap="3" wrap="wrap">
          <Button onClick={onClose}>{t.close}</Button>
          <LinkButton variant="outline" to={paths.activityDetail(covering.receipt.id)}>
            {t.receipt}
          </LinkButton>
        </Flex>
      </Stack>
    );
  }
  if (covering.state === "unknown" && !reviewing) return <OutcomeNote fault={covering.fault} sent={covering} />;
  if (!friend) {
    return (
      <Stack gap="4">
        <OutcomeNote fault={covering.fault} sent={covering} />
        <Who groupId={sub.groupSavingsId} onChoose={onFriend} />
      </Stack>
    );
  }
  if (reviewing && amount !== undefined) {
    return <Review sub={sub} friend={friend} amount={amount} covering={covering} onBack={() => onReview(false)} />;
  }
  return (
    <HowMuch
      sub={sub}
      friend={friend}
      amount={amount}
      onReview={(next) => {
        setAmount(next);
        onReview(true);
      }}
      onBack={() => {
        setAmount(undefined);
        onFriend(undefined);
      }}
    />
  );
}

function Inside({ sub, onClose }: Pick<InsideProps, "sub" | "onClose">) {
  const [friend, setFriend] = useState<Friend>();
  const [reviewing, setReviewing] = useState(false);
  const covering = useCovering(sub.groupSavingsId);
  const at = !friend ? "who" : covering.receipt ? "done" : reviewing ? "review" : "amount";
  return (
    <Steps at={at}>
      <Step
        sub={sub}
        covering={covering}
        friend={friend}
        onFriend={setFriend}
        reviewing={reviewing}
        onReview={setReviewing}
        onClose={onClose}
      />
    </Steps>
  );
}

/** Pays for a friend what they owe in a sub-account. */
export function Cover({ sub }: { sub: SubAccount }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="outline" icon={<HeartIcon />} onClick={() => setOpen(true)}>
        {t.title}
      </Button>
      <Modal open={open} onClose={() => setOpen(false)} title={t.title}>
        <Inside sub={sub} onClose={() => setOpen(false)} />
      </Modal>
    </>
  );
}

import { chakra, Stack } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { useNavigate, useParams } from "react-router";
import { verifyStatement } from "@/api/records";
import type { StatementFacts } from "@/api/schema.gen";
import { moment, shortDay } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { useRead } from "@/store/useRead";
import { useSubmit } from "@/store/useSubmit";
import { Button, LinkButton } from "@/ui/Button";
import { Facts, Note } from "@/ui/bits";
import { TextField } from "@/ui/form/fields";
import { Loaded } from "@/ui/Loaded";
import { Naira } from "@/ui/money/Naira";
import { PublicPage } from "@/ui/PublicPage";
import { ListSkeleton } from "@/ui/Skeletons";
import { verifyTexts as t } from "../texts";

const CODE_MAX = 32;

const bare = (code: string) => code.replace(/\s/g, "");

function CodeForm({ code }: { code: string }) {
  const navigate = useNavigate();
  const form = useForm({ defaultValues: { code } });
  const submit = useSubmit(form, { onReview: (typed) => navigate(paths.verifyStatement(bare(typed.code))) });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        <TextField
          label={t.code}
          help={t.codeHelp}
          error={form.formState.errors.code?.message}
          maxLength={CODE_MAX}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          {...form.register("code", { validate: (typed) => bare(typed) !== "" || t.codeFault })}
        />
        <Button type="submit" size="lg" fullWidth>
          {t.check}
        </Button>
      </Stack>
    </form>
  );
}

type Rows = [name: string, fact: ReactNode][];

function figures({ from, to, opening, closing, moneyIn, moneyOut, movements }: StatementFacts): Rows {
  return [
    [t.period, t.days(shortDay(from), shortDay(to))],
    [t.opening, <Naira key="opening" amount={opening} />],
    [t.in, <Naira key="in" amount={moneyIn} />],
    [t.out, <Naira key="out" amount={moneyOut} />],
    [t.closing, <Naira key="closing" amount={closing} />],
    [t.movements, movements.toLocaleString("en-NG")],
  ];
}

/** A receipt says its one movement, and no balance. */
function ofReceipt({ title, amount, direction, date, group, reference }: NonNullable<StatementFacts["receipt"]>): Rows {
  return [
    [direction === "IN" ? t.amountIn : t.amountOut, <Naira key="amount" amount={amount} />],
    [t.what, title],
    ...(group ? ([[t.group, group]] satisfies Rows) : []),
    [t.when, moment(date)],
    [t.reference, reference],
  ];
}

function Says({ facts }: { facts: StatementFacts }) {
  const { code, holder, issuedAt, position, sha256, receipt } = facts;
  return (
    <Stack gap="5">
      <Note tone="success" title={receipt ? t.genuineReceipt : t.genuine} live>
        {t.genuineText}
      </Note>
      {receipt?.state && (
        <Note tone="warning" title={t.state}>
          {receipt.state}
        </Note>
      )}
      <Facts
        rows={[
          [t.code, code],
          [t.holder, holder],
          ...(receipt ? ofReceipt(receipt) : figures(facts)),
          [t.issued, moment(issuedAt)],
          [t.position, position.toLocaleString("en-NG")],
        ]}
      />
      <chakra.div>
        <chakra.p textStyle="label">{t.digest}</chakra.p>
        <chakra.p
          fontFamily="mono"
          fontSize="xs"
          bg="bg.muted"
          borderRadius="md"
          px="3"
          py="2.5"
          my="1.5"
          overflowWrap="anywhere"
        >
          {sha256}
        </chakra.p>
        <chakra.p textStyle="small" color="fg.muted">
          {t.digestHelp}
        </chakra.p>
      </chakra.div>
      <LinkButton to={paths.verifyStatement()} variant="outline" fullWidth>
        {t.another}
      </LinkButton>
    </Stack>
  );
}

function Result({ code }: { code: string }) {
  const { remote, load } = useRead({ key: `statement:${code}`, area: "account", read: () => verifyStatement(code) });
  if (remote.state === "failed" && remote.missing) {
    return (
      <Stack gap="5">
        <Note tone="danger" title={t.missing} live>
          {t.missingText}
        </Note>
        <CodeForm key={code} code={code} />
      </Stack>
    );
  }
  return (
    <Loaded remote={remote} skeleton={<ListSkeleton rows={4} />} onRetry={load}>
      {(facts) => <Says facts={facts} />}
    </Loaded>
  );
}

/** For whoever was handed a statement: what we issued under its code, to hold against the paper. */
export function VerifyStatement() {
  const { code } = useParams();
  return (
    <PublicPage title={t.title} lead={t.lead} wide>
      {code ? <Result code={code} /> : <CodeForm code="" />}
    </PublicPage>
  );
}

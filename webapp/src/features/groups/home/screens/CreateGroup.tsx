import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { useNavigate } from "react-router";
import type { CreateGroup as Request } from "@/api/savings";
import { isAdult, lagosDay } from "@/lib/dates";
import { parseAmount, toNaira } from "@/lib/money";
import { monthName } from "@/lib/months";
import { paths } from "@/lib/paths";
import { errorTexts } from "@/lib/texts/errors";
import { savingsTexts } from "@/lib/texts/savings";
import { succeed } from "@/store/report";
import { profileSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { dropUnsaved, useUnsaved } from "@/store/unsaved";
import { useCommand } from "@/store/useCommand";
import { useKnown } from "@/store/useRead";
import { useSubmit } from "@/store/useSubmit";
import { Button, LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { CardBox } from "@/ui/Card";
import { Naira } from "@/ui/money/Naira";
import { FormSkeleton } from "@/ui/Skeletons";
import { type GroupDraft, groupSteps, StepFields, stepOf } from "../parts/GroupForm";
import { createTexts as t } from "../texts";

const words = savingsTexts.form;
const SUMMARY = groupSteps.length;
const STEPS = SUMMARY + 1;

function asRequest(draft: GroupDraft): Omit<Request, "userEmail"> {
  const parsed = parseAmount(draft.amount);
  return {
    name: draft.name.trim(),
    description: draft.description.trim(),
    amount: "kobo" in parsed ? toNaira(parsed.kobo) : 0,
    memberCapacity: Number(draft.memberCapacity),
    startMonthId: Number(draft.startMonthId),
    showTotalBalance: draft.showTotalBalance,
  };
}

/** How far one has come, and what is asked now. */
function StepHead({ at }: { at: number }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useRef(true);
  const { title, lead } = t.steps[groupSteps[at]?.name ?? "sum"];
  // biome-ignore lint/correctness/useExhaustiveDependencies: another step is another page to who can't see it
  useEffect(() => {
    if (!first.current) heading.current?.focus();
    first.current = false;
  }, [at]);
  return (
    <Box mb="6">
      <Flex gap="1.5" mb="4" aria-hidden="true">
        {Array.from({ length: STEPS }, (_, step) => (
          <Box
            // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other name here
            key={step}
            flex="1"
            height="1.5"
            borderRadius="full"
            bg={step <= at ? "brand" : "grayLine"}
          />
        ))}
      </Flex>
      <chakra.p textStyle="small" color="fg.muted">
        {t.step(at + 1, STEPS)}
      </chakra.p>
      <chakra.h1 ref={heading} tabIndex={-1} textStyle="title" outline="0">
        {title}
      </chakra.h1>
      <chakra.p color="fg.muted" mt="1">
        {lead}
      </chakra.p>
    </Box>
  );
}

function Line({ name, fact, onChange }: { name: string; fact: ReactNode; onChange: () => void }) {
  return (
    <Flex justify="space-between" align="center" gap="3" py="2">
      <Box minWidth="0">
        <chakra.p textStyle="small" color="fg.muted">
          {name}
        </chakra.p>
        <chakra.p textStyle="body" fontWeight="600" overflowWrap="anywhere">
          {fact}
        </chakra.p>
      </Box>
      <Button variant="link" aria-label={t.changeIt(name)} onClick={onChange}>
        {t.change}
      </Button>
    </Flex>
  );
}

function Summary({ draft, onStep }: { draft: GroupDraft; onStep: (at: number) => void }) {
  const request = asRequest(draft);
  const rows: [keyof GroupDraft, string, ReactNode][] = [
    ["name", words.name, request.name],
    ["description", words.description, request.description || "–"],
    ["amount", words.amount, <Naira key="amount" amount={request.amount} />],
    ["memberCapacity", words.capacity, request.memberCapacity.toLocaleString("en-NG")],
    ["startMonthId", words.startMonth, monthName(request.startMonthId)],
    ["showTotalBalance", t.seenLegend, request.showTotalBalance ? t.seen.title : t.hidden.title],
  ];
  return (
    <Stack gap="5">
      <Stack gap="0" divideY="1px" divideColor="border">
        {rows.map(([field, name, fact]) => (
          <Line key={field} name={name} fact={fact} onChange={() => onStep(stepOf(field))} />
        ))}
      </Stack>
      <Note title={t.needs}>
        <chakra.p mb="2" data-opens>
          {t.opens} <Naira amount={request.amount} /> {t.opensFor}
        </chakra.p>
        {t.needsText}
      </Note>
    </Stack>
  );
}

function useCreating() {
  const createGroup = useStore((state) => state.createGroup);
  const navigate = useNavigate();
  const [at, setAt] = useState(0);
  const form = useForm<GroupDraft>({
    defaultValues: {
      name: "",
      description: "",
      amount: "",
      memberCapacity: "20",
      startMonthId: String(Number(lagosDay().slice(5, 7))),
      showTotalBalance: true,
    },
  });
  useUnsaved(form.formState.isDirty);
  const { state, run } = useCommand({ name: "createGroup", send: createGroup });
  const step = groupSteps[at];
  const submit = useSubmit(form, {
    send: (draft) => run(asRequest(draft)),
    onDone: (created) => {
      succeed(created.message);
      dropUnsaved();
      navigate(paths.group(created.id), { replace: true });
    },
    notAnswered: errorTexts.notAnswered.createGroup,
    step: step && { fields: step.fields, onNext: () => setAt(at + 1) },
    onField: (field) => setAt(stepOf(field)),
  });
  return { at, setAt, form, sending: state === "sending", submit };
}

/** A new group in three steps and a summary. Who is under 18 is told before the form, not after it. */
export function CreateGroup() {
  const profile = useKnown(profileSource);
  if (profile?.state === "loading") return <FormSkeleton />;
  if (profile?.state !== "ready" || isAdult(profile.value.dateOfBirth)) return <Steps />;
  return (
    <Box maxWidth="narrow">
      <title>{`${words.title} · Adashi`}</title>
      <CardBox>
        <Stack gap="5">
          <chakra.h1 textStyle="title">{t.young}</chakra.h1>
          <chakra.p color="fg.muted">{t.youngText}</chakra.p>
          <LinkButton to={paths.savings} variant="outline" fullWidth>
            {t.toGroups}
          </LinkButton>
        </Stack>
      </CardBox>
    </Box>
  );
}

function Steps() {
  const { at, setAt, form, sending, submit } = useCreating();
  const forward = at === SUMMARY ? words.submit : at === SUMMARY - 1 ? t.review : t.next;
  return (
    <Box maxWidth="narrow">
      <title>{`${words.title} · Adashi`}</title>
      <CardBox>
        <StepHead at={at} />
        <form onSubmit={submit} noValidate>
          <Stack gap="6">
            {at === SUMMARY ? <Summary draft={form.getValues()} onStep={setAt} /> : <StepFields at={at} form={form} />}
            <Stack gap="3">
              <Button type="submit" size="lg" fullWidth loading={sending}>
                {forward}
              </Button>
              {at > 0 && (
                <Button variant="ghost" fullWidth disabled={sending} onClick={() => setAt(at - 1)}>
                  {t.back}
                </Button>
              )}
            </Stack>
          </Stack>
        </form>
      </CardBox>
    </Box>
  );
}

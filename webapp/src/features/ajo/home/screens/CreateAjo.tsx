import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { useNavigate, useSearchParams } from "react-router";
import { createAjo } from "@/api/ajos";
import { NewCard } from "@/features/ajo/card";
import { COMMITMENT_VERSION, commitTo } from "@/lib/draw/secrets";
import { paths } from "@/lib/paths";
import { randomHex, randomId } from "@/lib/random";
import { errorTexts } from "@/lib/texts/errors";
import { succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { dropUnsaved, useUnsaved } from "@/store/unsaved";
import { useCommand } from "@/store/useCommand";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { CardBox } from "@/ui/Card";
import { type AjoDraft, emptyDraft, requestOf } from "../create/draft";
import { ajoFields, ajoSteps, StepFields, stepOf } from "../create/Steps";
import { createTexts as t } from "../texts";

const NONCE_BYTES = 16;

/** How far one has come, and what is asked now. */
function StepHead({ at }: { at: number }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useRef(true);
  const { title, lead } = t.steps[ajoSteps[at]?.name ?? "rules"];
  // biome-ignore lint/correctness/useExhaustiveDependencies: another step is another page to who can't see it
  useEffect(() => {
    if (!first.current) heading.current?.focus();
    first.current = false;
  }, [at]);
  return (
    <Box mb="6">
      <Flex gap="1.5" mb="4" aria-hidden="true">
        {ajoSteps.map(({ name }, step) => (
          <Box key={name} flex="1" height="1.5" borderRadius="full" bg={step <= at ? "brand" : "grayLine"} />
        ))}
      </Flex>
      <chakra.p textStyle="small" color="fg.muted">
        {t.step(at + 1, ajoSteps.length)}
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

function useCreating() {
  const { email = "", id: user = "" } = useStore((state) => state.session) ?? {};
  const refreshTopics = useStore((state) => state.refreshTopics);
  const navigate = useNavigate();
  const [at, setAt] = useState(0);
  const [nonce] = useState(() => randomHex(NONCE_BYTES));
  // What this phone commits to for a draw is of one ajo, so it chooses its id.
  const [id] = useState(randomId);
  const form = useForm<AjoDraft>({ defaultValues: emptyDraft() });
  useUnsaved(form.formState.isDirty);
  const { state, run } = useCommand({ name: "createAjo", send: createAjo });
  const submit = useSubmit(form, {
    send: async (draft) => {
      const request = requestOf(draft, nonce, email);
      const committed =
        request.draw === "PHONES"
          ? { id, ...(await commitTo({ ajoId: id, userId: user, nonce, version: COMMITMENT_VERSION })) }
          : {};
      return run({ ...request, ...committed });
    },
    onDone: (created) => {
      succeed(created.message || t.created);
      dropUnsaved();
      refreshTopics(["ajo"]);
      navigate(paths.inviteAjo(created.value.id), { replace: true });
    },
    notAnswered: errorTexts.notAnswered.createAjo,
    step: {
      fields: ajoSteps[at]?.fields ?? [],
      onNext: at < ajoSteps.length - 1 ? () => setAt(at + 1) : undefined,
    },
    fields: ajoFields,
    onField: (field) => setAt(stepOf(field)),
  });
  return { at, setAt, form, sending: state === "sending", submit };
}

function GroupAjo() {
  const { at, setAt, form, sending, submit } = useCreating();
  return (
    <Box maxWidth="narrow">
      <title>{`${t.title} · Adashi`}</title>
      <CardBox>
        <StepHead at={at} />
        <form onSubmit={submit} noValidate>
          <Stack gap="6">
            <StepFields at={at} form={form} />
            <Stack gap="3">
              <Button type="submit" size="lg" fullWidth loading={sending}>
                {at === ajoSteps.length - 1 ? t.submit : t.next}
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

/** A new ajo with others, or a card of one's own. */
export function CreateAjo() {
  const [query] = useSearchParams();
  return query.get("type") === "individual" ? <NewCard /> : <GroupAjo />;
}

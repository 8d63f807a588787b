import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useSearchParams } from "react-router";
import { giveConsent, readConsent } from "@/api/account";
import type { Consent } from "@/api/schema.gen";
import { report } from "@/store/report";
import { useRead } from "@/store/useRead";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { TextField } from "@/ui/form/fields";
import { Loaded } from "@/ui/Loaded";
import { PublicPage } from "@/ui/PublicPage";
import { FigureSkeleton } from "@/ui/Skeletons";
import { consentTexts as t } from "../texts";

function Answered({ consent }: { consent: Consent }) {
  const yes = consent.status === "CONSENTED";
  return (
    <Note tone={yes ? "success" : "brand"} title={yes ? t.consentedTitle : t.refusedTitle} live>
      {yes ? t.consented(consent.minor) : t.refused(consent.minor)}
    </Note>
  );
}

function Ask({ token, consent, onAnswer }: { token: string; consent: Consent; onAnswer: (given: Consent) => void }) {
  const form = useForm({ defaultValues: { name: "" } });
  const { register, formState, getValues } = form;
  const [refusing, setRefusing] = useState(false);
  const give = useSubmit(form, {
    send: ({ name }) => giveConsent(token, true, name.trim()),
    onDone: ({ value }) => onAnswer(value),
  });
  const refuse = async () => {
    setRefusing(true);
    try {
      onAnswer((await giveConsent(token, false, getValues("name").trim())).value);
    } catch (error) {
      report(error, undefined, (field, message) => {
        if (field !== "name") return false;
        form.setError("name", { message }, { shouldFocus: true });
        return true;
      });
    }
    setRefusing(false);
  };
  const sending = formState.isSubmitting ? "yes" : refusing ? "no" : undefined;
  return (
    <form onSubmit={give} noValidate>
      <Stack gap="5">
        <p>{t.greeting(consent.guardian)}</p>
        <p>{t.asked(consent.minor)}</p>
        <div>
          <chakra.h2 textStyle="section">{t.means}</chakra.h2>
          <chakra.ul ps="5" mt="2" listStyleType="disc" textStyle="body">
            {t.points(consent.minor).map((point) => (
              <li key={point}>{point}</li>
            ))}
          </chakra.ul>
        </div>
        <TextField
          label={t.name}
          autoComplete="name"
          error={formState.errors.name?.message}
          {...register("name", { validate: (name) => name.trim() !== "" || t.nameFault })}
        />
        <Button type="submit" size="lg" fullWidth loading={sending === "yes"} disabled={sending !== undefined}>
          {t.yes}
        </Button>
        <Button
          variant="outline"
          fullWidth
          loading={sending === "no"}
          disabled={sending !== undefined}
          onClick={() => void refuse()}
        >
          {t.no}
        </Button>
      </Stack>
    </form>
  );
}

function Asked({ token }: { token: string }) {
  const { remote, load, put } = useRead({
    key: `consent:${token}`,
    area: "account",
    read: () => readConsent(token),
  });
  return (
    <Stack gap="4">
      <Loaded remote={remote} skeleton={<FigureSkeleton />} onRetry={load}>
        {(consent) =>
          consent.status === "ASKED" ? (
            <Ask token={token} consent={consent} onAnswer={put} />
          ) : (
            <Answered consent={consent} />
          )
        }
      </Loaded>
      {remote.state === "failed" && <p>{t.spent}</p>}
    </Stack>
  );
}

/** For a young member's parent or guardian, who has no account. */
export function GuardianConsent() {
  const [query] = useSearchParams();
  const token = query.get("token");
  return (
    <PublicPage wide title={t.title} lead={token ? undefined : t.missing}>
      {token && <Asked token={token} />}
    </PublicPage>
  );
}

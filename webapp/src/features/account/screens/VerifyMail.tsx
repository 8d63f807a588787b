import { Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { failureText } from "@/api/failure";
import { paths } from "@/app/paths";
import { accountTexts } from "@/lib/texts/account";
import { errorTexts } from "@/lib/texts/errors";
import { report, succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { Button, LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Doorway } from "@/ui/Doorway";
import { Letter } from "@/ui/illustrations";

const t = accountTexts.verify;
type Step = "asking" | "sending" | "done" | { fault: string };

/** The token is spent by the button alone: a mail scanner that opens the link changes nothing. */
export function VerifyMail() {
  const verifyEmail = useStore((state) => state.verifyEmail);
  const [query] = useSearchParams();
  const [step, setStep] = useState<Step>("asking");
  const token = query.get("token");

  const verify = async () => {
    if (!token) return;
    setStep("sending");
    try {
      succeed((await verifyEmail(token)) || t.doneTitle);
      setStep("done");
    } catch (error) {
      report(error, errorTexts.notAnswered.verify);
      setStep({ fault: failureText(error, errorTexts.notAnswered.verify) });
    }
  };

  if (!token) {
    return (
      <Doorway title={t.title} picture={<Letter />} lead={t.missing}>
        <LinkButton to={paths.login} variant="outline" fullWidth>
          {t.login}
        </LinkButton>
      </Doorway>
    );
  }
  if (step === "done") {
    return (
      <Doorway title={t.doneTitle} picture={<Letter />} lead={t.done}>
        <LinkButton to={paths.login} size="lg" fullWidth>
          {t.login}
        </LinkButton>
      </Doorway>
    );
  }
  return (
    <Doorway title={t.title} picture={<Letter />} lead={t.lead}>
      <Stack gap="5">
        {typeof step === "object" && <Note tone="danger">{step.fault}</Note>}
        <Button size="lg" fullWidth loading={step === "sending"} onClick={verify}>
          {t.submit}
        </Button>
      </Stack>
    </Doorway>
  );
}

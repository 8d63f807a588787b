import { Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { failureText } from "@/api/failure";
import { paths } from "@/lib/paths";
import { errorTexts } from "@/lib/texts/errors";
import { succeed } from "@/store/report";
import type { Ending } from "@/store/sessionSlice";
import { useStore } from "@/store/store";
import { Button, LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Letter } from "@/ui/illustrations";
import { PublicPage } from "@/ui/PublicPage";
import { accountTexts } from "../texts";

interface ByMailProps {
  t: { title: string; lead: string; submit: string; missing: string; fault: string };
  act: (token: string) => Promise<{ message: string }>;
  /** What is said of the session that it ends. */
  ends: Ending;
}

/** Something that a mail's link does about the account, by one button: opening it alone does nothing. */
export function ByMail({ t, act, ends }: ByMailProps) {
  const leave = useStore((state) => state.leave);
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const [sending, setSending] = useState(false);
  const [fault, setFault] = useState<string>();
  const token = query.get("token");

  const confirm = async () => {
    if (!token) return;
    setSending(true);
    setFault(undefined);
    try {
      succeed((await act(token)).message);
      leave(ends);
      navigate(paths.login);
    } catch (error) {
      setFault(failureText(error, errorTexts.notAnswered.verify));
      setSending(false);
    }
  };

  return (
    <PublicPage title={t.title} picture={<Letter />} lead={token ? t.lead : t.missing}>
      <Stack gap="5">
        {fault && (
          <Note tone="danger" title={fault} live>
            {t.fault}
          </Note>
        )}
        {token ? (
          <Button size="lg" fullWidth loading={sending} onClick={confirm}>
            {t.submit}
          </Button>
        ) : (
          <LinkButton to={paths.login} variant="outline" fullWidth>
            {accountTexts.verify.login}
          </LinkButton>
        )}
      </Stack>
    </PublicPage>
  );
}

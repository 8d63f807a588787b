import { Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { failureText } from "@/api/failure";
import { undoChange } from "@/api/security";
import { paths } from "@/app/paths";
import { errorTexts } from "@/lib/texts/errors";
import { succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { Button, LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Letter } from "@/ui/illustrations";
import { PublicPage } from "@/ui/PublicPage";
import { accountTexts } from "../texts";

const t = accountTexts.undoChange;

/** A change that was not the owner's, undone from the mail that tells of it. */
export function UndoChange() {
  const leave = useStore((state) => state.leave);
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const [sending, setSending] = useState(false);
  const [fault, setFault] = useState<string>();
  const token = query.get("token");

  const undo = async () => {
    if (!token) return;
    setSending(true);
    setFault(undefined);
    try {
      succeed((await undoChange(token)).message);
      leave("password");
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
          <Button size="lg" fullWidth loading={sending} onClick={undo}>
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

import { chakra, Stack } from "@chakra-ui/react";
import { useLocation } from "react-router";
import { paths } from "@/lib/paths";
import { Button, LinkButton } from "@/ui/Button";
import { invitingTexts as t } from "./texts";

/** For a visitor: they log in or sign up, and come back to this address, also from a mail read elsewhere. */
export function AtTheDoor() {
  const { pathname, search } = useLocation();
  const origin = { from: pathname + search };
  return (
    <Stack gap="3">
      <LinkButton to={paths.login} state={origin} size="lg" fullWidth>
        {t.login}
      </LinkButton>
      <LinkButton to={paths.signup} state={origin} size="lg" variant="outline" fullWidth>
        {t.signup}
      </LinkButton>
      <chakra.p textStyle="small" color="fg.muted" textAlign="center">
        {t.loginLead}
      </chakra.p>
    </Stack>
  );
}

/** Puts the invitation aside. */
export function NotForMe({ leaving, leave }: { leaving: boolean; leave: () => void }) {
  return (
    <Button variant="ghost" fullWidth loading={leaving} onClick={leave}>
      {t.notForMe}
    </Button>
  );
}

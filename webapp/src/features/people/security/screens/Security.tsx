import { chakra, Stack } from "@chakra-ui/react";
import { useEffect } from "react";
import { useLocation } from "react-router";
import { SigningDevices } from "@/features/trust/months";
import { Watch } from "@/features/trust/witness";
import { paths } from "@/lib/paths";
import { useStore } from "@/store/store";
import { LinkButton } from "@/ui/Button";
import { Card, PageHead } from "@/ui/Card";
import { ChangeEmail } from "../parts/ChangeEmail";
import { CloseAccount } from "../parts/CloseAccount";
import { Freeze } from "../parts/Freeze";
import { MyData } from "../parts/MyData";
import { Sessions } from "../parts/Sessions";
import { Totp } from "../parts/Totp";
import { securityTexts as t } from "../texts";

/** Who can get into the account, and how; and what becomes of its data. */
export function Security() {
  const { hash } = useLocation();
  const refreshProfile = useStore((state) => state.refreshProfile);
  useEffect(() => void refreshProfile(), [refreshProfile]);
  return (
    <Stack gap="0" maxWidth="column">
      <title>{`${t.title} · Adashi`}</title>
      <PageHead title={t.title} detail={t.lead} />
      <Stack gap="4">
        <Freeze wanted={hash === "#freeze"} />
        <Sessions />
        <Totp />
        <Watch />
        <SigningDevices />
        <Card title={t.password.title}>
          <Stack gap="4" align="flex-start">
            <chakra.p color="fg.muted">{t.password.lead}</chakra.p>
            <LinkButton to={paths.changePassword} variant="outline">
              {t.password.change}
            </LinkButton>
          </Stack>
        </Card>
        <ChangeEmail />
        <MyData />
        <CloseAccount />
      </Stack>
    </Stack>
  );
}

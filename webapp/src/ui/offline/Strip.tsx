import { Box, chakra } from "@chakra-ui/react";
import { useContext } from "react";
import { AsOf, type AsOfProps } from "./AsOf";
import { Offline } from "./PayButton";
import { offlineTexts as t } from "./texts";

/** Above each screen while the server cannot be reached; `asOf` tells how old the oldest figure is. */
export function OfflineStrip({ asOf }: { asOf: AsOfProps | undefined }) {
  const offline = useContext(Offline);
  return (
    <Box role="status">
      {offline && (
        <Box data-offline bg="bg.warning" px={{ base: "4", md: "8" }} py="2" textStyle="body">
          <chakra.strong color="fg.warning">{t.title}</chakra.strong> {t.text}
          {asOf && <AsOf {...asOf} />}
        </Box>
      )}
    </Box>
  );
}

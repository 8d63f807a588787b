import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { moment } from "@/lib/dates";
import { paths } from "@/lib/paths";
import type { OpenCommand } from "@/store/commandSlice";
import { useAsking, useUnanswered } from "@/store/useUnanswered";
import { Button, LinkButton } from "@/ui/Button";
import { unansweredTexts as t } from "./texts";

function Unanswered({ command }: { command: OpenCommand }) {
  const { name, at, started } = command;
  const { asking, notYet, ask, leave } = useAsking(command);
  const what = t.what(name);
  return (
    <Box py="3">
      <chakra.p fontWeight="600">{what}</chakra.p>
      {at > 0 && (
        <chakra.p textStyle="small" color="fg.muted">
          {t.sent(moment(new Date(at).toISOString()))}
        </chakra.p>
      )}
      <p>{t.meaning(command)}</p>
      {notYet && <p role="status">{t.notYet}</p>}
      <Flex gap="2" mt="2" wrap="wrap">
        {started ? (
          <>
            <LinkButton to={paths.wallet} size="sm">
              {t.wallet}
            </LinkButton>
            <Button size="sm" variant="outline" onClick={leave}>
              {t.seen}
            </Button>
          </>
        ) : (
          <Button size="sm" variant="outline" loading={asking} aria-label={t.askAbout(what)} onClick={ask}>
            {t.ask}
          </Button>
        )}
      </Flex>
    </Box>
  );
}

/** Each command of the person signed in whose outcome nobody has told, and what that means for the money. */
export function UnansweredList() {
  const commands = useUnanswered();
  return (
    <Stack gap="0" divideY="1px" divideColor="border" textStyle="body">
      {commands.map((command) => (
        <Unanswered key={command.key} command={command} />
      ))}
    </Stack>
  );
}

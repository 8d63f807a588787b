import { chakra, Flex, Stack } from "@chakra-ui/react";
import type { Checks } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { Badge, Note } from "@/ui/bits";
import { operatorTexts as t } from "../texts";

function Check({ check }: { check: Checks["checks"][number] }) {
  const { name, ok, needed, since, says } = check;
  return (
    <chakra.li
      py="3"
      borderTopWidth="1px"
      borderColor="border"
      _first={{ borderTopWidth: "0", pt: "0" }}
      _last={{ pb: "0" }}
    >
      <Flex gap="3" align="center" wrap="wrap">
        <chakra.h3 fontWeight="650">{t.check(name)}</chakra.h3>
        <Badge tone={ok ? "success" : needed ? "danger" : "warning"}>
          {ok ? t.well : needed ? t.stopsPayments : t.wrong}
        </Badge>
      </Flex>
      <chakra.p textStyle="body" overflowWrap="anywhere">
        {says}
      </chakra.p>
      {!ok && (
        <chakra.p textStyle="small" color="fg.muted">
          {t.since(moment(since))}
        </chakra.p>
      )}
    </chakra.li>
  );
}

const List = ({ checks }: { checks: Checks["checks"] }) => (
  <chakra.ul listStyleType="none">
    {checks.map((check) => (
      <Check key={check.name} check={check} />
    ))}
  </chakra.ul>
);

/** Whether payments can be taken, what needs a look, and the rest on request. */
export function Health({ health: { ready, checks } }: { health: Checks }) {
  const wrong = checks.filter(({ ok }) => !ok);
  const well = checks.filter(({ ok }) => ok);
  return (
    <Stack gap="4">
      <Note tone={ready ? "success" : "danger"} live>
        {ready ? t.ready : t.notReady}
      </Note>
      {wrong.length > 0 && <List checks={wrong} />}
      {well.length > 0 && (
        <chakra.details>
          <chakra.summary cursor="pointer" textStyle="body" color="fg.brand" py="2">
            {t.wellOnes(well.length)}
          </chakra.summary>
          <List checks={well} />
        </chakra.details>
      )}
    </Stack>
  );
}

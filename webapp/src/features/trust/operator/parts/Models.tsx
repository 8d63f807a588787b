import { Box, chakra, Flex } from "@chakra-ui/react";
import type { Projection } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { Badge, Note } from "@/ui/bits";
import { operatorTexts as t } from "../texts";
import { Helping } from "./Helping";

const tones = { following: "success", paused: "danger", rebuilding: "brand", outdated: "warning" } as const;

function Progress({ rebuild }: { rebuild: NonNullable<Projection["rebuild"]> }) {
  const { state, position, head, error, endedAt } = rebuild;
  if (state === "asked" || (state === "running" && head === 0)) return <Small>{t.waiting}</Small>;
  if (state === "running") {
    return (
      <Box>
        <Small>{t.progress(position, head)}</Small>
        <chakra.progress width="full" height="2" value={position} max={head} aria-label={t.progress(position, head)} />
      </Box>
    );
  }
  if (state === "done") return endedAt ? <Small>{t.rebuilt(moment(endedAt))}</Small> : null;
  return (
    <Note tone="danger" title={t.rebuildFailed}>
      <chakra.span overflowWrap="anywhere">{error}</chakra.span>
    </Note>
  );
}

const Small = ({ children }: { children: string }) => (
  <chakra.p textStyle="small" color="fg.muted" overflowWrap="anywhere">
    {children}
  </chakra.p>
);

function Row({ model }: { model: Projection }) {
  const level = model.lagEvents === 0;
  return (
    <chakra.li
      py="4"
      borderTopWidth="1px"
      borderColor="border"
      _first={{ borderTopWidth: "0", pt: "0" }}
      _last={{ pb: "0" }}
    >
      <Flex gap="3" justify="space-between" align={{ md: "center" }} direction={{ base: "column", md: "row" }}>
        <Box minWidth="0">
          <Flex gap="3" align="center" wrap="wrap">
            <chakra.h3 fontWeight="650">{model.name}</chakra.h3>
            <Badge tone={tones[model.state]}>{t.states[model.state]}</Badge>
          </Flex>
          <chakra.p textStyle="body" fontVariantNumeric="tabular-nums">
            {t.position(model.position)} · {level ? t.level : t.lag(model.lagEvents, model.lagSeconds)}
          </chakra.p>
          {model.parts.length > 1 && (
            <Small>{model.parts.map(({ part, position }) => t.part(part, position)).join(" · ")}</Small>
          )}
        </Box>
        <Helping model={model} />
      </Flex>
      <Flex direction="column" gap="2" mt="2">
        {model.parts.map(
          ({ part, paused }) =>
            paused && (
              <Note key={part} tone="danger">
                <chakra.span overflowWrap="anywhere">{t.pausedAt(paused)}</chakra.span>
              </Note>
            ),
        )}
        {model.rebuild && <Progress rebuild={model.rebuild} />}
      </Flex>
    </chakra.li>
  );
}

/** Each read model: its position, its state, and the actions on it. */
export function Models({ models }: { models: Projection[] }) {
  return (
    <chakra.ul listStyleType="none">
      {models.map((model) => (
        <Row key={model.name} model={model} />
      ))}
    </chakra.ul>
  );
}

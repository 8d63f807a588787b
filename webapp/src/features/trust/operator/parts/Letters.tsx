import { chakra, Flex } from "@chakra-ui/react";
import type { DeadLetter } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { Badge } from "@/ui/bits";
import { Empty } from "@/ui/Empty";
import { OpenBook } from "@/ui/illustrations";
import { operatorTexts as t } from "../texts";

function pretty(event: string): string {
  try {
    return JSON.stringify(JSON.parse(event), null, 2);
  } catch {
    return event;
  }
}

function Letter({ letter }: { letter: DeadLetter }) {
  const { model, position, type, error, at, resolvedAt, event } = letter;
  return (
    <chakra.li
      py="4"
      borderTopWidth="1px"
      borderColor="border"
      _first={{ borderTopWidth: "0", pt: "0" }}
      _last={{ pb: "0" }}
    >
      <Flex gap="3" align="center" wrap="wrap">
        <chakra.h3 fontWeight="650" fontVariantNumeric="tabular-nums">
          {model}, {t.number(position)}
        </chakra.h3>
        <Badge tone={resolvedAt ? "success" : "danger"}>{resolvedAt ? t.resolved(moment(resolvedAt)) : t.stops}</Badge>
      </Flex>
      <chakra.p textStyle="small" color="fg.muted" overflowWrap="anywhere">
        {type} · {moment(at)}
      </chakra.p>
      <chakra.p textStyle="body" mt="1" overflowWrap="anywhere">
        {error}
      </chakra.p>
      <chakra.details mt="2">
        <chakra.summary cursor="pointer" textStyle="body" color="fg.brand" py="2">
          {t.open}
        </chakra.summary>
        <chakra.pre
          role="region"
          aria-label={`${model}: ${t.eventOf(position)}`}
          tabIndex={0}
          mt="2"
          p="4"
          maxHeight="24rem"
          overflow="auto"
          borderRadius="md"
          bg="bg.muted"
          fontFamily="mono"
          fontSize="xs"
          whiteSpace="pre-wrap"
          overflowWrap="anywhere"
        >
          {pretty(event)}
        </chakra.pre>
      </chakra.details>
    </chakra.li>
  );
}

/** The events that read models could not take. */
export function Letters({ letters }: { letters: DeadLetter[] }) {
  if (letters.length === 0) {
    return (
      <Empty picture={<OpenBook />} title={t.lettersEmptyTitle}>
        {t.lettersEmpty}
      </Empty>
    );
  }
  return (
    <>
      <chakra.p textStyle="body" color="fg.muted" mb="4">
        {t.lettersLead}
      </chakra.p>
      <chakra.ul listStyleType="none">
        {letters.map((letter) => (
          <Letter key={`${letter.model} ${letter.position}`} letter={letter} />
        ))}
      </chakra.ul>
    </>
  );
}

import { chakra, Flex, Stack } from "@chakra-ui/react";
import type { MoneyFind } from "@/api/schema.gen";
import { Button, LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { newTexts as t } from "../texts";

function Find({ find, onMine }: { find: MoneyFind; onMine: () => void }) {
  const { what, words, link, arrivalId } = find;
  return (
    <chakra.li borderWidth="1px" borderColor="border.control" borderRadius="md" px="4" py="3.5" data-find={what}>
      <chakra.p textStyle="body" mb="3">
        {words}
      </chakra.p>
      {arrivalId && (
        <Button aria-label={t.isMine(words)} onClick={onMine}>
          {t.mine}
        </Button>
      )}
      {!arrivalId && link && (
        <LinkButton variant="outline" to={link} aria-label={t.seeIt(words)}>
          {t.see}
        </LinkButton>
      )}
    </chakra.li>
  );
}

/** Money of nobody first: with that something can be done here. */
const looseFirst = (finds: MoneyFind[]) => [
  ...finds.filter(({ arrivalId }) => arrivalId),
  ...finds.filter(({ arrivalId }) => !arrivalId),
];

/** What the search found, and the way on where it is none of it. */
export function Finds({ finds, onGo }: { finds: MoneyFind[]; onGo: (claimed?: MoneyFind) => void }) {
  if (finds.length === 0) {
    return (
      <Stack gap="4" data-finds="0">
        <Note title={t.nothingTitle} live>
          {t.nothing}
        </Note>
        <Button size="lg" fullWidth onClick={() => onGo()}>
          {t.goOn}
        </Button>
      </Stack>
    );
  }
  return (
    <Stack gap="4" data-finds={finds.length}>
      <chakra.h2 textStyle="section" role="status">
        {t.found(finds.length)}
      </chakra.h2>
      <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="3">
        {looseFirst(finds).map((find) => (
          <Find
            key={`${find.what}${find.arrivalId ?? ""}${find.at}${find.link ?? ""}`}
            find={find}
            onMine={() => onGo(find)}
          />
        ))}
      </chakra.ul>
      <Flex>
        <Button variant="outline" onClick={() => onGo()}>
          {t.none}
        </Button>
      </Flex>
    </Stack>
  );
}

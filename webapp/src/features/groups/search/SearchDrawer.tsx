import { Box, chakra, Flex } from "@chakra-ui/react";
import { useRef, useState } from "react";
import { useStore } from "@/store/store";
import { controlRecipe } from "@/theme/recipes";
import { Button } from "@/ui/Button";
import { VisuallyHidden } from "@/ui/bits";
import { SearchIcon } from "@/ui/icons";
import { TopSheet } from "@/ui/overlays";
import { ListSkeleton } from "@/ui/Skeletons";
import { Row } from "./Row";
import { searchTexts as t } from "./texts";
import { type Search, useSearch } from "./useSearch";

const SearchBox = chakra("input", controlRecipe);

function Message({ children }: { children: string }) {
  return (
    <chakra.p role="status" color="fg.muted" textAlign="center" py="12">
      {children}
    </chakra.p>
  );
}

function Results({ search, onOpen }: { search: Search; onOpen: () => void }) {
  switch (search.state) {
    case "untyped":
      return <Message>{t.start}</Message>;
    case "none":
      return <Message>{t.none}</Message>;
    case "looking":
      return <ListSkeleton rows={3} />;
    case "failed":
      return <Message>{search.text}</Message>;
    case "found":
      if (search.rows.length === 0) return <Message>{t.noResult}</Message>;
      return (
        <>
          <VisuallyHidden role="status">{t.results(search.rows.length)}</VisuallyHidden>
          <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="3">
            {search.rows.map((row) => (
              <li key={row.id}>
                <Row row={row} onOpen={onOpen} />
              </li>
            ))}
          </chakra.ul>
        </>
      );
  }
}

/** The full-height drawer from the top that finds active savings groups. */
export function SearchDrawer() {
  const open = useStore((state) => state.searchOpen);
  const openSearch = useStore((state) => state.openSearch);
  const [words, setWords] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const search = useSearch(words, open);
  const close = () => {
    openSearch(false);
    setWords("");
  };
  return (
    <TopSheet open={open} onClose={close} label={t.label} initialFocus={() => input.current}>
      <Flex gap="2" align="center" px={{ base: "4", md: "8" }} py="4" borderBottomWidth="1px" borderColor="border">
        <Box position="relative" flex="1" maxWidth="48rem" mx="auto" display="flex" gap="2" alignItems="center">
          <Box position="absolute" insetStart="4" color="fg.muted" pointerEvents="none" zIndex="1">
            <SearchIcon />
          </Box>
          <SearchBox
            ref={input}
            type="search"
            aria-label={t.label}
            placeholder={t.placeholder}
            value={words}
            maxLength={100}
            ps="11"
            onChange={(event) => setWords(event.target.value)}
          />
          <Button variant="ghost" onClick={close}>
            {t.cancel}
          </Button>
        </Box>
      </Flex>
      <Box flex="1" overflowY="auto" px={{ base: "4", md: "8" }} py="5">
        <Box maxWidth="48rem" mx="auto">
          <Results search={search} onOpen={close} />
        </Box>
      </Box>
    </TopSheet>
  );
}

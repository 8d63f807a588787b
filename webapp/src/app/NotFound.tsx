import { chakra, Flex } from "@chakra-ui/react";
import { paths } from "@/lib/paths";
import { screenTexts } from "@/lib/texts/common";
import { LinkButton } from "@/ui/Button";
import { OpenBook } from "@/ui/illustrations";

export function NotFound() {
  return (
    <Flex
      as="main"
      direction="column"
      align="center"
      justify="center"
      textAlign="center"
      gap="3"
      minHeight="100dvh"
      px="4"
    >
      <title>Not found · Adashi</title>
      <OpenBook />
      <chakra.h1 textStyle="title">{screenTexts.notFoundTitle}</chakra.h1>
      <chakra.p color="fg.muted" maxWidth="26rem">
        {screenTexts.notFound}
      </chakra.p>
      <LinkButton to={paths.landing}>{screenTexts.home}</LinkButton>
    </Flex>
  );
}

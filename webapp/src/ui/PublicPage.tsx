import { Box, chakra, Flex } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { Brand } from "./Brand";

interface PublicPageProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  foot?: ReactNode;
  picture?: ReactNode;
  wide?: boolean;
}

/** The frame of the screens for people who are not signed in. */
export function PublicPage({ title, lead, children, foot, picture, wide = false }: PublicPageProps) {
  return (
    <Flex direction="column" minHeight="100dvh" px="4" pb="12">
      <title>{`${title} · Adashi`}</title>
      <Flex as="header" align="center" minHeight="20" px={{ base: "1", md: "4" }}>
        <chakra.a asChild minHeight="11" display="flex" alignItems="center" borderRadius="md">
          <Link to="/" aria-label="Adashi, to the start page">
            <Brand />
          </Link>
        </chakra.a>
      </Flex>
      <Flex as="main" flex="1" direction="column" align="center" justify={{ base: "flex-start", md: "center" }}>
        <Box
          width="full"
          maxWidth={wide ? "34rem" : "form"}
          bg="bg.panel"
          borderRadius="card"
          borderWidth="1px"
          borderColor="border"
          px={{ base: "5", md: "8" }}
          py={{ base: "7", md: "9" }}
        >
          {picture && <Box mb="4">{picture}</Box>}
          <chakra.h1 textStyle="title">{title}</chakra.h1>
          {lead && (
            <chakra.p color="fg.muted" mt="1.5">
              {lead}
            </chakra.p>
          )}
          <Box mt="6">{children}</Box>
        </Box>
        {foot && (
          <Flex align="center" justify="center" gap="1" mt="5" color="fg.muted" wrap="wrap">
            {foot}
          </Flex>
        )}
      </Flex>
    </Flex>
  );
}

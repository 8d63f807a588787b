import { Box, chakra, Flex, SimpleGrid } from "@chakra-ui/react";
import { paths } from "@/lib/paths";
import { demoSource } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { Brand } from "@/ui/Brand";
import { LinkButton } from "@/ui/Button";
import { Circle } from "@/ui/illustrations";
import { landingTexts as t } from "../texts";

const wrap = { width: "full", maxWidth: "frame", mx: "auto", px: "gutter" } as const;

function Head() {
  return (
    <chakra.header {...wrap} display="flex" alignItems="center" justifyContent="space-between" minHeight="20" gap="2">
      <Brand />
      <Flex gap={{ base: "0", md: "2" }} as="nav" aria-label="Account">
        <LinkButton to={paths.login} variant="ghost">
          {t.login}
        </LinkButton>
        <Box display={{ base: "none", md: "block" }}>
          <LinkButton to={paths.signup}>{t.signup}</LinkButton>
        </Box>
      </Flex>
    </chakra.header>
  );
}

/** Where there is a demo. It comes beside what is there and moves nothing. */
function Demo() {
  const { remote } = useRead(demoSource);
  if (remote.state !== "ready" || !remote.value.available) return null;
  return (
    <LinkButton to={paths.demo} size="lg" variant="link">
      {t.demo}
    </LinkButton>
  );
}

function Pledge() {
  return (
    <Flex
      {...wrap}
      direction={{ base: "column", lg: "row" }}
      align="center"
      justify="space-between"
      gap={{ base: "8", lg: "12" }}
      pt={{ base: "8", lg: "14" }}
      pb={{ base: "12", lg: "20" }}
    >
      <Box flex="1" maxWidth="36rem">
        <chakra.h1
          fontSize={{ base: "2.75rem", md: "4.25rem" }}
          lineHeight="1.02"
          fontWeight="700"
          letterSpacing="-0.035em"
        >
          {t.promise}
        </chakra.h1>
        <chakra.p textStyle="lead" color="fg.muted" mt="5" maxWidth="32rem">
          {t.lead}
        </chakra.p>
        <Flex gap="2" mt="8" wrap="wrap">
          <LinkButton to={paths.signup} size="lg">
            {t.signup}
          </LinkButton>
          <Demo />
        </Flex>
      </Box>
      <Box flexShrink="1" maxWidth={{ base: "20rem", lg: "27.5rem" }}>
        <Circle />
      </Box>
    </Flex>
  );
}

function Points() {
  return (
    <Box bg="bg.muted" py={{ base: "12", md: "20" }}>
      <SimpleGrid {...wrap} columns={{ base: 1, md: 3 }} gap={{ base: "8", md: "12" }}>
        {t.points.map((point) => (
          <Box key={point.title}>
            <chakra.h2 textStyle="section" fontSize="xl">
              {point.title}
            </chakra.h2>
            <chakra.p color="fg.muted" mt="2">
              {point.text}
            </chakra.p>
          </Box>
        ))}
      </SimpleGrid>
    </Box>
  );
}

function Steps() {
  return (
    <Box {...wrap} py={{ base: "12", md: "20" }}>
      <chakra.h2 textStyle="title">{t.stepsTitle}</chakra.h2>
      <chakra.ol
        listStyleType="none"
        display="grid"
        gridTemplateColumns={{ base: "1fr", md: "repeat(3, 1fr)" }}
        gap={{ base: "6", md: "12" }}
        mt="8"
      >
        {t.steps.map((step, at) => (
          <chakra.li key={step.title} display="flex" gap="4">
            <Flex
              boxSize="10"
              flexShrink="0"
              borderRadius="full"
              bg="bg.brand"
              color="fg.brand"
              fontWeight="700"
              align="center"
              justify="center"
              aria-hidden="true"
            >
              {at + 1}
            </Flex>
            <Box>
              <chakra.h3 fontWeight="650">{step.title}</chakra.h3>
              <chakra.p color="fg.muted">{step.text}</chakra.p>
            </Box>
          </chakra.li>
        ))}
      </chakra.ol>
      <Box mt="10">
        <LinkButton to={paths.signup} size="lg">
          {t.signup}
        </LinkButton>
      </Box>
    </Box>
  );
}

function Foot() {
  return (
    <chakra.footer borderTopWidth="1px" borderColor="border" py="4">
      <Flex {...wrap} align="center" justify="space-between" gap="2" wrap="wrap">
        <chakra.p textStyle="small" color="fg.muted">
          {t.foot}
        </chakra.p>
        <Flex as="nav" aria-label={t.footNav} gap="2" wrap="wrap">
          <LinkButton to={paths.faqs} variant="link">
            {t.faqs}
          </LinkButton>
          <LinkButton to={paths.contact} variant="link">
            {t.contact}
          </LinkButton>
          <LinkButton to={paths.terms} variant="link">
            {t.terms}
          </LinkButton>
        </Flex>
      </Flex>
    </chakra.footer>
  );
}

export function Landing() {
  return (
    <Box bg="bg.panel" minHeight="100dvh">
      <title>{`Adashi · ${t.promise}`}</title>
      <Head />
      <main>
        <Pledge />
        <Points />
        <Steps />
      </main>
      <Foot />
    </Box>
  );
}

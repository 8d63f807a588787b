import { chakra, Flex } from "@chakra-ui/react";

/** Three people leaning on one another make the A of Adashi. */
export function Mark({ size = "2rem" }: { size?: string }) {
  return (
    <chakra.svg viewBox="0 0 32 32" width={size} height={size} flexShrink="0" aria-hidden="true">
      <chakra.rect width="32" height="32" rx="9" fill="brand" />
      <chakra.g stroke="white" strokeWidth="2.6" strokeLinecap="round" fill="none">
        <path d="M16 7.2 24.2 23" />
        <path d="M16 7.2 7.8 23" />
        <path d="M10.6 17.6h10.8" />
      </chakra.g>
      <chakra.g fill="white">
        <circle cx="16" cy="7.4" r="2.5" />
        <circle cx="7.9" cy="23.4" r="2.5" />
        <circle cx="24.1" cy="23.4" r="2.5" />
      </chakra.g>
    </chakra.svg>
  );
}

export function Brand({ bare = false }: { bare?: boolean }) {
  return (
    <Flex align="center" gap="2.5">
      <Mark />
      {!bare && (
        <chakra.span fontSize="xl" fontWeight="700" letterSpacing="-0.02em" color="fg">
          Adashi
        </chakra.span>
      )}
    </Flex>
  );
}

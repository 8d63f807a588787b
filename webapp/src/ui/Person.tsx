import { Box, chakra, Flex } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { avatarColour, initials } from "@/lib/person";
import { CheckIcon } from "./icons";

interface AvatarProps {
  id: string;
  name: string;
  size?: string;
  ticked?: boolean;
  /** An address the browser may show by itself: data:, never one of the API. */
  picture?: string;
}

/** A person's picture; without one their initials on one of eight backgrounds, the same for a person everywhere. */
export function Avatar({ id, name, size = "2.5rem", ticked = false, picture }: AvatarProps) {
  return (
    <Box position="relative" width={size} height={size} flexShrink="0" aria-hidden="true">
      <Flex
        boxSize="full"
        borderRadius="full"
        bg={picture ? "bg.muted" : `face${avatarColour(id)}`}
        color="white"
        fontWeight="600"
        fontSize={`calc(${size} * 0.38)`}
        align="center"
        justify="center"
        // Drawn, not written: they are no part of what a button around them is called.
        data-initials={picture ? undefined : initials(name)}
        _before={picture ? undefined : { content: "attr(data-initials)" }}
      >
        {picture && (
          <chakra.img src={picture} alt="" data-picture boxSize="full" borderRadius="full" objectFit="cover" />
        )}
      </Flex>
      {ticked && (
        <Flex
          position="absolute"
          insetEnd="-3px"
          bottom="-3px"
          boxSize="5"
          borderRadius="full"
          bg="green"
          color="white"
          borderWidth="2px"
          borderColor="white"
          align="center"
          justify="center"
          fontSize="0.7rem"
        >
          <CheckIcon />
        </Flex>
      )}
    </Box>
  );
}

interface PersonProps extends AvatarProps {
  detail?: ReactNode;
}

export function Person({ detail, ...face }: PersonProps) {
  return (
    <Flex gap="3" align="center" minWidth="0">
      <Avatar {...face} />
      <Box minWidth="0">
        <chakra.p fontWeight="600" textStyle="body" overflowWrap="anywhere">
          {face.name}
        </chakra.p>
        {detail && (
          <chakra.p textStyle="small" color="fg.muted">
            {detail}
          </chakra.p>
        )}
      </Box>
    </Flex>
  );
}

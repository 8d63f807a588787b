import { chakra } from "@chakra-ui/react";
import { Link, useLocation } from "react-router";
import { samePlace } from "@/lib/paths";
import { placeOf, places } from "./places";
import { shellTexts } from "./texts";

/**
 * The five places in reach of a thumb, below 1024 px. It has its place at the page's end, so nothing lies behind it
 * there, and `data-frame` moves up what else sticks to the bottom. Dialogs and a phone's keyboard lie over it.
 */
export function BottomBar() {
  const { pathname } = useLocation();
  const here = placeOf(pathname);
  return (
    <chakra.nav
      aria-label={shellTexts.bar}
      data-frame="bottom"
      position="sticky"
      bottom="0"
      zIndex="sticky"
      bg="bg.panel"
      borderTopWidth="1px"
      borderColor="border"
      boxShadow="bar"
      pb="env(safe-area-inset-bottom)"
    >
      <chakra.ul listStyleType="none" display="grid" gridTemplateColumns="repeat(5, 1fr)" maxWidth="narrow" mx="auto">
        {places.map((place) => (
          <li key={place.label}>
            <chakra.a
              asChild
              display="flex"
              flexDirection="column"
              alignItems="center"
              justifyContent="center"
              gap="0.5"
              minHeight="bar"
              fontSize="lg"
              color={place === here ? "fg.brand" : "fg.muted"}
              _focusVisible={{ outlineOffset: "-3px" }}
            >
              <Link
                to={place.path}
                aria-current={samePlace(place.path, pathname) ? "page" : place === here ? "true" : undefined}
              >
                {place.icon}
                <chakra.span fontSize="0.75rem" lineHeight="1" fontWeight={place === here ? "700" : "500"}>
                  {place.label}
                </chakra.span>
              </Link>
            </chakra.a>
          </li>
        ))}
      </chakra.ul>
    </chakra.nav>
  );
}

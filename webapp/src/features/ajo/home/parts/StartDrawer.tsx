import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { Link } from "react-router";
import type { AjoRow } from "@/api/schema.gen";
import { paths } from "@/lib/paths";
import { availableAjosSource } from "@/store/ajoSources";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { CardIcon, ChevronIcon, RotateIcon } from "@/ui/icons";
import { Loaded } from "@/ui/Loaded";
import { Sheet } from "@/ui/overlays";
import { ListSkeleton } from "@/ui/Skeletons";
import { listTexts, drawerTexts as t } from "../texts";

const WIDTH = "520px";
const LATEST = 10;

interface ChoiceProps {
  to: string;
  title: string;
  detail: string;
  icon: React.ReactNode;
  onChoose: () => void;
}

function Choice({ to, title, detail, icon, onChoose }: ChoiceProps) {
  return (
    <chakra.a
      asChild
      display="flex"
      alignItems="center"
      gap="3"
      minHeight="16"
      px="4"
      py="3"
      borderWidth="1px"
      borderColor="border.control"
      borderRadius="md"
      _hover={{ borderColor: "border.brand", bg: "bg.brand" }}
    >
      <Link to={to} onClick={onChoose}>
        <chakra.span color="fg.brand" fontSize="xl">
          {icon}
        </chakra.span>
        <chakra.span flex="1" minWidth="0">
          <chakra.span display="block" fontWeight="600">
            {title}
          </chakra.span>
          <chakra.span display="block" textStyle="small" color="fg.muted">
            {detail}
          </chakra.span>
        </chakra.span>
        <ChevronIcon />
      </Link>
    </chakra.a>
  );
}

/** Only a member comes in; to others it is no more than a name. */
function Row({ ajo, onChoose }: { ajo: AjoRow; onChoose: () => void }) {
  if (!ajo.isMember) {
    return (
      <chakra.p py="3" color="fg.muted" overflowWrap="anywhere" data-dimmed>
        {ajo.name}
      </chakra.p>
    );
  }
  return (
    <Flex justify="space-between" align="center" gap="3" py="3" position="relative" _hover={{ bg: "bg.muted" }}>
      <Box minWidth="0">
        <chakra.p fontWeight="600" overflowWrap="anywhere">
          {ajo.name}
        </chakra.p>
        <chakra.p textStyle="small" color="fg.muted" overflowWrap="anywhere">
          {ajo.description}
        </chakra.p>
      </Box>
      <chakra.div css={{ "& a::after": { content: '""', position: "absolute", inset: "0" } }}>
        <LinkButton
          to={paths.ajo(ajo.id)}
          size="sm"
          variant="outline"
          aria-label={listTexts.viewIt(ajo.name)}
          onClick={onChoose}
        >
          {listTexts.view}
        </LinkButton>
      </chakra.div>
    </Flex>
  );
}

function Latest({ onChoose }: { onChoose: () => void }) {
  const { remote, load } = useRead(availableAjosSource());
  return (
    <Loaded remote={remote} skeleton={<ListSkeleton rows={3} />} onRetry={load}>
      {(ajos) =>
        ajos.length === 0 ? (
          <chakra.p color="fg.muted">{t.none}</chakra.p>
        ) : (
          <chakra.ul listStyleType="none">
            {ajos.slice(0, LATEST).map((ajo) => (
              <chakra.li key={ajo.id} borderBottomWidth="1px" borderColor="border">
                <Row ajo={ajo} onChoose={onChoose} />
              </chakra.li>
            ))}
          </chakra.ul>
        )
      }
    </Loaded>
  );
}

/** The drawer from the left that one starts an ajo in. */
export function StartDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Sheet open={open} onClose={onClose} title={t.title} placement="start" width={WIDTH}>
      <Stack gap="3">
        <Choice to={paths.createAjo} title={t.group} detail={t.groupDetail} icon={<RotateIcon />} onChoose={onClose} />
        <Choice
          to={paths.newAjoCard}
          title={t.individual}
          detail={t.individualDetail}
          icon={<CardIcon />}
          onChoose={onClose}
        />
        <Flex justify="space-between" align="center" mt="4">
          <chakra.h3 textStyle="label" color="fg.muted">
            {t.latest}
          </chakra.h3>
          <LinkButton to={paths.ajoGroups} variant="link" onClick={onClose}>
            {t.all}
          </LinkButton>
        </Flex>
        <Latest onChoose={onClose} />
      </Stack>
    </Sheet>
  );
}

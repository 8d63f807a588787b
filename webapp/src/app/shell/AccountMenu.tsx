import { Box, chakra, Menu } from "@chakra-ui/react";
import { useNavigate } from "react-router";
import { paths } from "@/lib/paths";
import { fullName } from "@/lib/person";
import { useStore } from "@/store/store";
import { useMyPicture } from "@/store/usePicture";
import { LockIcon, LogoutIcon, ProfileIcon } from "@/ui/icons";
import { Avatar } from "@/ui/Person";
import { shellTexts } from "./texts";

export function AccountMenu() {
  const session = useStore((state) => state.session);
  const picture = useMyPicture();
  const logout = useStore((state) => state.logout);
  const navigate = useNavigate();
  if (!session) return null;
  const name = fullName(session);
  return (
    <Menu.Root positioning={{ placement: "bottom-end" }}>
      <Menu.Trigger asChild>
        <chakra.button
          type="button"
          aria-label={shellTexts.account}
          cursor="pointer"
          borderRadius="full"
          minWidth="11"
          minHeight="11"
          display="flex"
          alignItems="center"
          justifyContent="center"
        >
          <Avatar id={session.id} name={name} size="2.25rem" picture={picture} />
        </chakra.button>
      </Menu.Trigger>
      <Menu.Positioner>
        <Menu.Content>
          <Box px="3" py="2">
            <chakra.p fontWeight="600" textStyle="body">
              {name}
            </chakra.p>
            <chakra.p textStyle="small" color="fg.muted" overflowWrap="anywhere">
              {session.email}
            </chakra.p>
          </Box>
          <Menu.Separator />
          <Menu.Item value="profile" onSelect={() => navigate(paths.profile)}>
            <ProfileIcon />
            {shellTexts.profile}
          </Menu.Item>
          <Menu.Item value="security" onSelect={() => navigate(paths.security)}>
            <LockIcon />
            {shellTexts.security}
          </Menu.Item>
          <Menu.Item value="logout" onSelect={() => void logout()}>
            <LogoutIcon />
            {shellTexts.logout}
          </Menu.Item>
        </Menu.Content>
      </Menu.Positioner>
    </Menu.Root>
  );
}

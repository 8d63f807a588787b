import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import type { Account } from "@/api/schema.gen";
import { fileFault, IMAGE_TYPES } from "@/lib/files";
import { fullName } from "@/lib/person";
import { errorTexts } from "@/lib/texts/errors";
import { report, succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { useMyPicture } from "@/store/usePicture";
import { Button } from "@/ui/Button";
import { FilePicker } from "@/ui/form/FilePicker";
import { lazyPart } from "@/ui/lazyPart";
import { Avatar } from "@/ui/Person";
import { editTexts, profileTexts } from "../texts";

const Crop = lazyPart(() => import("./Crop").then((m) => m.Crop));

const t = profileTexts.avatar;
const d = editTexts.documents;
const faults = { empty: d.empty, tooLarge: d.tooLarge, wrongType: d.wrongImage };

const asFile = (canvas: HTMLCanvasElement) =>
  new Promise<File>((resolve, reject) =>
    canvas.toBlob(
      (blob) =>
        blob ? resolve(new File([blob], "avatar.jpg", { type: "image/jpeg" })) : reject(new Error(t.cannotRead)),
      "image/jpeg",
      0.9,
    ),
  );

function useAvatar() {
  const saveAvatar = useStore((state) => state.saveAvatar);
  const removeAvatar = useStore((state) => state.removeAvatar);
  const [picture, setPicture] = useState<ImageBitmap>();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();

  const choose = async (file: File) => {
    const wrong = fileFault(file, IMAGE_TYPES);
    setFault(wrong && faults[wrong]);
    if (wrong) return;
    await createImageBitmap(file).then(setPicture, () => setFault(t.cannotRead));
  };
  const doing = async (deed: () => Promise<string>, added?: string) => {
    setBusy(true);
    try {
      succeed((await deed()) || added || "");
      setPicture(undefined);
    } catch (error) {
      report(error, errorTexts.notAnswered.uploadImage);
    }
    setBusy(false);
  };
  const save = (canvas: HTMLCanvasElement) => void doing(async () => saveAvatar(await asFile(canvas)));
  const remove = () => void doing(removeAvatar, t.removed);
  return { picture, busy, fault, choose, save, remove, close: () => setPicture(undefined) };
}

/** The face of the one signed in, and how to change it. */
export function ChangeAvatar({ account }: { account: Account }) {
  const shown = useMyPicture();
  const { picture, busy, fault, choose, save, remove, close } = useAvatar();
  return (
    <Flex gap="4" align="center" wrap="wrap">
      <Avatar id={account.id} name={fullName(account)} size="5rem" picture={shown} />
      <Stack gap="1.5" flex="1 1 14rem">
        <Flex gap="2" wrap="wrap">
          <FilePicker name={t.change} accept={IMAGE_TYPES} onChoose={(file) => void choose(file)}>
            {t.change}
          </FilePicker>
          {account.avatar && (
            <Button variant="ghost" loading={busy && !picture} onClick={remove}>
              {t.remove}
            </Button>
          )}
        </Flex>
        <chakra.p textStyle="small" color="fg.muted">
          {t.help}
        </chakra.p>
        {fault && (
          <chakra.p role="alert" textStyle="small" color="fg.danger" fontWeight="500">
            {fault}
          </chakra.p>
        )}
      </Stack>
      {picture && <Crop picture={picture} saving={busy} onSave={save} onClose={close} />}
    </Flex>
  );
}

import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { type ReactNode, useMemo, useState } from "react";
import { useParams } from "react-router";
import { getAjoDraw } from "@/api/ajoDraw";
import { readProof } from "@/lib/draw/proof";
import { FILE_MAX_BYTES, keepFile } from "@/lib/files";
import { paths } from "@/lib/paths";
import { ajoSource } from "@/store/ajoSources";
import { useStore } from "@/store/store";
import { useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { FilePicker } from "@/ui/form/FilePicker";
import { BackLink } from "@/ui/frame";
import { Loaded } from "@/ui/Loaded";
import { PublicPage } from "@/ui/PublicPage";
import { ListSkeleton } from "@/ui/Skeletons";
import { Steps } from "@/ui/Steps";
import { DrawCheck } from "../parts/DrawCheck";
import { DrawnOrder, DrawStory } from "../parts/DrawStory";
import { ajoDrawTexts as t } from "../texts";

interface Opened {
  name: string;
  /** What is in it; undefined where it is no JSON. */
  value: unknown;
}

async function openFile(file: File): Promise<Opened> {
  try {
    if (file.size > FILE_MAX_BYTES) return { name: file.name, value: undefined };
    return { name: file.name, value: JSON.parse(await file.text()) };
  } catch {
    return { name: file.name, value: undefined };
  }
}

function keep(value: unknown, id: string) {
  keepFile(new Blob([JSON.stringify(value, null, 2)], { type: "application/json" }), `ajo-draw-${id}.json`);
}

/** Who holds which seat of an ajo now; nobody for a person who is not a member. */
function useNames(ajoId: string | undefined): Map<number, string> {
  const authenticated = useStore((state) => state.authenticated);
  const { remote } = useRead(authenticated && ajoId ? ajoSource(ajoId) : undefined);
  const seats = remote.state === "ready" ? remote.value.seats : undefined;
  return useMemo(
    () => new Map(seats?.map(({ seat, holders }) => [seat, holders.map(({ name }) => name).join(" & ")])),
    [seats],
  );
}

/** What was drawn, whether it is right, and the order. What is no proof fails its first step. */
function Drawn({ value, files }: { value: unknown; files: ReactNode }) {
  const proof = useMemo(() => readProof(value), [value]);
  const names = useNames(proof?.ajoId);
  return (
    <Stack gap="7">
      {proof && <DrawStory proof={proof} />}
      <DrawCheck value={value} test={proof?.beacon?.test ?? false} />
      {proof && <DrawnOrder proof={proof} names={names} />}
      {files}
    </Stack>
  );
}

function Files({ onOpen, children }: { onOpen: (opened: Opened) => void; children?: ReactNode }) {
  return (
    <Stack as="section" gap="3">
      <chakra.h2 textStyle="section">{t.fileTitle}</chakra.h2>
      <chakra.p textStyle="small" color="fg.muted">
        {t.fileText}
      </chakra.p>
      <Flex gap="3" wrap="wrap">
        {children}
        <FilePicker
          name={t.open}
          accept={["application/json", ".json"]}
          onChoose={async (file) => onOpen(await openFile(file))}
        >
          {t.open}
        </FilePicker>
      </Flex>
    </Stack>
  );
}

function FromServer({ id, onOpen }: { id: string; onOpen: (opened: Opened) => void }) {
  const { remote, load } = useRead({ key: `ajoDraw:${id}`, area: "account", read: () => getAjoDraw(id) });
  if (remote.state === "failed" && remote.missing) {
    return (
      <Stack gap="6">
        <Note tone="warning" title={t.missing} live>
          {t.missingText}
        </Note>
        <Files onOpen={onOpen} />
      </Stack>
    );
  }
  return (
    <Loaded remote={remote} skeleton={<ListSkeleton rows={6} />} onRetry={load}>
      {(value) => (
        <Drawn
          value={value}
          files={
            <Files onOpen={onOpen}>
              <Button onClick={() => keep(value, id)}>{t.download}</Button>
            </Files>
          }
        />
      )}
    </Loaded>
  );
}

interface FromFileProps {
  opened: Opened;
  onOpen: (opened: Opened) => void;
  onBack?: () => void;
}

function FromFile({ opened: { name, value }, onOpen, onBack }: FromFileProps) {
  const files = (
    <Files onOpen={onOpen}>
      {onBack && (
        <Button variant="outline" onClick={onBack}>
          {t.back}
        </Button>
      )}
    </Files>
  );
  return (
    <Stack gap="5">
      <chakra.p textStyle="label" overflowWrap="anywhere">
        {t.fromFile(name)}
      </chakra.p>
      {value === undefined ? (
        <>
          <Note tone="danger" live>
            {t.noFile}
          </Note>
          {files}
        </>
      ) : (
        <Drawn value={value} files={files} />
      )}
    </Stack>
  );
}

/** The app's own frame for a person who is logged in, a public page for others. */
function Page({ id, children }: { id: string | undefined; children: ReactNode }) {
  const lead = id ? t.lead : t.leadFile;
  const authenticated = useStore((state) => state.authenticated);
  if (!authenticated) {
    return (
      <PublicPage title={t.title} lead={lead} wide>
        {children}
      </PublicPage>
    );
  }
  return (
    <Box maxWidth="column">
      <title>{`${t.title} · Adashi`}</title>
      {id && <BackLink to={paths.ajo(id)}>{t.toAjo}</BackLink>}
      <PageHead title={t.title} detail={lead} />
      <Card>{children}</Card>
    </Box>
  );
}

/** For everybody: the draw of an ajo, or the file of one, drawn again in the browser. */
export function AjoDraw() {
  const { id } = useParams();
  const [opened, setOpened] = useState<Opened>();
  return (
    <Page id={id}>
      <Steps at={opened ? "file" : "address"}>
        {opened && <FromFile opened={opened} onOpen={setOpened} onBack={id ? () => setOpened(undefined) : undefined} />}
        {!opened && id && <FromServer id={id} onOpen={setOpened} />}
        {!opened && !id && <Files onOpen={setOpened} />}
      </Steps>
    </Page>
  );
}

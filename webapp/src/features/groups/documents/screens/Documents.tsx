import { Box, chakra, Flex, Grid, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { readFile } from "@/api/files";
import { getDocuments, getMyDocuments, removeDocument } from "@/api/groups";
import type { Group, GroupDocument } from "@/api/schema.gen";
import { isOfficial, useAct } from "@/features/groups/frame";
import { shortDay } from "@/lib/dates";
import { keepFile, sizeText } from "@/lib/files";
import { hasEnded } from "@/lib/groups";
import { paths } from "@/lib/paths";
import { savingsTexts } from "@/lib/texts/savings";
import { report } from "@/store/report";
import { groupsSource, ofGroup } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Card, PageHead } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { Empty } from "@/ui/Empty";
import { SelectField } from "@/ui/form/fields";
import { BackLink } from "@/ui/frame";
import { FileIcon } from "@/ui/icons";
import { OpenBook } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton } from "@/ui/Skeletons";
import { AddDocument } from "../parts/AddDocument";
import { documentTexts as t } from "../texts";

function Open({ document }: { document: GroupDocument }) {
  const [opening, setOpening] = useState(false);
  const open = async () => {
    setOpening(true);
    await readFile(document.link)
      .then((blob) => keepFile(blob, document.name.replaceAll(".", "-")))
      .catch((error: unknown) => report(error));
    setOpening(false);
  };
  return (
    <Button variant="outline" aria-label={t.openIt(document.name)} loading={opening} onClick={open}>
      {t.open}
    </Button>
  );
}

function Remove({ document, onDone }: { document: GroupDocument; onDone: () => void }) {
  const { act } = useAct(document.groupId);
  const [asked, setAsked] = useState(false);
  const remove = async () => {
    const done = await act(`undocument:${document.id}`, (key) => removeDocument(key, document.id));
    if (done) onDone();
    return done !== undefined;
  };
  return (
    <>
      <Button variant="ghost" aria-label={t.removeIt(document.name)} onClick={() => setAsked(true)}>
        {t.remove}
      </Button>
      <Confirm
        open={asked}
        title={t.removeTitle}
        yes={t.remove}
        no={t.keep}
        danger
        onClose={() => setAsked(false)}
        onYes={remove}
      >
        {t.removeText(document.name)}
      </Confirm>
    </>
  );
}

function Row({ document, named, onChanged }: { document: GroupDocument; named: boolean; onChanged: () => void }) {
  const { name, groupName, size, uploadedBy, dateCreated, canRemove } = document;
  return (
    <chakra.li display="flex" alignItems="center" gap="3" flexWrap="wrap" py="3" data-document={document.id}>
      <Box color="fg.muted" fontSize="lg">
        <FileIcon />
      </Box>
      <Box flex="1 1 12rem" minWidth="0">
        <chakra.p textStyle="body" fontWeight="600" overflowWrap="anywhere">
          {name}
        </chakra.p>
        <chakra.p textStyle="small" color="fg.muted" overflowWrap="anywhere">
          {[named && groupName, sizeText(size), t.by(uploadedBy, shortDay(dateCreated))].filter(Boolean).join(" · ")}
        </chakra.p>
      </Box>
      <Flex gap="2" ms="auto">
        <Open document={document} />
        {canRemove && <Remove document={document} onDone={onChanged} />}
      </Flex>
    </chakra.li>
  );
}

function List({ groups, group }: { groups: Group[]; group?: Group }) {
  const { remote, load } = useRead({
    ...ofGroup(group?.id ?? ""),
    key: `documents:${group?.id}`,
    read: () => (group ? getDocuments(group.id) : getMyDocuments()),
  });
  const open = (group ? [group] : groups).filter((one) => isOfficial(one) && !hasEnded(one));
  return (
    <Grid
      templateColumns={{ base: "minmax(0, 1fr)", xl: "minmax(0, 1.6fr) minmax(0, 1fr)" }}
      gap="4"
      alignItems="start"
    >
      <Card>
        <Loaded remote={remote} skeleton={<ListSkeleton rows={4} />} onRetry={load}>
          {(documents) =>
            documents.length === 0 ? (
              <Empty picture={<OpenBook />} title={t.emptyTitle}>
                {t.empty}
              </Empty>
            ) : (
              <chakra.ul listStyleType="none" divideY="1px" divideColor="border">
                {documents.map((document) => (
                  <Row key={document.id} document={document} named={!group} onChanged={load} />
                ))}
              </chakra.ul>
            )
          }
        </Loaded>
      </Card>
      {open.length > 0 && (
        <Card title={t.add}>
          <AddDocument key={group?.id} groups={open} groupId={group?.id} onDone={load} />
        </Card>
      )}
    </Grid>
  );
}

function Choosing({ groups }: { groups: Group[] }) {
  const [query, setQuery] = useSearchParams();
  const group = groups.find(({ id }) => id === query.get("group"));
  return (
    <Stack gap="4">
      {groups.length > 1 && (
        <Box maxWidth="form">
          <SelectField
            label={t.group}
            value={group?.id ?? ""}
            onChange={({ target }) => setQuery(target.value ? { group: target.value } : {}, { replace: true })}
          >
            <option value="">{t.every}</option>
            {groups.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        </Box>
      )}
      <List key={group?.id ?? ""} groups={groups} group={group} />
    </Stack>
  );
}

/** The papers of all one's groups, or of the one that the address names. */
export function Documents() {
  const { remote: groups, load } = useRead(groupsSource);
  const [query] = useSearchParams();
  const wanted = query.get("group");
  const found = groups.state === "ready" ? groups.value.find(({ id }) => id === wanted) : undefined;
  return (
    <Box>
      <title>{`${t.title} · Adashi`}</title>
      <BackLink to={found ? paths.group(found.id) : paths.savings}>{found?.name ?? savingsTexts.title}</BackLink>
      <PageHead title={t.title} detail={found ? t.ofGroup(found.name) : t.lead} />
      <Loaded remote={groups} skeleton={<ListSkeleton />} onRetry={load}>
        {(value) => (
          <Choosing
            groups={value.filter(({ memberStatus }) => memberStatus === "ACTIVE" || memberStatus === "INACTIVE")}
          />
        )}
      </Loaded>
    </Box>
  );
}

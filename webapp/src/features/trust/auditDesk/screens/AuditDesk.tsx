import { Stack } from "@chakra-ui/react";
import { useRef, useState } from "react";
import { auditDeskAsCsv, type DeskOf, getAuditDesk, markAjoPayments, markPayments } from "@/api/audit";
import type { AuditDesk as DeskPage } from "@/api/schema.gen";
import { type Audited, auditTexts, Desk, FilterBar, type OddityName, Pick, useQueue } from "@/features/trust/audit";
import { Watch } from "@/features/trust/witness";
import { keepFile } from "@/lib/files";
import { paths } from "@/lib/paths";
import { report } from "@/store/report";
import { Button, LinkButton } from "@/ui/Button";
import { Card, PageHead } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { DownloadIcon } from "@/ui/icons";
import { OpenBook } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton } from "@/ui/Skeletons";
import { Queues } from "../parts/Queues";
import { askedOf, type QueueName, useDesk } from "../parts/useDesk";
import { auditDeskTexts as t } from "../texts";

const odd = Object.keys(auditTexts.oddities) as OddityName[];

const stateOf = (queue: QueueName) => {
  if (queue === "DISPUTED") return undefined;
  return queue === "QUERIED" || queue === "ANSWERED" ? queue : "UNREVIEWED";
};

const audited = (queue: QueueName, of: DeskOf): Audited<DeskPage> => ({
  area: "savings",
  topics: ["group", "ajo"],
  key: `auditDesk:${JSON.stringify(of)}`,
  state: stateOf(queue),
  words: t,
  read: (before) => getAuditDesk({ ...of, before }),
  mark: (key, marks, seen, place) =>
    place?.kind === "AJO"
      ? markAjoPayments(key, place.id, marks, seen)
      : markPayments(key, place?.id ?? "", marks, seen),
});

function Csv({ of }: { of: DeskOf }) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      keepFile(await auditDeskAsCsv(of), t.file);
    } catch (error) {
      report(error);
    }
    setBusy(false);
  };
  return (
    <Button variant="outline" icon={<DownloadIcon />} loading={busy} onClick={save}>
      {auditTexts.csv}
    </Button>
  );
}

function Nobody() {
  return (
    <Card>
      <Empty
        picture={<OpenBook />}
        title={t.nobodyTitle}
        action={<LinkButton to={paths.savings}>{t.groups}</LinkButton>}
      >
        {t.nobody}
      </Empty>
    </Card>
  );
}

/** Every payment that waits for a validator, of all the groups and ajo that they audit. */
export function AuditDesk() {
  const { of: filters, queue: shown } = useDesk();
  const of = askedOf(shown, filters.filters);
  const queue = useQueue(audited(shown, of));
  const { payments, first } = queue;
  // While another queue is read, the queues and the filters stay as they were.
  const before = useRef(first);
  if (first) before.current = first;
  const known = before.current;
  const validates = known && known.places.length > 0;
  const { member } = filters.filters;
  return (
    <Stack gap="4">
      <title>{`${t.title} · Adashi`}</title>
      <PageHead title={t.title} detail={t.lead} action={validates && <Csv of={of} />} />
      {validates && <Queues current={shown} counts={known.queues} onChoose={filters.toList} />}
      {validates && (
        <FilterBar of={filters} odd={odd} member={member && payments.find(({ userId }) => userId === member)?.name}>
          <Pick
            name="place"
            label={t.place}
            any={t.allPlaces}
            of={filters}
            options={known.places.map(({ id, name }) => [id, name])}
          />
        </FilterBar>
      )}
      <Loaded remote={queue.remote} skeleton={<ListSkeleton rows={6} />} onRetry={queue.load}>
        {() => {
          if (!validates) return <Nobody />;
          if (payments.length > 0) {
            return <Desk queue={queue} onMember={member ? undefined : (id) => filters.set({ member: id })} />;
          }
          return (
            <Card>
              <Empty picture={<OpenBook />} title={filters.count > 0 ? auditTexts.noneFits : t.noneTitle}>
                {filters.count === 0 && t.none}
              </Empty>
            </Card>
          );
        }}
      </Loaded>
      {validates && <Watch />}
    </Stack>
  );
}

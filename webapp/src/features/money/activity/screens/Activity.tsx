import { Box, chakra } from "@chakra-ui/react";
import { paths } from "@/lib/paths";
import { Button, LinkButton } from "@/ui/Button";
import { Card, PageHead } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { Purse } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton } from "@/ui/Skeletons";
import { Exports } from "../list/Exports";
import { FilterBar } from "../list/FilterBar";
import { MovementList } from "../list/MovementList";
import { useFilters } from "../list/useFilters";
import { useMovements } from "../list/useMovements";
import { Contributions } from "../parts/Contributions";
import { filterTexts, activityTexts as t } from "../texts";

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (filtered) {
    return (
      <Empty
        picture={<Purse />}
        title={filterTexts.noneTitle}
        action={
          <Button variant="outline" onClick={onClear}>
            {filterTexts.clear}
          </Button>
        }
      >
        {filterTexts.none}
      </Empty>
    );
  }
  return (
    <Empty picture={<Purse />} title={t.emptyTitle} action={<LinkButton to={paths.wallet}>{t.fund}</LinkButton>}>
      {t.empty}
    </Empty>
  );
}

/** Every movement, by day: searched, narrowed down, and taken along. */
export function Activity() {
  const use = useFilters();
  const { remote, load, rows, more, paging } = useMovements(use.filters);
  const filtered = Object.keys(use.filters).length > 0;
  return (
    <chakra.div maxWidth="column">
      <title>Activity · Adashi</title>
      <PageHead title={t.title} detail={t.lead} action={<Exports filters={use.filters} />} />
      <Card>
        <FilterBar use={use} />
        <Loaded remote={remote} skeleton={<ListSkeleton rows={6} />} onRetry={load}>
          {() =>
            rows.length === 0 ? (
              <Nothing filtered={filtered} onClear={use.clear} />
            ) : (
              <MovementList rows={rows} paging={paging} onMore={more} />
            )
          }
        </Loaded>
      </Card>
      <Box mt="4">
        <Contributions />
      </Box>
    </chakra.div>
  );
}

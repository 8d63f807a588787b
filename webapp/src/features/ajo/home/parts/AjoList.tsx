import { SimpleGrid } from "@chakra-ui/react";
import type { ReactNode } from "react";
import type { AjoRow } from "@/api/schema.gen";
import { emblemsOf } from "@/lib/emblems";
import type { Source } from "@/store/source";
import { useRead } from "@/store/useRead";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { Circle } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { CardsSkeleton } from "@/ui/Skeletons";
import { AjoTile } from "./AjoTile";

export function Tiles({ ajos }: { ajos: AjoRow[] }) {
  const looks = emblemsOf(ajos.map(({ id }) => id));
  return (
    <SimpleGrid columns={{ base: 1, md: 2, xl: 3 }} gap="4">
      {ajos.map((ajo, at) => (
        <AjoTile key={ajo.id} ajo={ajo} look={looks[at]} />
      ))}
    </SimpleGrid>
  );
}

interface AjoListProps {
  source: Source<AjoRow[]>;
  /** What is said, and where one goes from there, when there is none. */
  none: { title: string; text: string; action: ReactNode };
  children: (ajos: AjoRow[]) => ReactNode;
}

/** A list of ajo, as soon as it is there. */
export function AjoList({ source, none, children }: AjoListProps) {
  const { remote, load } = useRead(source);
  return (
    <Loaded remote={remote} skeleton={<CardsSkeleton />} onRetry={load}>
      {(ajos) =>
        ajos.length === 0 ? (
          <Card>
            <Empty picture={<Circle />} title={none.title} action={none.action}>
              {none.text}
            </Empty>
          </Card>
        ) : (
          children(ajos)
        )
      }
    </Loaded>
  );
}

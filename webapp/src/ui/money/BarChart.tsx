import { Box, chakra, Flex } from "@chakra-ui/react";
import { briefNaira } from "@/lib/money";

interface Series {
  name: string;
  colour: string;
}

interface Group {
  key: string;
  label: string;
  /** Naira, one for each series. */
  values: number[];
}

/** From how many groups on a phone has room for every second label only. */
const CROWDED = 9;
/** Ends of a scale whose half is a round figure too. */
const ENDS = [1, 2, 3, 4, 6, 8, 10];

/** The round figure at or above the largest value. */
function endOfScale(largest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, largest)));
  return power * (ENDS.find((end) => end * power >= largest) ?? 10);
}

function Key({ series }: { series: Series[] }) {
  return (
    <Flex gap="4" textStyle="small" color="fg.muted">
      {series.map(({ name, colour }) => (
        <Flex key={name} align="center" gap="2">
          <Box boxSize="3" borderRadius="sm" bg={colour} />
          {name}
        </Flex>
      ))}
    </Flex>
  );
}

/** The lines across at none, half and all of the scale, with their figures at the left. */
function Scale({ end }: { end: number }) {
  return [end, end / 2, 0].map((naira) => (
    <Flex
      key={naira}
      position="absolute"
      insetX="0"
      bottom={`${(naira / end) * 100}%`}
      align="center"
      gap="2"
      height="0"
      textStyle="small"
      color="fg.muted"
    >
      <chakra.span width="12" flexShrink="0" textAlign="end" whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
        {naira === 0 ? "₦0" : briefNaira(naira)}
      </chakra.span>
      <Box flex="1" borderTopWidth="1px" borderColor="border" />
    </Flex>
  ));
}

/** Bars side by side, one for each series; the figure stands over it where there is one series alone. */
function Bars({ series, values, end }: { series: Series[]; values: number[]; end: number }) {
  const alone = series.length === 1;
  return series.map(({ name, colour }, at) => {
    const naira = values[at] ?? 0;
    return (
      <Flex key={name} direction="column" justify="end" align="center" flex="1" maxWidth={alone ? "11" : "4"}>
        {alone && (
          <chakra.span textStyle="small" fontWeight="600" lineHeight="1.6" whiteSpace="nowrap">
            {briefNaira(naira)}
          </chakra.span>
        )}
        <Box
          width="full"
          height={`${(naira / end) * 100}%`}
          minHeight={naira > 0 || alone ? "3px" : undefined}
          bg={naira > 0 ? colour : "grayLine"}
          flexShrink="0"
          borderTopRadius="sm"
        />
      </Flex>
    );
  });
}

/** Amounts by month or the like, drawn. It is not read aloud: a table of the exact figures stands beside it. */
export function BarChart({ series, groups }: { series: Series[]; groups: Group[] }) {
  const alone = series.length === 1;
  const largest = Math.max(1, ...groups.flatMap(({ values }) => values));
  const end = alone ? largest : endOfScale(largest);
  const crowded = groups.length >= CROWDED;
  return (
    <Box aria-hidden="true">
      {!alone && <Key series={series} />}
      <Box position="relative" height="10rem" mt={alone ? "6" : "5"}>
        {!alone && <Scale end={end} />}
        <Flex position="absolute" inset="0" ps={alone ? "0" : "14"}>
          {groups.map(({ key, values }) => (
            <Flex key={key} flex="1" minWidth="0" justify="center" gap="0.5" px={{ base: "0.5", md: "1.5" }}>
              <Bars series={series} values={values} end={end} />
            </Flex>
          ))}
        </Flex>
      </Box>
      <Flex ps={alone ? "0" : "14"} mt="2" textStyle="small" color="fg.muted">
        {groups.map(({ key, label }, at) => (
          <Flex key={key} flex="1" width="0" justify="center" whiteSpace="nowrap">
            <chakra.span
              display={{ base: crowded && (groups.length - at) % 2 === 0 ? "none" : "inline", md: "inline" }}
            >
              {label}
            </chakra.span>
          </Flex>
        ))}
      </Flex>
    </Box>
  );
}

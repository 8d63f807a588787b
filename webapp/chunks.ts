/**
 * Which modules share a script file. A browser pays for each file as well as for each byte, so a screen loads eight
 * files at most; scripts/size.mjs checks that, and the bytes. The higher priority takes a module first, with all that
 * it imports. The rest goes into the file of its screen, or into one of its own where two screens share it.
 */
const under = (...places: string[]) => new RegExp(`/src/(?:${places.join("|")})`);

const WORDS =
  "lib/texts/(?!ajo|owed)|ui/money/texts|features/\\w+/(account|dashboard|joining|landing|notifications|search|wallet)/texts";
const RARE_LIB = "texts|files|cache|kept|proof|draw|penalty|clocks";
const RARE_FORM = "Combobox|FilePicker|LookUp|Meter|Reason|Tick";
const RARE_MONEY = "arrived|BarChart|CardChoice|Pay|ChargeReview|OutcomeNote|Owed|MonthsChart";
const RARE_UI = `overlays|dialogs|LongList|CollapsibleList|Steps|Done|More|News|Qr|Tooltip|toasts|Story|inviting|form/(${RARE_FORM})|money/(${RARE_MONEY})`;

/** By the first pattern that fits, else by its wing: the file of what two screens of an area share. */
const areas: [place: RegExp, name: string][] = [
  [under("features/cases/(support|corrections)", "api/(support|corrections)"), "support"],
  [under("api/security"), "people"],
  [under("features/trust/audit"), "desk"],
  [under("features/trust", "api/(months|witness)"), "months"],
  [under("features/groups/(home/parts/GroupForm|settings)"), "founding"],
  [under("features/ajo/room"), "room"],
  [under("api/ajoActs", "lib/draw/(hashes|secrets)"), "ajo"],
  [under("lib/draw"), "draw"],
];

const areaOf = (id: string) =>
  areas.find(([place]) => place.test(id))?.[1] ?? /\/src\/features\/(\w+)\//.exec(id)?.[1] ?? null;

export const groups = [
  // What every screen loads: the entry, and the words, parts and commands that nearly all share.
  { name: "app", priority: 9, tags: ["$initial" as const] },
  {
    name: "ui",
    priority: 8,
    test: under(
      WORDS,
      "theme",
      `lib/(?!${RARE_LIB})`,
      "store/(asking|command|commands|reportMoney|useCommand|useUnanswered)\\.",
      `ui/(?!${RARE_UI})`,
    ),
  },
  // What opens over a screen, fetched once the screen is there.
  { name: "overlays", priority: 7, test: under("ui/(dialogs|toasts|Tooltip)", "app/shell/AccountMenu", "lib/cache") },
  { name: "lists", priority: 6, test: /@tanstack|\/src\/ui\/LongList/ },
  // What most screens behind the login share.
  {
    name: "work",
    priority: 6,
    test: new RegExp(
      `react-hook-form|${
        under(
          "store/(useSubmit|ajoSources|disputeSources|questionSources)\\.",
          "ui/(form/(FilePicker|Meter|Tick|Reason)|News|CollapsibleList)",
          "lib/(clocks|files|draw/hashes|proof/bytes|texts/ajo)",
          "features/(money/unanswered|groups/frame|trust/witness/index)",
          "api/(ajos|ajoCards|audit|disputes|questions)",
        ).source
      }`,
    ),
  },
  {
    name: "parts",
    priority: 5,
    minShareCount: 2,
    test: under(
      "api/(?!months|witness|support|corrections|finance|ajo|disputes|security)",
      "store/(?!payment/(useRail|usePayment))",
      "lib/(?!draw|proof|kept)",
      "ui/(?!Qr|inviting|Tooltip|money/(CardChoice|arrived))",
    ),
  },
  {
    name: "proof",
    priority: 4.5,
    test: under("lib/(proof|kept)", "features/groups/home/parts/seal\\.ts", "api/ledger"),
  },
  { name: "inviting", priority: 4, test: under("ui/(Qr|inviting)") },
  {
    name: "cases",
    priority: 4,
    minShareCount: 2,
    test: under("features/cases/(disputes|questions)/(?!.*screens)"),
  },
  {
    name: "money",
    priority: 4,
    minShareCount: 2,
    test: under("features/money/(?!.*screens)", "store/payment/(useRail|usePayment)", "ui/money/(CardChoice|arrived)"),
  },
  {
    name: areaOf,
    debugName: "areas",
    priority: 3,
    minShareCount: 2,
    test: under("features/(?!.*screens)", "lib/draw", "api/(security|ajoActs|months|witness|support|corrections)"),
  },
];

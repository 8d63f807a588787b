/** Who may import from whom: app → features → store → api → lib; ui and theme are leaves. */
const above = {
  features: "^src/app/",
  store: "^src/(app|features)/",
  api: "^src/(app|features|store|ui|theme)/",
  lib: "^src/(app|features|store|api|ui|theme)/",
  ui: "^src/(app|features|store|api)/",
  theme: "^src/(app|features|store|api|ui|lib)/",
};

/** The wings, and the areas of other wings that each may import; the areas of one wing know each other. */
const wings = {
  money: ["cases/questions", "trust/witness"],
  groups: ["trust/witness"],
  ajo: ["money/payments"],
  trust: ["cases/questions", "groups/frame"],
  cases: ["trust/witness"],
  people: ["trust/months", "trust/witness"],
  notices: [],
};

module.exports = {
  forbidden: [
    ...Object.entries(above).map(([layer, path]) => ({
      name: `${layer}-imports-downwards`,
      severity: "error",
      from: { path: `^src/${layer}/` },
      to: { path },
    })),
    {
      name: "areas-by-their-index",
      comment: "An area imports from another what its index offers; what all need lies in ui, store or lib.",
      severity: "error",
      from: { path: "^src/features/([^/]+/[^/]+)/" },
      to: { path: "^src/features/", pathNot: "^src/features/($1/|[^/]+/[^/]+/index\\.ts$)" },
    },
    {
      name: "every-area-has-a-wing",
      severity: "error",
      from: {},
      to: { path: "^src/features/", pathNot: `^src/features/(${Object.keys(wings).join("|")})/[^/]+/` },
    },
    ...Object.entries(wings).map(([wing, areas]) => ({
      name: `${wing}-knows-few`,
      comment: "A wing imports of other wings only the areas that `wings` names.",
      severity: "error",
      from: { path: `^src/features/${wing}/` },
      to: { path: "^src/features/", pathNot: `^src/features/(${[wing, ...areas].join("|")})/` },
    })),
    {
      name: "no-circles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "fetch-lives-in-api",
      comment: "The HTTP client is api's alone.",
      severity: "error",
      from: { pathNot: "^src/api/" },
      to: { path: "node_modules/(openapi-fetch|eventsource-parser)/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".js"] },
  },
};

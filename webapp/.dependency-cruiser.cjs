/** Who may import from whom: app → features → store → api → lib; ui and theme are leaves. */
const above = {
  features: "^src/app/",
  store: "^src/(app|features)/",
  api: "^src/(app|features|store|ui|theme)/",
  lib: "^src/(app|features|store|api|ui|theme)/",
  ui: "^src/(app|features|store|api)/",
  theme: "^src/(app|features|store|api|ui|lib)/",
};

/** The features that build on others; no arrow leads back. All others stand alone. */
const knows = {
  profile: ["account"],
  activity: ["questions", "witness"],
  security: ["account", "months", "witness"],
  wallet: ["standingOrders", "withdrawals"],
  dashboard: ["activity", "unanswered", "wallet"],
  payments: ["standingOrders"],
  ajo: ["ajoCard", "inviting"],
  ajoAudit: ["audit", "witness"],
  ajoPay: ["payments"],
  ajoRoom: ["ajo", "ajoPay"],
  documents: ["group"],
  audit: ["group", "questions", "witness"],
  auditDesk: ["audit", "witness"],
  disputes: ["witness"],
  dues: ["group"],
  questions: ["disputes"],
  members: ["group", "inviting"],
  requests: ["group"],
  subAccounts: ["group", "dues", "requests"],
  groupSettings: ["group", "members"],
  groups: ["group", "members", "subAccounts", "witness"],
  corrections: ["disputes"],
  support: ["disputes", "corrections"],
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
      name: "features-by-their-index",
      comment: "A feature imports from another what its index offers; what all need lies in ui, store or lib.",
      severity: "error",
      from: { path: "^src/features/([^/]+)/" },
      to: { path: "^src/features/", pathNot: "^src/features/($1/|[^/]+/index\\.ts$)" },
    },
    {
      name: "features-are-apart",
      comment: "A feature imports only from those that `knows` names.",
      severity: "error",
      from: { path: "^src/features/", pathNot: `^src/features/(${Object.keys(knows).join("|")})/` },
      to: { path: "^src/features/[^/]+/index\\.ts$" },
    },
    ...Object.entries(knows).map(([feature, others]) => ({
      name: `${feature}-knows-few`,
      severity: "error",
      from: { path: `^src/features/${feature}/` },
      to: { path: "^src/features/", pathNot: `^src/features/(${[feature, ...others].join("|")})/` },
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

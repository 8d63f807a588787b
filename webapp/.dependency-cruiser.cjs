/** The arrows of the house: app → features → store → api → lib; ui and theme are leaves. */
const above = {
  features: "^src/app/(?!paths\\.ts$)",
  store: "^src/(app|features)/",
  api: "^src/(app|features|store|ui|theme)/",
  lib: "^src/(app|features|store|api|ui|theme)/",
  ui: "^src/(app|features|store|api)/",
  theme: "^src/(app|features|store|api|ui|lib)/",
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
      name: "features-are-apart",
      comment: "No feature imports another; what two need lies in ui, store or lib.",
      severity: "error",
      from: { path: "^src/features/([^/]+)/" },
      to: { path: "^src/features/", pathNot: "^src/features/$1/" },
    },
    {
      name: "no-circles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "paths-is-a-leaf",
      severity: "error",
      from: { path: "^src/app/paths\\.ts$" },
      to: { path: "^src/" },
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

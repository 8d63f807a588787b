// The contract is for reading: nothing is called from this page, and nothing is asked of the internet.
globalThis.SwaggerUIBundle({
  url: "/docs/openapi.yaml",
  dom_id: "#contract",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  supportedSubmitMethods: [],
  validatorUrl: null,
});

// Writes what the app takes from the contract: the types, and how long the words of each request may be.
import { writeFileSync } from "node:fs";
import openapiTS, { astToString, COMMENT_HEADER } from "openapi-typescript";

const contract = new URL("../../proto/http/openapi.yaml", import.meta.url);
const into = (name) => new URL(`../src/${name}`, import.meta.url);

/** By request and field: { min, max }. */
const limits = {};

/** Notes a field that says how long it may be. @type {import("openapi-typescript").OpenAPITSOptions["transform"]} */
const note = ({ minLength: min, maxLength: max }, { path = "" }) => {
  const [, request, field] = /^#\/components\/schemas\/(\w+Request)\/(\w+)$/.exec(path) ?? [];
  if (request && max) limits[request] = { ...limits[request], [field]: { ...(min && { min }), max } };
  return undefined;
};

const types = await openapiTS(contract, { rootTypes: true, rootTypesNoSchemaPrefix: true, transform: note });
writeFileSync(into("api/schema.gen.ts"), COMMENT_HEADER + astToString(types));

const spelled = (of) => Object.entries(of).map(([name, value]) => `${name}: ${value}`);
const lines = Object.entries(limits).map(([request, fields]) => {
  const said = Object.entries(fields).map(([field, of]) => `${field}: { ${spelled(of).join(", ")} }`);
  const name = request[0].toLowerCase() + request.slice(1).replace(/Request$/, "Limits");
  return `export const ${name} = { ${said.join(", ")} } as const;\n`;
});
writeFileSync(
  into("lib/limits.gen.ts"),
  `/** How many letters the words of a request have, as the contract says: written by scripts/gen.mjs. */\n\n${lines.join("")}`,
);

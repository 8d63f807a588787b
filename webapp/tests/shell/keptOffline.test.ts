import { readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import * as ajoSources from "@/store/ajoSources";
import { without } from "@/store/offline";
import type { Source } from "@/store/source";
import * as sources from "@/store/sources";

/** What no device keeps of anybody, by what its field is called in the contract. */
const FORBIDDEN =
  /bvn|phone|mail|bank|account.?n(umber|ame)|guardian|birth|address|salar|nextOfKin|document|invitation|groupLink|token|secret|password|checkout|card(Id|Details)/i;

/** The sources that the device keeps, by key. */
const kept = Object.values({ ...sources, ...ajoSources } as Record<string, unknown>).flatMap((one) => {
  const source = (typeof one === "function" ? one("id", "id") : one) as Partial<Source<unknown>>;
  return source.kept ? [source as Source<unknown>] : [];
});

const contract = ts.createSourceFile(
  "schema.ts",
  readFileSync("src/api/schema.gen.ts", "utf8"),
  ts.ScriptTarget.Latest,
  true,
);

/** The type of a member of an interface or of an object's type. */
function memberOf(members: ts.NodeArray<ts.TypeElement>, name: string): ts.TypeNode | undefined {
  const found = members.find((one) => one.name && (one.name as ts.Identifier).text === name);
  return found && ts.isPropertySignature(found) ? found.type : undefined;
}

const interfaceOf = (name: string) =>
  (
    contract.statements.find(
      (one) => ts.isInterfaceDeclaration(one) && one.name.text === name,
    ) as ts.InterfaceDeclaration
  ).members;

const schemas = (memberOf(interfaceOf("components"), "schemas") as ts.TypeLiteralNode).members;

/** A value of a type of the contract in which every field is there. */
function sample(type: ts.TypeNode | undefined, depth = 0): unknown {
  if (!type || depth > 12) return "x";
  if (ts.isParenthesizedTypeNode(type)) return sample(type.type, depth);
  if (ts.isArrayTypeNode(type)) return [sample(type.elementType, depth + 1)];
  if (ts.isUnionTypeNode(type)) return sample(type.types[0], depth + 1);
  if (ts.isIntersectionTypeNode(type)) {
    return Object.assign({}, ...type.types.map((one) => sample(one, depth + 1)));
  }
  if (ts.isTypeLiteralNode(type)) {
    const fields = type.members.filter(ts.isPropertySignature);
    return Object.fromEntries(fields.map((one) => [(one.name as ts.Identifier).text, sample(one.type, depth + 1)]));
  }
  const named = /^components\["schemas"\]\["(\w+)"\]$/.exec(type.getText(contract))?.[1];
  return named ? sample(memberOf(schemas, named), depth + 1) : "x";
}

/** The names of all fields in a value. */
function fieldsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...fieldsIn(inner)]);
}

/** What each kept source answers, as the contract calls it. */
const answers: Record<string, string> = {
  balances: "Balances",
  walletMovements: "MovementPage",
  groups: "Group",
  "group:id": "Group",
  "subAccounts:id": "GroupSubAccounts",
  dashboard: "Dashboard",
  newestActivity: "MovementPage",
  "activity:id": "MovementDetail",
  "receipt:id": "Receipt",
  notifications: "NotificationPage",
  myAjos: "Ajo",
  "ajo:id": "Ajo",
  agenda: "AgendaRow",
  ajoDues: "AjoDues",
  ajoCards: "AjoCard",
};

describe("what the device keeps", () => {
  it("is what the spec of the cache names, and nothing else", () => {
    expect(kept.map(({ key }) => key).sort()).toEqual(Object.keys(answers).sort());
  });

  it.each(Object.entries(answers))("of %s carries no field that no device keeps", (_, name) => {
    const whole = sample(memberOf(schemas, name));
    expect(fieldsIn(whole).length).toBeGreaterThan(3);
    expect(fieldsIn(without(whole)).filter((field) => FORBIDDEN.test(field))).toEqual([]);
  });

  it("is without what would say who somebody is, where an account would be kept", () => {
    const account = sample(memberOf(schemas, "Account"));
    expect(fieldsIn(account).filter((field) => FORBIDDEN.test(field)).length).toBeGreaterThan(10);
    expect(fieldsIn(without(account)).filter((field) => FORBIDDEN.test(field))).toEqual([]);
  });
});

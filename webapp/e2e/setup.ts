import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeTemplates, type Product, SHARED, startProduct, TEMPLATES } from "./product.mjs";

let folder = "";
let product: Product | undefined;

/** Before all spec files: the data that they begin with, and the product that those share which never stop theirs. */
export async function setup() {
  if (process.env.ADASHI_URL) return;
  folder = mkdtempSync(join(tmpdir(), "adashi-e2e-templates-"));
  try {
    await makeTemplates(folder);
    process.env[TEMPLATES] = folder;
    product = await startProduct();
    process.env[SHARED] = product.url;
  } catch (error) {
    await teardown();
    throw error;
  }
}

export async function teardown() {
  await product?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
}

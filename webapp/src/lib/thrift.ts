interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/** Whether data is dear or slow here: then there are no pictures, no charts, and nothing is fetched ahead. */
export function isThrifty(): boolean {
  const { saveData, effectiveType = "" } = (navigator as { connection?: Connection }).connection ?? {};
  return Boolean(saveData) || effectiveType.endsWith("2g");
}

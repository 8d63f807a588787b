export const FILE_MAX_BYTES = 5 * 1024 * 1024;

export const IMAGE_TYPES = ["image/jpeg", "image/png"];
export const DOCUMENT_TYPES = [...IMAGE_TYPES, "application/pdf"];

export type FileFault = "empty" | "tooLarge" | "wrongType";

/** Checks a file before it is sent; the server looks at its content. */
export function fileFault(file: File, types: readonly string[]): FileFault | undefined {
  if (file.size === 0) return "empty";
  if (!types.includes(file.type)) return "wrongType";
  return file.size > FILE_MAX_BYTES ? "tooLarge" : undefined;
}

/** "840 KB", "1.2 MB" */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const kilo = bytes / 1024;
  return kilo < 1000 ? `${Math.round(kilo)} KB` : `${(kilo / 1024).toFixed(1)} MB`;
}

const endings: Record<string, string> = { "image/jpeg": ".jpg", "image/png": ".png", "application/pdf": ".pdf" };

/**
 * Hands a file on through the device's own sheet, where it takes such files; else it is kept. Answers whether it was
 * kept. Thinking better of it in the sheet is no failure.
 */
export async function shareFile(blob: Blob, name: string): Promise<boolean> {
  const file = new File([blob], name + (endings[blob.type] ?? ""), { type: blob.type });
  if (!navigator.canShare?.({ files: [file] })) {
    keepFile(blob, name);
    return true;
  }
  try {
    await navigator.share({ files: [file] });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return false;
    keepFile(blob, name);
    return true;
  }
  return false;
}

/** Hands a file to the browser to keep, under this name; a name without an ending gets that of its kind. */
export function keepFile(blob: Blob, name: string) {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name.includes(".") ? name : name + (endings[blob.type] ?? "");
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

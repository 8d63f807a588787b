import { type Answer, answer, bearer, client, fileAnswer } from "./client";
import type { Envelope, FileKind, StoredFile } from "./types";

type Stored = Envelope & { returnedObject: StoredFile };

/** A file of this member's or of who shares a group with them, by its address (/api/v1/files/{id}). */
export function readFile(address: string): Promise<Blob> {
  const id = address.split("/").at(-1) ?? "";
  return fileAnswer(client.GET("/api/v1/files/{id}", { params: { path: { id } }, parseAs: "blob" }));
}

/** Uploads and tells meanwhile how far it is, 0 to 1: fetch could not. */
export function uploadFile(
  file: File,
  kind: FileKind,
  onProgress: (part: number) => void = () => {},
): Promise<Answer<StoredFile>> {
  const form = new FormData();
  form.set("kind", kind);
  form.set("file", file);
  const sent = new Promise<{ data: Stored; response: Response }>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    };
    request.onerror = () => reject(new TypeError("no answer"));
    request.onload = () => {
      try {
        const data = JSON.parse(request.responseText) as Stored;
        resolve({ data, response: new Response(null, { status: request.status }) });
      } catch (error) {
        reject(error);
      }
    };
    request.open("POST", "/api/file/profile");
    const token = bearer();
    if (token) request.setRequestHeader("Authorization", `Bearer ${token}`);
    request.send(form);
  });
  return answer<Stored>(sent) as Promise<Answer<StoredFile>>;
}

import {
  type Answer,
  answer,
  bearer,
  client,
  fileAnswer,
  judgeSource,
  notePosition,
  OURS,
  refuseOffline,
} from "./client";
import type { Envelope, GroupDocument, StoredFile, UploadRequest } from "./schema.gen";

export type FileKind = UploadRequest["kind"];

/** A file of this member's or of who shares a group with them, by its address (/api/v1/files/{id}). */
export function readFile(address: string): Promise<Blob> {
  const id = address.split("/").at(-1) ?? "";
  return fileAnswer(client.GET("/api/v1/files/{id}", { params: { path: { id } }, parseAs: "blob" }));
}

/** Sends a form and tells meanwhile how far it is, 0 to 1: fetch could not. */
function sendForm<T extends Envelope>(
  address: string,
  form: FormData,
  headers: Record<string, string>,
  onProgress: (part: number) => void,
): Promise<{ data: T; response: Response }> {
  return new Promise((resolve, reject) => {
    refuseOffline();
    const token = bearer();
    const request = new XMLHttpRequest();
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    };
    request.onerror = () => reject(new TypeError("no answer"));
    request.onload = () => {
      try {
        judgeSource(request.status, request.getResponseHeader(OURS) !== null);
        const data = JSON.parse(request.responseText) as T;
        notePosition(Number(request.getResponseHeader("X-Position") ?? 0), token);
        resolve({ data, response: new Response(null, { status: request.status }) });
      } catch (error) {
        reject(error);
      }
    };
    request.open("POST", address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    if (token) request.setRequestHeader("Authorization", `Bearer ${token}`);
    request.send(form);
  });
}

export function uploadFile(
  file: File,
  kind: FileKind,
  onProgress: (part: number) => void = () => {},
): Promise<Answer<StoredFile>> {
  const form = new FormData();
  form.set("kind", kind);
  form.set("file", file);
  return answer(sendForm<Envelope & { returnedObject: StoredFile }>("/api/file/profile", form, {}, onProgress));
}

interface NewDocument {
  groupId: string;
  userId: string;
  name: string;
  file: File;
  onProgress: (part: number) => void;
}

export function saveGroupDocument(
  key: string,
  { groupId, userId, name, file, onProgress }: NewDocument,
): Promise<Answer<GroupDocument>> {
  const form = new FormData();
  for (const [field, value] of Object.entries({ groupId, userId, name })) form.set(field, value);
  form.set("file", file);
  const headers = { "Idempotency-Key": key };
  return answer(
    sendForm<Envelope & { returnedObject: GroupDocument }>(
      "/api/GroupSavings/save-group-document",
      form,
      headers,
      onProgress,
    ),
  );
}

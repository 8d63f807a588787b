import type { FieldPath, FieldValues, UseFormSetError } from "react-hook-form";

/** Puts the server's sentence beside the field it names, if the form has such a field. */
export function onField<F extends FieldValues>(
  names: readonly FieldPath<F>[],
  setError: UseFormSetError<F>,
): (field: string, text: string) => boolean {
  return (field, message) => {
    const name = names.find((one) => one === field);
    if (!name) return false;
    setError(name, { message }, { shouldFocus: true });
    return true;
  };
}

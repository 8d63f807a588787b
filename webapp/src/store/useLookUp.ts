import { useForm } from "react-hook-form";
import { useSubmit } from "./useSubmit";

/** The form by which a desk finds a member: an address, and the case for which somebody looks. */
export function useLookUp<T>(look: (email: string, kase: string) => Promise<T>, onFound: (found: T) => void) {
  const form = useForm({ defaultValues: { email: "", case: "" } });
  const onSubmit = useSubmit(form, {
    send: (typed) => look(typed.email.trim(), typed.case.trim()),
    onDone: onFound,
  });
  return { form, onSubmit };
}

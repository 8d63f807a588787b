import { useState } from "react";
import { useForm } from "react-hook-form";
import { emailsIn } from "@/lib/emails";
import { useSubmit } from "./useSubmit";

/** The form that mails an invitation. `send` answers how many were sent; undefined where it was refused. */
export function useMailing(send: (emails: string[]) => Promise<number | undefined>) {
  const [sent, setSent] = useState<number>();
  const form = useForm({ defaultValues: { emails: "" } });
  const onSubmit = useSubmit(form, {
    send: ({ emails }) => send(emailsIn(emails)),
    onDone: (count) => {
      setSent(count);
      form.reset();
    },
  });
  return { form, sent, onSubmit };
}

import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useForm } from "react-hook-form";
import { lookUpMemberLimits } from "@/lib/limits.gen";
import { Button } from "@/ui/Button";
import { TextField } from "./fields";

const { min: CASE_MIN, max: CASE_MAX } = lookUpMemberLimits.case;

interface LookUpProps {
  t: Record<"lead" | "email" | "emailFault" | "case" | "caseHelp" | "caseFault" | "look", string>;
  /** Looks for a member by an address, for a case. */
  onLook: (email: string, kase: string) => Promise<void>;
  /** Says what `onLook` threw: beside its field, where `beside` answers that there is one. */
  onFault: (error: unknown, beside: (field: string, text: string) => boolean) => void;
}

/** How somebody of a desk finds a member: by an address, and for a case, because looking is recorded. */
export function LookUp({ t, onLook, onFault }: LookUpProps) {
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { email: "", case: "" } });
  const submit = handleSubmit(async (typed) => {
    try {
      await onLook(typed.email.trim(), typed.case.trim());
    } catch (error) {
      onFault(error, (field, text) => {
        if (field !== "email" && field !== "case") return false;
        setError(field, { message: text }, { shouldFocus: true });
        return true;
      });
    }
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5" maxWidth="form">
        <chakra.p textStyle="body" color="fg.muted">
          {t.lead}
        </chakra.p>
        <TextField
          label={t.email}
          type="email"
          autoComplete="off"
          error={formState.errors.email?.message}
          {...register("email", { validate: (email) => email.includes("@") || t.emailFault })}
        />
        <TextField
          label={t.case}
          help={t.caseHelp}
          autoComplete="off"
          maxLength={CASE_MAX}
          error={formState.errors.case?.message}
          {...register("case", { validate: (kase) => kase.trim().length >= CASE_MIN || t.caseFault })}
        />
        <Flex>
          <Button type="submit" loading={formState.isSubmitting}>
            {t.look}
          </Button>
        </Flex>
      </Stack>
    </form>
  );
}

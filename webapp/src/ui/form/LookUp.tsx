import { chakra, Flex, Stack } from "@chakra-ui/react";
import type { FormEventHandler } from "react";
import type { UseFormReturn } from "react-hook-form";
import { lookUpMemberLimits } from "@/lib/limits.gen";
import { Button } from "@/ui/Button";
import { TextField } from "./fields";

const { min: CASE_MIN, max: CASE_MAX } = lookUpMemberLimits.case;

interface LookUpProps {
  t: Record<"lead" | "email" | "emailFault" | "case" | "caseHelp" | "caseFault" | "look", string>;
  form: UseFormReturn<{ email: string; case: string }>;
  onSubmit: FormEventHandler;
}

/** How somebody of a desk finds a member: by an address, and for a case, because looking is recorded. */
export function LookUp({ t, form, onSubmit }: LookUpProps) {
  const { register, formState } = form;
  return (
    <form onSubmit={onSubmit} noValidate>
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

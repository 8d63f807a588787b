import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useForm } from "react-hook-form";
import type { TotpEnrolment } from "@/api/schema.gen";
import { confirmTotp } from "@/api/security";
import { normalizeCode } from "@/features/people/account";
import { useSubmit } from "@/store/useSubmit";
import { Button } from "@/ui/Button";
import { CopyButton } from "@/ui/CopyButton";
import { TextField } from "@/ui/form/fields";
import { inPlace, lazyPart } from "@/ui/lazyPart";
import { securityTexts } from "../texts";

const Qr = lazyPart(() => import("@/ui/Qr").then((m) => m.Qr), { failed: inPlace });

const t = securityTexts.totp;

/** The button that led here is gone: keyboard and screen reader go on at the heading. */
const focusOnce = (heading: HTMLElement | null) => heading?.focus();

/** "JBSW Y3DP EHPK": what is typed by hand is read in fours. */
const inFours = (secret: string) => secret.match(/.{1,4}/g)?.join(" ") ?? secret;

function Secret({ enrolment }: { enrolment: TotpEnrolment }) {
  return (
    <Stack gap="3">
      <chakra.h3 textStyle="section" ref={focusOnce} tabIndex={-1} outline="0">
        {t.scanTitle}
      </chakra.h3>
      <chakra.p color="fg.muted">{t.scan}</chakra.p>
      <Flex minHeight="13rem">
        <Qr text={enrolment.uri} label={t.qr} />
      </Flex>
      <p>{t.typing}</p>
      <Flex align="center" gap="3" wrap="wrap">
        <chakra.code fontFamily="mono" fontSize="lg" overflowWrap="anywhere" data-secret={enrolment.secret}>
          {inFours(enrolment.secret)}
        </chakra.code>
        <CopyButton value={enrolment.secret} what={t.secret.toLowerCase()} />
      </Flex>
    </Stack>
  );
}

interface EnrolProps {
  enrolment: TotpEnrolment;
  onCodes: (codes: string[]) => void;
  onCancel: () => void;
}

/** Scan, or type; then show that it worked with the first code. */
export function Enrol({ enrolment, onCodes, onCancel }: EnrolProps) {
  const form = useForm({ defaultValues: { code: "" } });
  const { register, formState } = form;
  const confirm = useSubmit(form, {
    send: ({ code }) => confirmTotp(normalizeCode(code)),
    onDone: ({ value }) => onCodes(value.codes),
  });
  return (
    <Stack gap="6">
      <Secret enrolment={enrolment} />
      <form onSubmit={confirm} noValidate>
        <Stack gap="4">
          <chakra.h3 textStyle="section">{t.codeTitle}</chakra.h3>
          <TextField
            label={t.code}
            inputMode="numeric"
            autoComplete="one-time-code"
            error={formState.errors.code?.message}
            {...register("code", { validate: (code) => /^\d{6}$/.test(normalizeCode(code)) || t.codeFault })}
          />
          <Flex gap="3" wrap="wrap">
            <Button type="submit" loading={formState.isSubmitting}>
              {t.confirm}
            </Button>
            <Button variant="ghost" onClick={onCancel}>
              {t.cancel}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Stack>
  );
}

import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { findForRemedy } from "@/api/remedies";
import type { RemedyMember } from "@/api/types";
import { report } from "@/store/report";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { TextField } from "@/ui/form/fields";
import { remedyTexts as t } from "../texts";
import { MemberFacts } from "./MemberFacts";

const CASE_MIN = 3;
const CASE_MAX = 60;

interface FindProps {
  onChosen: (member: RemedyMember, kase: string) => void;
}

/** Who has an address, or had it, masked; looking is recorded. */
export function Find({ onChosen }: FindProps) {
  const [found, setFound] = useState<{ members: RemedyMember[]; kase: string }>();
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { email: "", kase: "" } });
  const submit = handleSubmit(async (typed) => {
    const [email, kase] = [typed.email.trim(), typed.kase.trim()];
    try {
      setFound({ members: (await findForRemedy(email, kase)).value, kase });
    } catch (error) {
      report(error, undefined, (field, text) => {
        const name = ({ email: "email", case: "kase" } as const)[field as "email" | "case"];
        if (!name) return false;
        setError(name, { message: text }, { shouldFocus: true });
        return true;
      });
    }
  });
  return (
    <Card title={t.findTitle}>
      <Stack gap="5">
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
              error={formState.errors.kase?.message}
              {...register("kase", { validate: (kase) => kase.trim().length >= CASE_MIN || t.caseFault })}
            />
            <Flex>
              <Button type="submit" loading={formState.isSubmitting}>
                {t.look}
              </Button>
            </Flex>
          </Stack>
        </form>
        {found?.members.length === 0 && <chakra.p role="status">{t.noneFound}</chakra.p>}
        {found?.members.map((member) => (
          <Stack key={member.userId} gap="3" bg="bg.muted" borderRadius="md" px="4" py="3">
            <chakra.h3 fontWeight="600">{member.name}</chakra.h3>
            <MemberFacts member={member} />
            {member.waits ? (
              <chakra.p textStyle="body">{t.waits}</chakra.p>
            ) : (
              <Flex>
                <Button variant="outline" onClick={() => onChosen(member, found.kase)}>
                  {t.choose}
                </Button>
              </Flex>
            )}
          </Stack>
        ))}
      </Stack>
    </Card>
  );
}

import { chakra, Flex, Stack } from "@chakra-ui/react";
import { paths } from "@/lib/paths";
import { LinkButton } from "@/ui/Button";
import { Badge } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { dashboardTexts } from "../texts";

const { steps: t } = dashboardTexts;

interface StepProps {
  step: { title: string; text: string; button: string };
  to: string;
  done?: boolean;
}

function Step({ step, to, done = false }: StepProps) {
  return (
    <Flex as="li" gap="3" py="3" align="center" justify="space-between">
      <chakra.div minWidth="0">
        <chakra.p textStyle="body" fontWeight="600">
          {step.title}
        </chakra.p>
        <chakra.p textStyle="small" color="fg.muted">
          {step.text}
        </chakra.p>
      </chakra.div>
      {done ? (
        <Badge tone="success">{t.done}</Badge>
      ) : (
        <LinkButton to={to} variant="outline" aria-label={step.title}>
          {step.button}
        </LinkButton>
      )}
    </Flex>
  );
}

/** What a person who is new does first, in place of figures that are all zero. */
export function FirstSteps({ verified }: { verified: boolean }) {
  return (
    <Card title={t.title}>
      <Stack as="ol" gap="0" divideY="1px" divideColor="border" listStyleType="none">
        <Step step={t.join} to={paths.createGroup} />
        <Step step={t.bank} to={paths.editProfile("bank")} done={verified} />
        <Step step={t.money} to={paths.fund} />
      </Stack>
    </Card>
  );
}

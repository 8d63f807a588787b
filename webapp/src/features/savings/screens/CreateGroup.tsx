import { Box, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useNavigate } from "react-router";
import type { CreateGroup as Request } from "@/api/savings";
import { paths } from "@/app/paths";
import { lagosDay } from "@/lib/dates";
import { parseAmount, toNaira } from "@/lib/money";
import { monthName } from "@/lib/months";
import { errorTexts } from "@/lib/texts/errors";
import { savingsTexts } from "@/lib/texts/savings";
import { report, succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { useIntent } from "@/store/useIntent";
import { Button } from "@/ui/Button";
import { Facts } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { Naira } from "@/ui/Naira";
import { type GroupDraft, GroupForm } from "../parts/GroupForm";

const t = savingsTexts.form;

function asRequest(draft: GroupDraft): Omit<Request, "userEmail"> {
  const parsed = parseAmount(draft.amount);
  return {
    name: draft.name.trim(),
    description: draft.description.trim(),
    amount: "kobo" in parsed ? toNaira(parsed.kobo) : 0,
    memberCapacity: Number(draft.memberCapacity),
    startMonthId: Number(draft.startMonthId),
    showTotalBalance: draft.showTotalBalance,
  };
}

interface SummaryProps {
  draft: GroupDraft;
  sending: boolean;
  onChange: () => void;
  onCreate: () => void;
}

function Summary({ draft, sending, onChange, onCreate }: SummaryProps) {
  const request = asRequest(draft);
  return (
    <Stack gap="6">
      <Facts
        rows={[
          [t.name, request.name],
          ...(request.description ? [[t.description, request.description] as [string, string]] : []),
          [t.amount, <Naira key="amount" amount={request.amount} />],
          [t.capacity, request.memberCapacity.toLocaleString("en-NG")],
          [t.startMonth, monthName(request.startMonthId)],
          [t.showTotal, request.showTotalBalance ? t.yes : t.no],
        ]}
      />
      <Stack gap="3">
        <Button size="lg" fullWidth loading={sending} onClick={onCreate}>
          {t.submit}
        </Button>
        <Button variant="ghost" fullWidth disabled={sending} onClick={onChange}>
          {t.change}
        </Button>
      </Stack>
    </Stack>
  );
}

export function CreateGroup() {
  const createGroup = useStore((state) => state.createGroup);
  const navigate = useNavigate();
  const [reviewing, setReviewing] = useState(false);
  const form = useForm<GroupDraft>({
    defaultValues: {
      name: "",
      description: "",
      amount: "",
      memberCapacity: "",
      startMonthId: String(Number(lagosDay().slice(5, 7))),
      showTotalBalance: true,
    },
  });
  const { state, run } = useIntent({ name: "createGroup", send: createGroup });

  const create = async () => {
    try {
      const created = await run(asRequest(form.getValues()));
      if (!created) return;
      succeed(created.message);
      navigate(paths.group(created.id), { replace: true });
    } catch (error) {
      report(error, errorTexts.notAnswered.createGroup, (field, message) => {
        if (!(field in form.getValues())) return false;
        setReviewing(false);
        form.setError(field as keyof GroupDraft, { message }, { shouldFocus: true });
        return true;
      });
    }
  };
  return (
    <Box maxWidth="40rem">
      <title>Create a group · Adashi</title>
      <PageHead title={reviewing ? t.reviewTitle : t.title} detail={reviewing ? t.reviewLead : t.lead} />
      <Card>
        {reviewing ? (
          <Summary
            draft={form.getValues()}
            sending={state === "sending"}
            onChange={() => setReviewing(false)}
            onCreate={create}
          />
        ) : (
          <GroupForm form={form} onReview={() => setReviewing(true)} />
        )}
      </Card>
    </Box>
  );
}

import { Flex } from "@chakra-ui/react";
import { useState } from "react";
import type { Case } from "@/api/schema.gen";
import { showNames } from "@/api/support";
import { unmaskLimits } from "@/lib/limits.gen";
import { told } from "@/store/reportMoney";
import { Button } from "@/ui/Button";
import { Reason } from "@/ui/form/Reason";
import { caseTexts as t } from "../texts";

const { max: REASON_MAX } = unmaskLimits.reason;

/** The member, masked until somebody says what they need the name for. */
export function Member({ kase }: { kase: Case }) {
  const { id, userId, member, isMine, isOpen } = kase;
  const [name, setName] = useState<string>();
  const [asking, setAsking] = useState(false);
  const show = async (reason: string) => {
    const done = await told(showNames(id, reason, [userId]));
    if (done) setName(done.value.find((one) => one.userId === userId)?.name);
    return Boolean(done);
  };
  return (
    <Flex gap="2" align="center" justify="flex-end" wrap="wrap">
      <span data-member>{name ? t.named(name, member) : member}</span>
      {!name && isMine && isOpen && (
        <Button variant="outline" size="sm" onClick={() => setAsking(true)}>
          {t.showName}
        </Button>
      )}
      <Reason
        open={asking}
        title={t.nameTitle}
        label={t.nameLabel}
        fault={t.nameFault}
        yes={t.showName}
        no={t.no}
        most={REASON_MAX}
        onClose={() => setAsking(false)}
        onYes={show}
      >
        {t.nameLead}
      </Reason>
    </Flex>
  );
}

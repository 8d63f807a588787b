import { Box, Flex } from "@chakra-ui/react";
import type { ComponentType } from "react";
import type { Notification } from "@/api/schema.gen";
import {
  ArrowInIcon,
  ArrowOutIcon,
  BankIcon,
  BellIcon,
  CheckIcon,
  CloseIcon,
  EyeOffIcon,
  GroupIcon,
  HelpIcon,
  InfoIcon,
  LockIcon,
  PlusIcon,
  ProfileIcon,
  WalletIcon,
  WarningIcon,
} from "@/ui/icons";

const tones = {
  plain: { bg: "bg.muted", color: "fg.muted" },
  brand: { bg: "bg.brand", color: "fg.brand" },
  good: { bg: "bg.success", color: "fg.success" },
  bad: { bg: "bg.danger", color: "fg.danger" },
  warn: { bg: "bg.warning", color: "fg.warning" },
};

type Look = [ComponentType, keyof typeof tones];

const looks: Record<Notification["type"], Look> = {
  payment_received: [ArrowInIcon, "good"],
  payment_failed: [CloseIcon, "bad"],
  payment_reversed: [ArrowOutIcon, "warn"],
  payment_queried: [HelpIcon, "warn"],
  wallet_funded: [WalletIcon, "good"],
  withdrawal_paid: [BankIcon, "good"],
  withdrawal_failed: [BankIcon, "bad"],
  contribution_due: [BellIcon, "brand"],
  contribution_overdue: [WarningIcon, "bad"],
  penalty_applied: [WarningIcon, "warn"],
  penalty_reversed: [CheckIcon, "good"],
  penalty_waived: [CheckIcon, "good"],
  due_waived: [CheckIcon, "good"],
  adjustment_paid: [CheckIcon, "good"],
  adjustment_taken: [InfoIcon, "warn"],
  member_invited: [PlusIcon, "brand"],
  member_joined: [GroupIcon, "brand"],
  member_approved: [CheckIcon, "good"],
  member_deactivated: [CloseIcon, "warn"],
  member_left: [GroupIcon, "plain"],
  validator_set: [ProfileIcon, "brand"],
  role_changed: [ProfileIcon, "brand"],
  group_approved: [GroupIcon, "good"],
  group_changed: [InfoIcon, "warn"],
  visibility_changed: [EyeOffIcon, "plain"],
  liquidation_requested: [ArrowOutIcon, "brand"],
  liquidation_validated: [CheckIcon, "brand"],
  liquidation_approved: [CheckIcon, "good"],
  liquidation_rejected: [CloseIcon, "bad"],
  liquidation_paid: [BankIcon, "good"],
  liquidation_failed: [BankIcon, "bad"],
  liquidation_on_hold: [BankIcon, "bad"],
  ajo_access_granted: [CheckIcon, "good"],
  ajo_access_refused: [CloseIcon, "bad"],
  ajo_access_lost: [CloseIcon, "bad"],
  ajo_started: [GroupIcon, "good"],
  ajo_order_drawn: [CheckIcon, "brand"],
  ajo_swap_requested: [HelpIcon, "brand"],
  ajo_due: [BellIcon, "brand"],
  ajo_overdue: [WarningIcon, "bad"],
  ajo_payment_queried: [HelpIcon, "warn"],
  ajo_turn_next: [BellIcon, "brand"],
  ajo_payout_ready: [WalletIcon, "good"],
  ajo_payout_requested: [HelpIcon, "brand"],
  ajo_payout_paid: [WalletIcon, "good"],
  ajo_payout_short: [WarningIcon, "warn"],
  ajo_payout_refused: [CloseIcon, "bad"],
  ajo_debt_opened: [WarningIcon, "bad"],
  ajo_debt_paid: [CheckIcon, "good"],
  ajo_penalty_applied: [WarningIcon, "warn"],
  ajo_penalty_reversed: [CheckIcon, "good"],
  ajo_penalty_waived: [CheckIcon, "good"],
  ajo_place_opened: [GroupIcon, "plain"],
  ajo_place_taken: [GroupIcon, "plain"],
  ajo_deposit_used: [WalletIcon, "warn"],
  ajo_motion_made: [HelpIcon, "warn"],
  ajo_offices_passed: [ProfileIcon, "brand"],
  ajo_paused: [InfoIcon, "warn"],
  ajo_gift: [CheckIcon, "good"],
  ajo_card_collector: [ProfileIcon, "brand"],
  guardian_consented: [CheckIcon, "good"],
  tier_set: [InfoIcon, "brand"],
  account_remedy: [LockIcon, "bad"],
  ajo_frozen: [InfoIcon, "warn"],
  ajo_expelled: [CloseIcon, "bad"],
  ajo_terminated: [InfoIcon, "warn"],
  ajo_completed: [CheckIcon, "good"],
  ajo_terms_changed: [InfoIcon, "warn"],
  ajo_contribution_refused: [CloseIcon, "bad"],
  ajo_card_filled: [CheckIcon, "good"],
  ajo_card_matured: [WalletIcon, "good"],
  bvn_verified: [CheckIcon, "good"],
  bvn_failed: [CloseIcon, "bad"],
  dispute_opened: [HelpIcon, "brand"],
  dispute_taken: [ProfileIcon, "brand"],
  dispute_asked: [HelpIcon, "warn"],
  dispute_resolved: [CheckIcon, "brand"],
  dispute_late: [WarningIcon, "bad"],
  dispute_hold: [LockIcon, "brand"],
  question_asked: [HelpIcon, "warn"],
  question_answered: [HelpIcon, "brand"],
  sample_drawn: [CheckIcon, "brand"],
  recheck_asked: [CheckIcon, "warn"],
  card_disputed: [HelpIcon, "warn"],
  card_answered: [CheckIcon, "brand"],
  card_answer_due: [HelpIcon, "warn"],
  card_dispute_ended: [CheckIcon, "brand"],
  money_frozen: [LockIcon, "warn"],
  money_thawed: [LockIcon, "good"],
  security_alert: [LockIcon, "bad"],
};

/** An icon for the kind of notification; the words beside it say the same. */
export function NoticeIcon({ type, unread }: { type: Notification["type"]; unread: boolean }) {
  const [Icon, tone] = looks[type] ?? ([BellIcon, "plain"] satisfies Look);
  return (
    <Box position="relative" flexShrink="0" aria-hidden="true" data-kind={type}>
      <Flex boxSize="9" borderRadius="full" align="center" justify="center" {...tones[tone]}>
        <Icon />
      </Flex>
      {unread && (
        <Box
          position="absolute"
          top="-1px"
          insetEnd="-1px"
          boxSize="2.5"
          borderRadius="full"
          bg="brand"
          borderWidth="2px"
          borderColor="white"
        />
      )}
    </Box>
  );
}

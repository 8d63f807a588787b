// Package commands says what became of a command of which its sender had no answer.
package commands

import (
	"context"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/infra/outcome"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/usecase"
)

// Service answers for the commands of one person at a time.
type Service struct{ *usecase.Base }

// errNotAskable is about a key whose commands cannot be found by it.
var errNotAskable = fault.Field("key", "We cannot look this key up. Please send the same again under the same key: it will not be done twice.")

// Outcome says what became of what a person sent under a key. Another person's key is as unknown as one that never
// came.
func (s *Service) Outcome(ctx context.Context, user, key string) (CommandOutcome, error) {
	if !outcome.Askable(key) {
		return CommandOutcome{}, errNotAskable
	}
	found, err := outcome.Of(ctx, s.Pool, user, key)
	if err != nil {
		return CommandOutcome{}, err
	}
	at := found.At.UTC()
	switch {
	case found.Several:
		return CommandOutcome{State: PARTLY}, nil
	case found.Recorded:
		out := CommandOutcome{State: DONE}
		if n := len(found.Records); n > 0 {
			last := found.Records[n-1]
			out.RecordedAt, out.Position, out.TransactionRef = &at, &last.Pos, usecase.OrNil(last.Correlation)
			out.Taken = usecase.NairaPtr(max(taken(found, user), 0))
		}
		return out, nil
	case found.Refusal != nil:
		return CommandOutcome{State: REFUSED, RecordedAt: &at, Refusal: &CommandRefusal{ //nolint:nilerr // The refusal is what was asked for.
			Message: found.Refusal.Message, ReturnedCode: string(found.Refusal.Code), Field: usecase.OrNil(found.Refusal.Field),
		}}, nil
	default:
		return CommandOutcome{State: UNKNOWN}, nil
	}
}

// taken is by how much the commands lowered a person's wallet, in kobo; negative where they raised it.
func taken(found outcome.Outcome, user string) (out money.Kobo) {
	for _, record := range found.Records {
		for _, line := range record.Lines {
			if line.Account == posting.Wallet(user) {
				out -= line.Amount
			}
		}
	}
	return out
}

package audit

import (
	"context"
	"fmt"
	"time"

	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/refusals"
)

// verifySeals checks that every refusal has the seal that an appender gave it, and that those without a seal are
// exactly those that the latest baseline counts: the refusals written before refusals were sealed, and none since.
func (w *walk) verifySeals(ctx context.Context, keys proofs.Keys, sealing refusals.Key, o *outside) error {
	if there, err := refusals.There(ctx, w.side); err != nil || !there {
		return err
	}
	sealed, digest := int64(0), refusals.NewDigest()
	bases := o.bases
	if w.tables["ledger_baselines"] {
		var err error
		if bases, err = bases.Stored(ctx, w.side, keys.Verifiers()); err != nil {
			return err
		}
	}
	base, bounded := bases.Latest(w.epoch)
	if err := refusals.Each(ctx, w.side, func(r refusals.Row) {
		switch {
		case len(r.Seal) == 0:
			digest.Add(r)
			if len(sealing) > 0 && bounded && r.RecordedAt.After(base.At.Add(time.Second)) { // It is in whole seconds.
				w.commandRuns.Violate(0, r.Command.String(), "Its refusal of %s has no seal, and refusals were sealed by then: it was changed or invented.", r.RecordedAt.UTC().Format(time.RFC3339))
			}
		case len(sealing) > 0 && !sealing.Made(r):
			w.commandRuns.Violate(0, r.Command.String(), "Its refusal is not the one that was sealed: it was changed or invented.")
		default:
			sealed++
		}
	}); err != nil {
		return err
	}
	w.saySeals(sealing, base, bounded, sealed, digest)
	return nil
}

// saySeals compares the refusals without a seal with the baseline, and reports how many were checked.
func (w *walk) saySeals(sealing refusals.Key, base proofs.Baseline, bounded bool, sealed int64, unsealed *refusals.Digest) {
	n, digest := unsealed.Sum()
	c := w.commandRuns
	switch {
	case len(sealing) == 0 && sealed > 0:
		c.Said = fmt.Sprintf("%d seals of refusals were not verified: that needs ADASHI_IDENTITY_KEY", sealed)
	case len(sealing) == 0:
	case !bounded && n > 0:
		c.Said = fmt.Sprintf("%d refusals have no seal, and no baseline bounds them yet", n)
	case bounded && (n != base.Unsealed || digest != base.Digest):
		c.Violate(0, "refusals", "%d refusals have no seal, and they are not the %d of the baseline of %s: some were changed, invented or removed.", n, base.Unsealed, base.At.Format(time.RFC3339))
	case n > 0:
		c.Said = fmt.Sprintf("%d refusals are from before refusals were sealed", n)
	}
}

package bundle

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/infra/proofs/liabilities"
)

// anchor checks that the accounts, at the position of a count, had the balance that the ledger then said it owed: an
// omitted movement before it would have changed that.
func (c *checking) anchor() error {
	if c.Bundle.Anchor == nil {
		return nil
	}
	if len(c.Bundle.Anchor.Owed.Receipt) > 0 {
		return wrong("what was counted as owed has a receipt that nobody looks at")
	}
	owed, err := c.counted()
	if err != nil {
		return err
	}
	if c.Earlier && owed.Position < c.from() {
		return wrong("what was owed was counted before what is told here")
	}
	held := map[string]int64{}
	for _, a := range c.Accounts {
		held[a.Name] = a.Opening
	}
	for _, e := range c.all {
		for _, line := range e.lines {
			if _, told := held[line.Account]; told && e.pos <= owed.Position {
				held[line.Account] = int64(line.Balance)
			}
		}
	}
	counted := map[string]bool{}
	for _, a := range owed.Accounts {
		kobo, told := held[a.Account]
		if !told || kobo != int64(a.Kobo) {
			return wrong("the account %s did not hold at position %d what was counted as owed: a movement before it is missing", a.Account, owed.Position)
		}
		counted[a.Account] = true
	}
	for name, kobo := range held {
		if kobo != 0 && !counted[name] {
			return wrong("what the account %s held at position %d is not in what was counted as owed", name, owed.Position)
		}
	}
	c.Anchored = len(counted)
	return nil
}

// from is the position of the first event that does not belong to the dispute itself. From there on the bundle has all
// of the member's events.
func (c *checking) from() int64 {
	for _, e := range c.all {
		if e.stream != dispute.Stream(c.Bundle.Dispute.ID) && !c.isRelated(e) {
			return e.pos
		}
	}
	return c.all[0].pos
}

// counted returns the count of what Adashi owed, checked against its record.
func (c *checking) counted() (owed liabilities.File, err error) {
	r, err := c.record(c.Bundle.Anchor.Counted, "what was counted as owed")
	if err != nil {
		return owed, err
	}
	m, err := r.Message()
	said, is := m.(*nairav1.LiabilitiesCommitted)
	if err != nil || !is {
		return owed, wrong("the record at position %d does not say what was counted as owed", r.Pos)
	}
	owed = c.Bundle.Anchor.Owed
	if said.GetReconciliationId() != owed.ID || said.GetPosition() != owed.Position || said.GetSumKobo() != int64(owed.Sum) ||
		said.GetLeaves() != owed.Leaves || len(said.GetRoot()) != liabilities.HashSize || owed.Position > r.Pos {
		return owed, wrong("the record at position %d counted something else", r.Pos)
	}
	if _, err := owed.Verify(liabilities.Hash(said.GetRoot())); err != nil {
		return owed, wrong("what was counted as owed: %w", err)
	}
	return owed, nil
}

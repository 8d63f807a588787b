package sim

import (
	"slices"

	"adashi.ng/ledger/event"
)

// Lose removes the ledger's last n commits, but none up to position keep, as a failover to a standby without them does.
func (d *Disk) Lose(n int, keep int64) {
	release := d.HoldLock()
	defer release()
	d.mu.Lock()
	defer d.mu.Unlock()
	from := d.tip.Pos
	for ; n > 0 && d.tip.Pos > keep; n-- {
		d.tips = d.tips[:len(d.tips)-1]
		d.tip = d.tips[len(d.tips)-1]
	}
	for last := len(d.epochs) - 1; last >= 0 && d.epochs[last].head > d.tip.Pos; last-- {
		d.epoch, d.epochs = d.epochs[last].epoch, d.epochs[:last]
	}
	for pos := from; pos > d.tip.Pos; pos-- {
		r := d.rows[pos].record
		delete(d.rows, pos)
		delete(d.commands, r.Command)
		d.versions[r.Stream] = d.versions[r.Stream][:r.Version-1]
		for _, line := range r.Lines {
			if pos > d.settled {
				break
			}
			if d.balances[line.Account] -= line.Amount; !d.posted(line.Account) {
				delete(d.balances, line.Account)
			}
		}
	}
	d.settled = min(d.settled, d.tip.Pos)
	for key, s := range d.snapshots {
		if s.Version > int64(len(d.versions[key.stream])) {
			delete(d.snapshots, key)
		}
	}
	for id, r := range d.refusals {
		if r.head > d.tip.Pos {
			delete(d.refusals, id)
			delete(d.commands, id)
		}
	}
}

// posted reports whether an account was ever posted to. The caller holds d.mu.
func (d *Disk) posted(account string) bool {
	for _, r := range d.rows {
		if slices.ContainsFunc(r.record.Lines, func(l event.Line) bool { return l.Account == account }) {
			return true
		}
	}
	return false
}

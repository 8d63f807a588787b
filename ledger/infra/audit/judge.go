package audit

import (
	"crypto/sha256"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/posting"
)

// judged is a row with the findings that need no other row.
type judged struct {
	*history.Row
	leaf    tlog.Hash     // Of the columns as they are.
	message proto.Message // Nil when it cannot be read.
	unread  error         // Why it could not be read.
	lines   string        // The mistake in its lines; empty when there is none.
}

// worker judges rows. It is not safe for concurrent use.
type worker struct{ buffer []byte }

// judge reads a chunk's rows and judges each.
func (w *worker) judge(c history.Chunk) ([]judged, error) {
	rows, err := c.Rows()
	if err != nil {
		return nil, err
	}
	all := make([]judged, len(rows))
	for i := range rows {
		all[i] = w.judgeRow(&rows[i])
	}
	return all, nil
}

func (w *worker) judgeRow(row *history.Row) judged {
	j := judged{Row: row, leaf: w.leaf(&row.Record)}
	if j.message, j.unread = row.Message(); j.unread != nil {
		return j
	}
	var want []event.Line
	if want, j.unread = postings(j.message); j.unread == nil {
		j.lines = linesDiffer(row.Lines, want, j.message)
	}
	return j
}

// leaf is tlog.RecordHash of the record, without its allocations.
func (w *worker) leaf(r *event.Record) tlog.Hash {
	w.buffer = r.AppendEncode(append(w.buffer[:0], 0)) // RFC 6962 puts a zero before a leaf.
	return sha256.Sum256(w.buffer)
}

// postings answers the lines of a message. posting.Lines panics for a message without a case.
func postings(m proto.Message) (lines []event.Line, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%v", cause)
		}
	}()
	return posting.Lines(m), nil
}

// linesDiffer says how the stored lines differ from those of the message, or why they are out of order.
func linesDiffer(stored, want []event.Line, m proto.Message) string {
	if len(stored) != len(want) {
		return fmt.Sprintf("%d lines are stored and its message posts %d.", len(stored), len(want))
	}
	var sum money.Kobo
	for i := range stored {
		if stored[i].Account != want[i].Account {
			return fmt.Sprintf("Line %d is on %s and its message posts to %s.", i+1, stored[i].Account, want[i].Account)
		}
		if stored[i].Amount != want[i].Amount {
			return fmt.Sprintf("Line %d moves %s and its message posts %s.", i+1, stored[i].Amount, want[i].Amount)
		}
		var err error
		if sum, err = sum.Add(stored[i].Amount); err != nil {
			return "Its lines leave the range of money."
		}
	}
	if sum != 0 {
		return fmt.Sprintf("Its lines sum to %s instead of nothing.", sum)
	}
	least := money.Kobo(1)
	if _, isPot := m.(*nairav1.AjoPaid); isPot {
		least = 0 // The holder gets nothing if nobody paid, or if all of the pot pays the holder's debt.
	}
	if amount, ok := m.(interface{ GetAmountKobo() int64 }); ok && want != nil {
		if kobo := money.Kobo(amount.GetAmountKobo()); kobo < least || kobo > money.Max {
			return fmt.Sprintf("It moves %s, and an amount is from %s to %s.", kobo, least, money.Max)
		}
	}
	return ""
}

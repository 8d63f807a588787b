package app

import (
	"context"
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/projections/activity"
)

// exportedAtOnce is how many movements are read at once for an export.
const exportedAtOnce = 1000

// byteOrderMark makes spreadsheets read a file as UTF-8.
const byteOrderMark = "\ufeff"

// ExportColumns are the columns of an export. Amounts are naira with two decimals, times Lagos.
var ExportColumns = []string{
	"Date", "Kind", "Title", "Group", "Sub-account", "Channel", "Money in", "Money out", "Charge", "Balance after", "Reference", "Recorded", "Position", "Id",
}

// ExportMovements writes those of a member's movements that are looked for as CSV, oldest first. begin is asked for
// where to once nothing can be refused any more. An error after that leaves the file broken off.
func (a *App) ExportMovements(ctx context.Context, user string, wanted Wanted, begin func() io.Writer) error {
	filter, err := a.filter(ctx, user, wanted)
	if err != nil {
		return err
	}
	rows, err := activity.After(ctx, a.Pool, user, filter, 0, 0, exportedAtOnce)
	if err != nil {
		return err
	}
	to := begin()
	if _, err := io.WriteString(to, byteOrderMark); err != nil {
		return err
	}
	file := csv.NewWriter(to)
	file.UseCRLF = true
	if err := file.Write(ExportColumns); err != nil {
		return err
	}
	for len(rows) > 0 {
		n, err := a.namesOf(ctx, rows)
		if err != nil {
			return err
		}
		for _, m := range rows {
			if err := file.Write(exported(m, n)); err != nil {
				return err
			}
		}
		if file.Flush(); file.Error() != nil {
			return file.Error()
		}
		if rows, err = activity.After(ctx, a.Pool, user, filter, rows[len(rows)-1].Pos, 0, exportedAtOnce); err != nil {
			return err
		}
	}
	file.Flush()
	return file.Error()
}

func exported(m activity.Movement, n names) []string {
	in, out, charge := "", "", ""
	if activity.Incoming(m.Kind) {
		in = decimals(m.Amount)
	} else {
		out = decimals(m.Amount)
	}
	if m.Charge > 0 {
		charge = decimals(m.Charge)
	}
	balance := decimals(m.Balance)
	if m.Kind == activity.SavingsPaidOut {
		balance = "" // The wallet is as it was.
	}
	const clock = "2006-01-02 15:04:05"
	row := []string{
		m.EffectiveAt.In(lagos.Zone).Format(clock), m.Kind, title(m, n), n.groups[m.GroupID].Name, n.subs[m.SubAccountID].Name, channelName(m.Channel),
		in, out, charge, balance, m.Reference, m.RecordedAt.In(lagos.Zone).Format(clock), strconv.FormatInt(m.Pos, 10), m.ID.String(),
	}
	for i := range row {
		row[i] = harmless(row[i])
	}
	return row
}

func decimals(k money.Kobo) string { return k.Decimal().StringFixed(2) }

// formulas are what a cell begins with that a spreadsheet would run, full-width signs too. The apostrophe that stops it
// is doubled by one of its own, so that what was written can be told.
const formulas = "=+-@\t\r\n＝＋－＠'"

// harmless keeps a spreadsheet from running a cell that somebody else may have written, such as a group's name.
func harmless(cell string) string {
	if cell != "" && strings.ContainsRune(formulas, []rune(cell)[0]) {
		return "'" + cell
	}
	return cell
}

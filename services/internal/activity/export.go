package activity

import (
	"context"
	"encoding/csv"
	"io"
	"strconv"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/projections/activity"
	"adashi.ng/services/internal/usecase"
)

// ExportColumns are the columns of an export. Amounts are naira with two decimals, times Lagos. Money in less money out
// is the wallet's balance; money that never was in the wallet is in the column "Beside the wallet".
var ExportColumns = []string{
	"Date", "Kind", "Title", "Group", "Sub-account", "Channel", "Money in", "Money out", "Charge", "Balance after", "Reference", "Recorded", "Position", "Id", "Beside the wallet",
}

// ExportMovements writes a member's matching movements as CSV, oldest first. It calls begin for the writer once it can
// no longer refuse. After a later error the file is incomplete.
func (s *Service) ExportMovements(ctx context.Context, user string, wanted Wanted, begin func() io.Writer) error {
	filter, err := s.filter(ctx, user, wanted)
	if err != nil {
		return err
	}
	rows, err := activity.After(ctx, s.Pool, user, filter, 0, 0, usecase.ExportedAtOnce)
	if err != nil {
		return err
	}
	to := begin()
	if _, err := io.WriteString(to, usecase.ByteOrderMark); err != nil {
		return err
	}
	file := csv.NewWriter(to)
	file.UseCRLF = true
	if err := file.Write(ExportColumns); err != nil {
		return err
	}
	for len(rows) > 0 {
		n, err := s.namesOf(ctx, rows)
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
		if rows, err = activity.After(ctx, s.Pool, user, filter, rows[len(rows)-1].Pos, 0, usecase.ExportedAtOnce); err != nil {
			return err
		}
	}
	file.Flush()
	return file.Error()
}

func exported(m activity.Movement, n usecase.Names) []string {
	in, out, beside, charge := "", "", "", ""
	switch {
	case activity.BesideWallet(m.Kind):
		beside = usecase.Decimals(m.Amount)
	case activity.Incoming(m.Kind):
		in = usecase.Decimals(m.Amount)
	default:
		out = usecase.Decimals(m.Amount)
	}
	if m.Charge > 0 {
		charge = usecase.Decimals(m.Charge)
	}
	balance := usecase.Decimals(m.Balance)
	if beside != "" {
		balance = "" // The wallet did not change.
	}
	const clock = "2006-01-02 15:04:05"
	row := []string{
		m.EffectiveAt.In(lagos.Zone).Format(clock), m.Kind, Title(m, n), n.Groups[m.GroupID].Name, n.Subs[m.SubAccountID].Name, usecase.ChannelName(m.Channel),
		in, out, charge, balance, m.Reference, m.RecordedAt.In(lagos.Zone).Format(clock), strconv.FormatInt(m.Pos, 10), m.ID.String(), beside,
	}
	for i := range row {
		row[i] = usecase.Harmless(row[i])
	}
	return row
}

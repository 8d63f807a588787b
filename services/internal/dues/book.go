package dues

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/sampling"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/months"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/statement"
	"adashi.ng/services/internal/usecase"
)

// BookColumns are the columns of a group's book. Amounts are naira with two decimals, times Lagos.
var BookColumns = []string{"Date", "Kind", "Sub-account", "Member", "Paid by", "For", "Channel", "Money in", "Money out", "Balance", "Reversed", "Position", "Id"}

// bookKinds are the names of the kinds of movements.
var bookKinds = map[string]string{
	groups.Contributed: "Contribution", groups.Covered: "Contribution paid by another", groups.Undone: "Contribution reversed",
	groups.PaidOut: "Payout", groups.CameBack: "Payout that came back", groups.RestPaid: "Paid into a wallet when the group closed", groups.Parked: "Kept by Adashi for a member whose account is closed",
}

// book is a selection of a group's movements, and the balance before them.
type book struct {
	groups.Book
	group  groups.Group
	subs   map[string]groups.SubAccount
	looked groups.Looked
	one    string // The name of its sub-account, when it is of only one.
}

func (s *Service) book(ctx context.Context, user, groupID string, subID, from, to *string) (book, error) {
	c, g, _, err := s.Membership.Official(ctx, user, groupID)
	if err != nil {
		return book{}, err
	}
	subs, err := c.Chosen(g, subID)
	if err != nil {
		return book{}, err
	}
	b := book{group: g, subs: map[string]groups.SubAccount{}, looked: groups.Looked{Subs: membership.SubAccountIDs(subs)}}
	for _, sub := range subs {
		b.subs[sub.ID] = sub
		if subID != nil && *subID != "" {
			b.one = sub.Name
		}
	}
	if b.looked.From, b.looked.To, err = usecase.Span(from, to); err != nil {
		return b, err
	}
	b.Book, err = groups.BookOf(ctx, s.Pool, b.looked)
	return b, err
}

// ExportBook writes every movement of a group's money as CSV, oldest first, for its officials. It calls begin for the
// writer once it can no longer refuse. After a later error the file is incomplete.
func (s *Service) ExportBook(ctx context.Context, user, groupID string, subID, from, to *string, begin func() io.Writer) error {
	b, err := s.book(ctx, user, groupID, subID, from, to)
	if err != nil {
		return err
	}
	out := begin()
	if _, err := io.WriteString(out, usecase.ByteOrderMark); err != nil {
		return err
	}
	file := csv.NewWriter(out)
	file.UseCRLF = true
	if err := file.Write(BookColumns); err != nil {
		return err
	}
	balance := b.Opening
	if err := s.eachOfBook(ctx, b, func(m groups.Contribution, name, paidBy string) error {
		balance += m.Amount
		return file.Write(b.row(m, name, paidBy, balance))
	}); err != nil {
		return err
	}
	file.Flush()
	return file.Error()
}

// eachOfBook passes a book's movements, with the names of their people, to take.
func (s *Service) eachOfBook(ctx context.Context, b book, take func(m groups.Contribution, name, paidBy string) error) error {
	return b.Each(ctx, s.Pool, usecase.ExportedAtOnce, func(some []groups.Contribution) error {
		var users []string
		for _, m := range some {
			users = append(users, m.User, m.PaidBy)
		}
		cards, err := s.People.Cards(ctx, users)
		if err != nil {
			return err
		}
		for _, m := range some {
			paidBy := ""
			if m.PaidBy != "" {
				paidBy = usecase.FullName(cards, m.PaidBy)
			}
			if err := take(m, usecase.FullName(cards, m.User), paidBy); err != nil {
				return err
			}
		}
		return nil
	})
}

// periods names the dues that a movement settled.
func (b book) periods(m groups.Contribution) string {
	schedule, labels := usecase.ScheduleOf(b.subs[m.SubAccountID]), []string{}
	for _, p := range m.Parts() {
		labels = append(labels, schedule.Label(schedule.At(savings.ParseDay(p.Period))))
	}
	return strings.Join(labels, "; ")
}

func (b book) row(m groups.Contribution, name, paidBy string, balance money.Kobo) []string {
	in, gone, reversed := "", "", ""
	if m.Amount > 0 {
		in = usecase.Decimals(m.Amount)
	} else {
		gone = usecase.Decimals(-m.Amount)
	}
	if m.Reversed {
		reversed = "yes"
	}
	row := []string{
		m.At.In(lagos.Zone).Format("2006-01-02 15:04:05"), bookKinds[m.Kind], b.subs[m.SubAccountID].Name, name, paidBy, b.periods(m), usecase.ChannelName(m.Channel),
		in, gone, usecase.Decimals(balance), reversed, strconv.FormatInt(m.Pos, 10), m.ID.String(),
	}
	for i := range row {
		row[i] = usecase.Harmless(row[i])
	}
	return row
}

// errTooLong ends the reading of a book that is too long for a PDF.
var errTooLong = errors.New("dues: the book is too long")

// Book returns the book of a group as a PDF, for its officials.
func (s *Service) Book(ctx context.Context, user, groupID string, subID, from, to *string) ([]byte, error) {
	b, err := s.book(ctx, user, groupID, subID, from, to)
	if err != nil {
		return nil, err
	}
	paper := statement.Statement{
		Title: "Group book", Holder: b.group.Name, From: b.looked.From, To: b.looked.To.AddDate(0, 0, -1), Opening: b.Opening, Closing: b.Opening,
		Position: b.Position, IssuedAt: s.Now().In(lagos.Zone),
	}
	if b.looked.From.IsZero() {
		paper.From = b.group.CreatedAt.In(lagos.Zone)
	}
	if b.looked.To.IsZero() {
		paper.To = paper.IssuedAt
	}
	if b.one != "" {
		paper.Holder += " · " + b.one
	}
	err = s.eachOfBook(ctx, b, func(m groups.Contribution, name, _ string) error {
		if len(paper.Lines) == statement.MovementsMax {
			return errTooLong
		}
		line := statement.Line{At: m.At.In(lagos.Zone), What: b.what(m, name)}
		if m.Amount > 0 {
			line.In = m.Amount
		} else {
			line.Out = -m.Amount
		}
		paper.In, paper.Out, paper.Closing = paper.In+line.In, paper.Out+line.Out, paper.Closing+m.Amount
		line.Balance = paper.Closing
		paper.Lines = append(paper.Lines, line)
		return nil
	})
	if errors.Is(err, errTooLong) {
		return nil, fault.Field("from", "There are more than %d movements in this time. Choose a shorter one, or download them as CSV.", statement.MovementsMax)
	}
	if err != nil {
		return nil, err
	}
	closed, err := s.closedIn(ctx, b)
	if err != nil {
		return nil, err
	}
	paper.Lines = append(paper.Lines, closed...)
	return statement.PDF(paper)
}

// closedIn lists the months that were attested in the book's time, with the result of each sample.
func (s *Service) closedIn(ctx context.Context, b book) (lines []statement.Line, err error) {
	closed, err := months.Of(ctx, s.Pool, b.group.ID)
	if err != nil || b.one != "" {
		return nil, err
	}
	cards, err := s.People.Cards(ctx, usecase.UniqueIDs(attesters(closed)))
	for _, m := range slices.Backward(closed) { // The oldest first.
		if m.AttestedAt == nil || m.AttestedAt.Before(b.looked.From) || !b.looked.To.IsZero() && !m.AttestedAt.Before(b.looked.To) {
			continue
		}
		at := m.AttestedAt.In(lagos.Zone)
		lines = append(lines, statement.Line{At: at, Note: sampling.Named(m.Month) + " is closed by " + usecase.FullName(cards, m.AttestedBy) + "."})
		for sentence := range strings.SplitSeq(strings.TrimSuffix(usecase.Findings(m).Sentence(), "."), ". ") {
			lines = append(lines, statement.Line{Note: sentence + "."})
		}
	}
	return lines, err
}

func attesters(closed []months.Month) (users []string) {
	for _, m := range closed {
		users = append(users, m.AttestedBy)
	}
	return users
}

// what is a short title of a movement.
func (b book) what(m groups.Contribution, name string) string {
	words := name
	if b.one == "" {
		words += " · " + b.subs[m.SubAccountID].Name
	}
	switch {
	case m.Kind != groups.Contributed && m.Kind != groups.Covered:
		words += " · " + bookKinds[m.Kind]
	case len(m.Parts()) > 0:
		words += " · " + b.periods(m)
	}
	return words
}

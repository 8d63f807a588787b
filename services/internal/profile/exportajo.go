package profile

import (
	"context"
	"time"

	"adashi.ng/ledger/domain/ajoaccess"
	"adashi.ng/projections/ajos"
)

// exportedAjo is our data about a member's rotating savings. It names no other members.
type exportedAjo struct {
	Access    *exportedAccess       `json:"access,omitempty"` // Only for members who ever asked for access.
	Places    []exportedPlace       `json:"places"`
	Movements []exportedAjoMovement `json:"movements"`
	Debts     []exportedDebt        `json:"debts"`
	Cards     []exportedCard        `json:"cards"`
	Fills     []exportedFill        `json:"fills"`
}

// exportedAccess is how far they may join ajo with people whom they do not know.
type exportedAccess struct {
	Status     string    `json:"status"`
	Since      time.Time `json:"since"`
	HasAccess  bool      `json:"hasAccess"`
	SalaryKobo int64     `json:"salaryKobo"`
	LimitKobo  int64     `json:"limitKobo,omitempty"`
	Reason     string    `json:"reason,omitempty"`
}

type exportedPlace struct {
	AjoID        string  `json:"ajoId"`
	Name         string  `json:"name"`
	Seats        []int32 `json:"seats"`
	Halves       int     `json:"halves"`
	HasLeft      bool    `json:"hasLeft"`
	DepositKobo  int64   `json:"depositKobo"`
	LetsTakeDues bool    `json:"letsTakeDues"`
	LetsTakeDebt bool    `json:"letsTakeDebts"`
}

// exportedAjoMovement is ajo money that belonged to them, that they paid, or that they received.
type exportedAjoMovement struct {
	ID         string    `json:"id"`
	Position   int64     `json:"position"`
	AjoID      string    `json:"ajoId"`
	Kind       string    `json:"kind"`
	Source     string    `json:"source"`
	Cycle      int       `json:"cycle,omitempty"`
	Seat       int       `json:"seat,omitempty"`
	AmountKobo int64     `json:"amountKobo"`
	At         time.Time `json:"at"`
	Own        bool      `json:"own"` // Of their own due, debt or turn.
	Paid       bool      `json:"paid"`
	Received   bool      `json:"received"`
}

type exportedDebt struct {
	ID           string    `json:"id"`
	AjoID        string    `json:"ajoId"`
	Kind         string    `json:"kind"`
	Owes         bool      `json:"owes"` // They owe it; otherwise somebody owes it to them.
	Cycle        int       `json:"cycle"`
	Seat         int       `json:"seat"`
	AmountKobo   int64     `json:"amountKobo"`
	PenaltyKobo  int64     `json:"penaltyKobo"`
	PaidKobo     int64     `json:"paidKobo"`
	ForgivenKobo int64     `json:"forgivenKobo"`
	LeftKobo     int64     `json:"leftKobo"`
	OpenedAt     time.Time `json:"openedAt"`
}

type exportedCard struct {
	ID             string     `json:"id"`
	Name           string     `json:"name"`
	Description    string     `json:"description"`
	Status         string     `json:"status"`
	AmountKobo     int64      `json:"amountKobo"` // Of a box.
	Boxes          int        `json:"boxes"`
	Filled         int        `json:"filled"`
	Frequency      string     `json:"frequency"`
	Start          string     `json:"start"`
	Finish         string     `json:"finish"`
	HasCollector   bool       `json:"hasCollector"`
	FeeKobo        int64      `json:"feeKobo"`
	VATKobo        int64      `json:"vatKobo"`
	CommissionKobo int64      `json:"commissionKobo"`
	OpenedAt       time.Time  `json:"openedAt"`
	EndedAt        *time.Time `json:"endedAt,omitempty"`
}

// exportedFill is some boxes of a card that they filled, or that somebody filled for them.
type exportedFill struct {
	ID         string    `json:"id"`
	CardID     string    `json:"cardId"`
	FirstBox   int       `json:"firstBox"`
	Boxes      int       `json:"boxes"`
	AmountKobo int64     `json:"amountKobo"`
	At         time.Time `json:"at"`
	Own        bool      `json:"own"` // Of their own card.
	Paid       bool      `json:"paid"`
}

// exportAjo adds the member's rotating savings: access, places, money, debts and cards.
func (s *Service) exportAjo(ctx context.Context, userID string, out *Export) error {
	out.Ajo = exportedAjo{Movements: []exportedAjoMovement{}, Fills: []exportedFill{}}
	for _, part := range []func(context.Context, string, *exportedAjo) error{s.exportAccess, s.exportPlaces, s.exportAjoMovements, s.exportDebts, s.exportCards} {
		if err := part(ctx, userID, &out.Ajo); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) exportAccess(ctx context.Context, userID string, out *exportedAjo) error {
	state, err := s.Ledger.Load(ctx, ajoaccess.Stream(userID))
	if err != nil {
		return err
	}
	if a := state.(ajoaccess.Access); a.Status != ajoaccess.None {
		out.Access = &exportedAccess{string(a.Status), a.Since.UTC(), a.Has, int64(a.Salary), int64(a.Limit), a.Reason}
	}
	return nil
}

func (s *Service) exportPlaces(ctx context.Context, userID string, out *exportedAjo) error {
	places, err := ajos.PlacesOf(ctx, s.Pool, userID)
	if err != nil {
		return err
	}
	names, err := ajos.Names(ctx, s.Pool, mapped(places, func(m ajos.Member) string { return m.AjoID }))
	out.Places = mapped(places, func(m ajos.Member) exportedPlace {
		return exportedPlace{m.AjoID, names[m.AjoID], m.Seats, m.Halves, m.Left, int64(m.Deposit), m.Dues, m.Sweep}
	})
	return err
}

func (s *Service) exportAjoMovements(ctx context.Context, userID string, out *exportedAjo) error {
	for before := int64(0); ; {
		page, err := ajos.HistoryOf(ctx, s.Pool, userID, "", before, exportPage)
		if err != nil || len(page) == 0 {
			return err
		}
		out.Movements = append(out.Movements, mapped(page, func(m ajos.Movement) exportedAjoMovement {
			return exportedAjoMovement{
				m.EventID.String(), m.Pos, m.AjoID, m.Kind, m.Source, m.Cycle, m.Seat, int64(m.Amount), m.At.UTC(), m.User == userID, m.By == userID, m.To == userID,
			}
		})...)
		before = page[len(page)-1].Pos
	}
}

func (s *Service) exportDebts(ctx context.Context, userID string, out *exportedAjo) error {
	debts, err := ajos.AllDebtsOf(ctx, s.Pool, userID)
	out.Debts = mapped(debts, func(d ajos.DebtRow) exportedDebt {
		return exportedDebt{
			d.ID, d.AjoID, d.Kind.String()[len("AJO_DEBT_KIND_"):], d.Debtor == userID, d.Cycle, d.Seat, int64(d.Amount), int64(d.Penalty), int64(d.Paid),
			int64(d.Forgiven), int64(d.Left), d.OpenedAt.UTC(),
		}
	})
	return err
}

func (s *Service) exportCards(ctx context.Context, userID string, out *exportedAjo) error {
	cards, err := ajos.CardsOf(ctx, s.Pool, userID)
	if err != nil {
		return err
	}
	out.Cards = mapped(cards, func(c ajos.Card) exportedCard {
		return exportedCard{
			c.ID, c.Name, c.Description, c.Status, int64(c.Amount), c.Boxes, c.Filled, c.Frequency.String()[len("PAYMENT_FREQUENCY_"):], c.Start, c.Finish,
			c.Collector != "", int64(c.Fee), int64(c.VAT), int64(c.Commission), c.OpenedAt.UTC(), c.EndedAt,
		}
	})
	for before := int64(0); ; {
		page, err := ajos.FillsOf(ctx, s.Pool, userID, before, exportPage)
		if err != nil || len(page) == 0 {
			return err
		}
		out.Fills = append(out.Fills, mapped(page, func(f ajos.Fill) exportedFill {
			return exportedFill{f.EventID.String(), f.CardID, f.FirstBox, f.Boxes, int64(f.Amount), f.At.UTC(), f.User == userID, f.By == userID}
		})...)
		before = page[len(page)-1].Pos
	}
}

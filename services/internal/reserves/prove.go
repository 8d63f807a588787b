package reserves

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/proofs/liabilities"
	"adashi.ng/ledger/posting"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/membership"
)

const (
	rootsShown    = 30
	rootsShownMax = 90
)

// Roots are the latest commitments, the latest first.
func (s *Service) Roots(ctx context.Context, limit *int) ([]ReservesRoot, error) {
	most := rootsShown
	if limit != nil {
		if most = *limit; most < 1 || most > rootsShownMax {
			return nil, fault.Field("limit", "limit must be from 1 to %d.", rootsShownMax)
		}
	}
	rows, err := s.kept().list(ctx, most)
	out := make([]ReservesRoot, 0, len(rows))
	for _, c := range rows {
		out = append(out, c.view())
	}
	return out, err
}

var unproven = fault.New(fault.Unavailable, "We cannot prove right now that yours is counted. We are looking into it; please try again later.")

// Mine proves that what is a member's, or what they may see, is in the latest commitment. Of a member to whom nothing
// was owed then, there is nothing to prove: the file names no account.
func (s *Service) Mine(ctx context.Context, user string) (ReservesProof, error) {
	latest, err := s.kept().list(ctx, 1)
	if err != nil {
		return ReservesProof{}, err
	}
	if len(latest) == 0 {
		return ReservesProof{}, fault.New(fault.NotFound, "No count has been taken yet that yours could be found in. One is taken every night.")
	}
	c := latest[0]
	if c.KeyID != liabilities.KeyID(s.Key) {
		return ReservesProof{}, fault.New(fault.Unavailable, "Yours cannot be looked for right now: our key for it is another one. Please try again after the next count.")
	}
	mine, err := s.owns(ctx, user)
	if err != nil {
		return ReservesProof{}, err
	}
	accounts, err := s.kept().accounts(ctx, c.ID, mine.accounts(), mine.ajos)
	if err != nil {
		return ReservesProof{}, err
	}
	slices.SortStableFunc(accounts, func(a, b liabilities.Account) int {
		return slices.Index(order, mine.called(a.Name).kind) - slices.Index(order, mine.called(b.Name).kind)
	})
	f, err := s.file(ctx, c, accounts)
	if err != nil {
		slog.ErrorContext(ctx, "reserves: an account cannot be proven", "commitment", c.ID, "error", err)
		return ReservesProof{}, unproven
	}
	var slip *proofs.Slip
	if s.Proofs != nil {
		receipt, err := s.Proofs.Slip(ctx, c.Pos, "")
		if err != nil && !errors.Is(err, proofs.ErrNotSealed) {
			return ReservesProof{}, err
		}
		if err == nil {
			slip = &receipt
		}
	}
	return proofView(c, f, slip, mine), nil
}

// file proves accounts of a commitment.
func (s *Service) file(ctx context.Context, c commitment, accounts []liabilities.Account) (liabilities.File, error) {
	f := liabilities.File{Version: 1, ID: c.ID.String(), Position: c.Position, Root: liabilities.Hex(c.Root), Sum: liabilities.Kobo(c.Sum), Leaves: c.Leaves}
	from := s.kept().tiles(ctx, c.ID)
	for _, a := range accounts {
		proven, err := liabilities.Prove(from, c.node(), c.Leaves, liabilities.SecretOf(s.Key, f.ID), a)
		if err != nil {
			return f, err
		}
		f.Accounts = append(f.Accounts, proven)
	}
	return f, nil
}

// Under proves what some accounts held by the latest commitment whose event is not after a position, and answers that
// event's position. Of accounts that held nothing there is no proof. It answers 0 where there is none of any.
func (s *Service) Under(ctx context.Context, size int64, names []string) (pos int64, f liabilities.File, err error) {
	commitments, err := s.kept().list(ctx, treesKept)
	if err != nil {
		return 0, f, err
	}
	for _, c := range commitments {
		if c.Pos > size || c.KeyID != liabilities.KeyID(s.Key) {
			continue
		}
		accounts, err := s.kept().accounts(ctx, c.ID, names, nil)
		if err != nil || len(accounts) == 0 {
			return 0, f, err
		}
		f, err = s.file(ctx, c, accounts)
		return c.Pos, f, err
	}
	return 0, f, nil
}

// order is in which accounts are listed: one's own first.
var order = []ProvenAccountKind{WALLET, WALLETHELD, DEPOSIT, CARD, POT, SUBACCOUNT, SUBACCOUNTHELD}

// owned are accounts that a member may see, and what each is called.
type owned struct {
	named map[string]called
	ajos  []string // Whose pots they may see.
	of    map[string]string
}

type called struct {
	kind ProvenAccountKind
	name string
}

func (o owned) accounts() (names []string) {
	for name := range o.named {
		names = append(names, name)
	}
	return names
}

// called is what an account is called.
func (o owned) called(account string) called {
	if id, is := strings.CutPrefix(account, "pot:"); is {
		ajo, _, _ := strings.Cut(id, ":")
		return called{POT, o.of[ajo]}
	}
	return o.named[account]
}

// owns finds what is a member's own, what is their ajos' and what of their groups they may see.
func (s *Service) owns(ctx context.Context, user string) (owned, error) {
	o := owned{named: map[string]called{
		posting.Wallet(user): {WALLET, ""}, posting.Held(posting.Wallet(user)): {WALLETHELD, ""},
	}, of: map[string]string{}}
	in, err := ajos.OfUser(ctx, s.Pool, user)
	if err != nil {
		return o, err
	}
	for _, a := range in {
		o.ajos, o.of[a.ID] = append(o.ajos, a.ID), a.Name
		o.named[posting.Deposit(a.ID, user)] = called{DEPOSIT, a.Name}
	}
	cards, err := ajos.CardsOf(ctx, s.Pool, user)
	if err != nil {
		return o, err
	}
	for _, card := range cards {
		o.named[posting.Card(card.ID)] = called{CARD, card.Name}
	}
	return o, s.pools(ctx, user, o)
}

// pools adds the sub-accounts whose total the member may see.
func (s *Service) pools(ctx context.Context, user string, o owned) error {
	in, err := groups.OfUser(ctx, s.Pool, user)
	if err != nil || len(in) == 0 {
		return err
	}
	c, err := s.Membership.Snapshot(ctx, user, in...)
	if err != nil {
		return err
	}
	for _, g := range in {
		seat, is := c.Seat(g, user)
		if !is || !seat.Active() {
			continue
		}
		for _, sub := range c.Subs[g.ID] {
			if membership.HidesTotal(g, sub, seat) {
				continue
			}
			name := g.Name + ": " + sub.Name
			o.named[posting.Pool(sub.ID)] = called{SUBACCOUNT, name}
			o.named[posting.Held(posting.Pool(sub.ID))] = called{SUBACCOUNTHELD, name}
		}
	}
	return nil
}

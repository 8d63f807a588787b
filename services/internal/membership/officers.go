package membership

import (
	"context"
	"errors"
	"slices"
	"time"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// bankAccount is a bank account as two people may share it. A BVN is never shared: the vault gives each to one account.
type bankAccount struct{ code, number string }

// hand is a person by the bank accounts that they are paid to.
type hand struct {
	user   string
	card   people.Card
	named  []bankAccount // Those that they named in their profile, for as long as that ties them.
	theirs []bankAccount // Those of them of which a bank says that they are theirs.
}

// typedTies is for how long an account ties a person who named it in their profile, and whom no bank calls its holder,
// once another took its place. One of theirs ties for ever.
const typedTies = 90 * 24 * time.Hour

// hands are some people by their bank accounts, in the same order. Anybody may name anybody's account in their profile:
// it is theirs where its holder's name is, or where their BVN was verified with it.
func (r *Reader) hands(ctx context.Context, users ...string) ([]hand, error) {
	cards, err := r.People.Cards(ctx, users)
	if err != nil {
		return nil, err
	}
	all := make([]hand, len(users))
	for n, user := range users {
		h := hand{user: user, card: cards[user]}
		record, err := r.Vault.Read(ctx, user)
		if err != nil && !errors.Is(err, vault.ErrGone) && !fault.Is(err, fault.NotFound) {
			return nil, err
		}
		state, err := r.AccountState(ctx, user)
		if err != nil {
			return nil, err
		}
		banks := append(slices.Clip(record.EarlierBanks), record.Bank)
		for i, b := range banks {
			if b.Number == "" {
				continue
			}
			a := bankAccount{b.Code, b.Number}
			// The holder's name is not kept of every account. The vault has forgotten a BVN that was not verified
			// with it.
			verified := b == record.Bank && state.Bvn == account.Verified && (b.AccountName == "" || record.Bvn.Status == vault.Verified)
			if verified || rails.SameName(b.AccountName, h.card.FirstName, h.card.LastName) {
				h.theirs, h.named = append(h.theirs, a), append(h.named, a)
				continue
			}
			replaced := i+1 < len(banks) && !b.Verified && !banks[i+1].ChangedAt.IsZero() && r.Now().After(banks[i+1].ChangedAt.Add(typedTies))
			if !replaced && !state.Stolen(b.ChangedAt) {
				h.named = append(h.named, a)
			}
		}
		all[n] = h
	}
	return all, nil
}

// shares reports whether a bank says of one account that it is both people's.
func (h hand) shares(other hand) bool {
	return slices.ContainsFunc(h.theirs, func(a bankAccount) bool { return slices.Contains(other.theirs, a) })
}

// paid reports whether a payee's account is the person's own: one that they have or had, as far as that ties them, or,
// of an account that is none of the askers', one under their name.
func (h hand) paid(payee vault.Payee, askers ...hand) bool {
	a := bankAccount{payee.BankCode, payee.Number}
	if payee.Number == "" || slices.Contains(h.named, a) {
		return payee.Number != ""
	}
	askersOwn := slices.ContainsFunc(askers, func(asker hand) bool { return slices.Contains(asker.theirs, a) })
	return !askersOwn && rails.SameName(payee.AccountName, h.card.FirstName, h.card.LastName)
}

// Paid reports whether a payee's account is a user's own.
func (r *Reader) Paid(ctx context.Context, user string, payee vault.Payee) (bool, error) {
	all, err := r.hands(ctx, user)
	return err == nil && all[0].paid(payee), err
}

// Interest reports whether what an asker asks for would be paid to a user's own account, and with which of some others
// the user shares one, the asker among them.
func (r *Reader) Interest(ctx context.Context, user string, payee vault.Payee, asker string, others ...string) (paid bool, shares []string, err error) {
	all, err := r.hands(ctx, append([]string{user, asker}, others...)...)
	if err != nil {
		return false, nil, err
	}
	for _, other := range all[1:] {
		if other.user != user && all[0].shares(other) {
			shares = append(shares, other.user)
		}
	}
	return all[0].paid(payee, all[1]), shares, nil
}

// Officers are a group's officials, and which of them would be paid, share a bank account with one of some users who
// ask or are concerned, or share one with each other.
func (r *Reader) Officers(ctx context.Context, groupID string, payee vault.Payee, users ...string) (savings.Officers, error) {
	g, err := r.GroupState(ctx, groupID)
	if err != nil {
		return savings.Officers{}, err
	}
	o := savings.Officers{Users: usecase.UniqueIDs(append([]string{g.Validator}, g.Approvers...))}
	all, err := r.hands(ctx, slices.Concat(users, o.Users)...)
	if err != nil {
		return savings.Officers{}, err
	}
	concerned, officers := all[:len(users)], all[len(users):]
	for n, h := range officers {
		for _, other := range officers[:n] {
			if h.shares(other) {
				o.Together = append(o.Together, []string{other.user, h.user})
			}
		}
		if slices.Contains(users, h.user) {
			continue
		}
		if h.paid(payee, concerned...) {
			o.Paid = append(o.Paid, h.user)
		}
		if slices.ContainsFunc(concerned, h.shares) {
			o.Interested = append(o.Interested, h.user)
		}
	}
	return o, nil
}

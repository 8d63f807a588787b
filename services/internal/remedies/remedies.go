// Package remedies is the desk at which two of our staff help a member whose account somebody else used: they give the
// account back, or let another BVN in. The ledger says what was proposed, declined and done; a row in the table
// remedies says why, and to which address an account goes.
//
//	Propose: row ──▶ ledger                      Agree: ledger ──▶ people, bank account, payouts ──▶ row ended
//
// What follows from an agreement is repeated until it is done: see Settle.
package remedies

import (
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/remedy"
	"adashi.ng/ledger/domain/seen"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// Profile puts a member's profile right after a remedy.
type Profile interface {
	// RestoreBank gives a member the bank account back that they had before a moment, or none, unless another took its
	// place after until.
	RestoreBank(ctx context.Context, userID string, since, until time.Time) error
	// ForgetStolen forgets the cards and the guardian that somebody else gave an account that is given back.
	ForgetStolen(ctx context.Context, userID string) error
	// FollowBvn has the vault say of a member's BVN what the ledger says.
	FollowBvn(ctx context.Context, userID string) error
}

// Service is the desk.
type Service struct {
	*usecase.Base
	Membership *membership.Reader // Knows whose bank account is whose.
	Profile    Profile
	Hold       time.Duration // How long no withdrawal is asked for after a remedy.
	// StopAll takes back what a member asked for and no bank was told of.
	StopAll func(ctx context.Context, user string) error
}

// ReadModels are the read models that say who shares a group with whom.
var ReadModels = []string{groups.Name, ajos.Name}

const (
	reasonCharsMin = 10
	reasonCharsMax = 1000
)

var kinds = map[RemedyKind]nairav1.RemedyKind{
	GIVEBACK:   nairav1.RemedyKind_REMEDY_KIND_GIVE_BACK,
	ANOTHERBVN: nairav1.RemedyKind_REMEDY_KIND_ANOTHER_BVN,
}

func readCase(caseID string) error {
	if n := utf8.RuneCountInString(caseID); n < 3 || n > 60 || usecase.Plain(caseID) != caseID {
		return fault.Field("case", "Give the case that this is for, in 3 to 60 characters.")
	}
	return nil
}

// Find answers the accounts that have an address, or had it, but for the caller's own. That somebody looked is recorded
// for each before it is answered.
func (s *Service) Find(ctx context.Context, who usecase.Who, form FindForRemedyRequest) ([]RemedyMember, error) {
	if err := readCase(form.Case); err != nil {
		return nil, err
	}
	if !people.IsEmail(people.NormaliseEmail(form.Email)) {
		return nil, fault.Field("email", "Please enter a valid email, such as ada@example.com.")
	}
	users, err := s.People.HadBy(ctx, form.Email)
	if err != nil {
		return nil, err
	}
	found := []RemedyMember{}
	for _, user := range users {
		if user == who.User {
			continue
		}
		act := account.Act{Staff: who.User, Action: nairav1.StaffAction_STAFF_ACTION_READ_ACCOUNT, Subject: user, Case: form.Case}
		if _, err := s.Record(ctx, who, store.NewCommandID(), user, store.Fingerprint(user, form.Case), act); err != nil {
			return nil, err
		}
		_, view, err := s.member(ctx, user)
		if err != nil {
			return nil, err
		}
		found = append(found, view)
	}
	return found, nil
}

// member is a member's account, and what the desk sees of them.
func (s *Service) member(ctx context.Context, user string) (account.Account, RemedyMember, error) {
	view := RemedyMember{UserId: user, EarlierEmails: []EarlierEmail{}}
	m, err := s.People.Member(ctx, user)
	if err != nil {
		return account.Account{}, view, err
	}
	a, err := s.AccountState(ctx, user)
	if err != nil {
		return a, view, err
	}
	earlier, err := s.People.Earlier(ctx, user)
	if err != nil {
		return a, view, err
	}
	if view.NeedsAddress, err = s.People.NeedsAddress(ctx, user); err != nil {
		return a, view, err
	}
	cards, err := s.People.Cards(ctx, []string{user})
	for _, e := range earlier[user] {
		view.EarlierEmails = append(view.EarlierEmails, EarlierEmail{Email: masked(e.Email), Until: e.Until.UTC()})
	}
	view.Name, view.Email, view.IsFrozen = usecase.ShortName(cards, user), masked(m.Email), a.Frozen
	view.BvnVerified, view.BvnKnown, view.Waits = a.Bvn == account.Verified, a.Known, a.Waits(s.Now())
	return a, view, err
}

// masked shows of an address its first letter and its domain.
func masked(email string) string {
	local, domain, _ := strings.Cut(email, "@")
	return local[:min(1, len(local))] + "•••@" + domain
}

// desk is somebody who decides about a member, with what the ledger cannot know of the two. other is who proposed what
// they agree to; empty where they propose.
func (s *Service) desk(ctx context.Context, staff, user, other string) (remedy.Desk, error) {
	d := remedy.Desk{Staff: staff, User: user}
	for _, one := range []string{staff, user} {
		ever, err := groups.Ever(ctx, s.Pool, one)
		if err != nil {
			return d, err
		}
		d.Groups = append(d.Groups, ever...)
	}
	d.Groups = usecase.UniqueIDs(d.Groups)
	collects, err := ajos.Collects(ctx, s.Pool, staff)
	if err != nil {
		return d, err
	}
	d.Party = slices.ContainsFunc(collects, func(c ajos.Card) bool { return c.User == user })
	r, err := s.Vault.Read(ctx, user)
	if err != nil {
		return d, err
	}
	guards, err := s.IsGuardian(ctx, r, staff)
	if err != nil {
		return d, err
	}
	d.Party = d.Party || guards
	if other == "" {
		other = staff
	}
	_, shares, err := s.Membership.Interest(ctx, staff, vault.Payee{}, user, other)
	d.Tied = len(shares) > 0
	return d, err
}

// Propose proposes a remedy for a member, whom it tells.
func (s *Service) Propose(ctx context.Context, who usecase.Who, form ProposeRemedyRequest) (Remedy, int64, error) {
	r, err := s.read(ctx, form)
	if err != nil {
		return Remedy{}, 0, err
	}
	id, _ := who.ID("propose remedy")
	c := remedy.Propose{Kind: kinds[form.Kind], Case: form.Case, Now: s.Now()}
	if form.Since != nil {
		c.Since = form.Since.UTC()
	}
	hash := store.Fingerprint(r.User, form.Kind, r.Email, r.Reason, form.Case, c.Since)
	// Another proposal under the same key is refused, and must not take this one's row.
	r.ID = event.DeriveID(id, "remedy "+hex.EncodeToString(hash[:])).String()
	c.RemedyID = r.ID
	if c.Desk, err = s.desk(ctx, who.User, r.User, ""); err != nil {
		return Remedy{}, 0, err
	}
	err = s.UnlessRecorded(ctx, id, func() error {
		if err := s.settleOf(ctx, r.User); err != nil { // What is left of an earlier one.
			return err
		}
		if _, err := s.Ledger.DryRun(ctx, c); err != nil {
			return err
		}
		return s.keep(ctx, r)
	})
	if err != nil {
		return Remedy{}, 0, err
	}
	result, err := s.Record(ctx, who, id, r.User, hash, c)
	if err != nil {
		return Remedy{}, 0, err
	}
	view, _, err := s.view(ctx, who.User, r)
	return view, result.Position(), err
}

// settleOf does what is left to do about a member's earlier remedies.
func (s *Service) settleOf(ctx context.Context, user string) error {
	rows, err := s.open(ctx, "user_id = $1", user)
	for _, r := range rows {
		if err == nil {
			err = s.settle(ctx, r)
		}
	}
	return err
}

// read judges what is proposed, but for what the ledger judges.
func (s *Service) read(ctx context.Context, form ProposeRemedyRequest) (row, error) {
	r := row{ProposedAt: s.Now()}
	if err := readCase(form.Case); err != nil {
		return r, err
	}
	user, err := usecase.ParseID(form.UserId, "member")
	if err != nil {
		return r, err
	}
	if _, err := s.People.Member(ctx, user); err != nil {
		return r, err
	}
	r.User = user
	if r.Reason, err = usecase.ReadWords(form.Reason, reasonCharsMin, reasonCharsMax); err != nil {
		return r, fault.Field("reason", "Say how the member proved who they are, in %d to %d characters that can be shown.", reasonCharsMin, reasonCharsMax)
	}
	given := form.NewEmail != nil && *form.NewEmail != ""
	switch {
	case form.Kind != GIVEBACK && (given || form.Since != nil):
		return r, fault.Field("newEmail", "An address and a time go with an account that is given back, and with nothing else.")
	case form.Kind != GIVEBACK:
		return r, nil
	case !given:
		return r, fault.Field("newEmail", "Enter the address that the member proved is theirs.")
	}
	if r.Email, err = people.ReadEmail(*form.NewEmail); err != nil {
		return r, fault.Field("newEmail", "Please enter a valid email, such as ada@example.com.")
	}
	return r, s.free(ctx, r)
}

// free refuses an address that another member's account has.
func (s *Service) free(ctx context.Context, r row) error {
	if r.Email == "" {
		return nil
	}
	other, err := s.People.Find(ctx, r.Email)
	switch {
	case fault.Is(err, fault.NotFound):
		return nil
	case err == nil && other != r.User:
		return &fault.Fault{Code: fault.Conflict, Field: "newEmail", Message: "Another account has this address. Its owner closes that account first, or moves it to another address."}
	}
	return err
}

// Waiting answers the remedies that wait for an Admin, but for those about the caller.
func (s *Service) Waiting(ctx context.Context, staff string) ([]Remedy, error) {
	rows, err := s.open(ctx, "user_id::text <> $1", staff)
	if err != nil {
		return nil, err
	}
	waiting := []Remedy{}
	for _, r := range rows {
		view, waits, err := s.view(ctx, staff, r)
		if err != nil && !fault.Is(err, fault.NotFound) { // They have left.
			return nil, err
		}
		if err == nil && waits {
			waiting = append(waiting, view)
		}
	}
	return waiting, nil
}

// view is a remedy as the desk sees it, and whether it waits.
func (s *Service) view(ctx context.Context, staff string, r row) (Remedy, bool, error) {
	a, member, err := s.member(ctx, r.User)
	if err != nil {
		return Remedy{}, false, err
	}
	caller, err := s.People.Member(ctx, staff)
	if err != nil {
		return Remedy{}, false, err
	}
	version, err := s.version(ctx, r, a)
	if err != nil {
		return Remedy{}, false, err
	}
	cards, err := s.People.Cards(ctx, []string{a.Remedy.By})
	view := Remedy{
		RemedyId: r.ID, Kind: ANOTHERBVN, Member: member, Case: a.Remedy.Case, Reason: r.Reason, NewEmail: usecase.OrNil(r.Email),
		ProposedBy: usecase.ShortName(cards, a.Remedy.By), ProposedAt: a.Remedy.At.UTC(), EndsAt: a.Remedy.At.Add(account.RemedyWaits).UTC(),
		IsMine: a.Remedy.By == staff, MayAgree: a.Remedy.By != staff && slices.Contains(caller.Roles, people.RoleAdmin), Version: string(version),
	}
	if r.Email != "" {
		since := a.Remedy.Since.UTC()
		view.Kind, view.Since = GIVEBACK, &since
	}
	return view, r.waits(a, s.Now()), err
}

// version is of all that the desk sees of a remedy: where the account is by now, where it goes, and why.
func (s *Service) version(ctx context.Context, r row, a account.Account) (seen.Version, error) {
	m, err := s.People.Member(ctx, r.User)
	return seen.Of(r.ID, r.Email, r.Reason, m.Email, m.FirstName, m.LastName, a.Frozen, string(a.Bvn), a.Known), err
}

// Agree has a remedy done as it was seen.
func (s *Service) Agree(ctx context.Context, who usecase.Who, id, saw string) (int64, error) {
	version, err := usecase.Saw(&saw, true)
	if err != nil {
		return 0, err
	}
	command, _ := who.ID("agree remedy")
	c := remedy.Agree{RemedyID: id, Saw: version, Hold: s.Hold, At: s.Now()}
	hash := store.Fingerprint(id, saw)
	r, err := s.one(ctx, id)
	if err != nil {
		return s.again(ctx, who, command, hash, c, err)
	}
	a, err := s.AccountState(ctx, r.User)
	if err != nil {
		return 0, err
	}
	if c.Desk, err = s.desk(ctx, who.User, r.User, a.Remedy.By); err != nil {
		return 0, err
	}
	if c.Proposer, err = s.desk(ctx, a.Remedy.By, r.User, ""); err != nil {
		return 0, err
	}
	if c.Now, err = s.version(ctx, r, a); err != nil {
		return 0, err
	}
	err = s.UnlessRecorded(ctx, command, func() error {
		if _, err := s.Ledger.DryRun(ctx, c); err != nil {
			return err
		}
		if err := s.free(ctx, r); err != nil {
			return err
		}
		return s.stillStaff(ctx, a.Remedy.By)
	})
	if err != nil {
		return 0, err
	}
	result, err := s.Record(ctx, who, command, r.User, hash, c)
	if err != nil {
		return 0, err
	}
	if err := s.settle(ctx, r); err != nil {
		slog.ErrorContext(ctx, "remedies: agreed, and not all of it done yet", "remedy", r.ID, "error", err) // The job tries again.
	}
	return result.Position(), nil
}

// again answers a command as it was answered before, where what it is about is over since. Otherwise it answers the
// refusal.
func (s *Service) again(ctx context.Context, who usecase.Who, command uuid.UUID, hash [16]byte, c event.Command, refusal error) (int64, error) {
	if !fault.Is(refusal, fault.NotFound) {
		return 0, refusal
	}
	recorded, err := s.Ledger.Recorded(ctx, command)
	if err != nil || !recorded {
		return 0, errors.Join(err, refusal)
	}
	result, err := s.Record(ctx, who, command, "", hash, c)
	return result.Position(), err
}

// stillStaff refuses what somebody proposed who has lost their role since.
func (s *Service) stillStaff(ctx context.Context, user string) error {
	m, err := s.People.Member(ctx, user)
	if err == nil && !slices.Contains(m.Roles, people.RoleSupport) && !slices.Contains(m.Roles, people.RoleAdmin) || fault.Is(err, fault.NotFound) {
		return fault.New(fault.Conflict, "Who proposed this is not of our staff any more. Decline it, and have it proposed again.")
	}
	return err
}

// Decline declines a remedy, or takes one's own back.
func (s *Service) Decline(ctx context.Context, who usecase.Who, id string) (int64, error) {
	command, _ := who.ID("decline remedy")
	r, err := s.one(ctx, id)
	if err != nil {
		return s.again(ctx, who, command, store.Fingerprint(id), remedy.Decline{Staff: who.User, RemedyID: id}, err)
	}
	result, err := s.Record(ctx, who, command, r.User, store.Fingerprint(id), remedy.Decline{Staff: who.User, User: r.User, RemedyID: id})
	if err != nil {
		return 0, err
	}
	return result.Position(), s.forget(ctx, id)
}

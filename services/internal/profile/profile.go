// Package profile is the data that members maintain about themselves: their details and settings, bank account and BVN,
// pictures and documents, a guardian's consent, and closing their account. Data that identifies them is in the vault
// and in the accounts of package people; the ledger gets events without any of it.
package profile

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajoaccess"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/files"
	"adashi.ng/services/internal/lookups"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/banks"
	"adashi.ng/services/internal/session"
	"adashi.ng/services/internal/vault"
)

// Options are the dependencies of a Service. All but Now are required.
type Options struct {
	Pool      *pgxpool.Pool
	Vault     *vault.Vault
	Files     *files.Store
	People    *people.Service
	Ledger    *store.Store
	Banks     *banks.Directory
	Enquirer  rails.Enquirer
	Payer     rails.Enquirer // The enquiry of the rail that pays out; we ask it for an account's holder before we send money.
	Verifier  rails.Verifier
	PublicURL string // Without a trailing slash.
	// Asked returns the questions to a member about their payments, with the messages.
	Asked func(ctx context.Context, userID string) ([]contract.Question, error)
	// OnVerified is called for a member whose BVN was verified; an error makes the check end again later.
	OnVerified func(ctx context.Context, userID string) error
	Now        func() time.Time
}

// Service manages members' profiles. It is safe for concurrent use.
type Service struct {
	Options
	grown sync.Map // Ids of members known to be 18 or older, which they stay.
}

// New makes a Service.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = clock.System
	}
	return &Service{Options: o}
}

// adult is the age from which a BVN, and contributing without a guardian, is allowed.
const adult = 18

const fileURL = "/api/v1/files/"

// Account returns all that a member sees of their own account.
func (s *Service) Account(ctx context.Context, userID string) (contract.Account, error) {
	m, err := s.People.Member(ctx, userID)
	if err != nil {
		return contract.Account{}, err
	}
	r, _, err := s.stands(ctx, userID)
	if err != nil {
		return contract.Account{}, err
	}
	ajo, err := s.hasAjoAccess(ctx, userID)
	if err != nil {
		return contract.Account{}, err
	}
	account := s.view(m, r, ajo)
	account.CardDetailsDtos, err = s.Cards(ctx, userID)
	return account, err
}

// hasAjoAccess reports whether a member may join ajo with people whom they do not know. The ledger decides.
func (s *Service) hasAjoAccess(ctx context.Context, userID string) (bool, error) {
	state, err := s.Ledger.Load(ctx, ajoaccess.Stream(userID))
	if err != nil {
		return false, err
	}
	return state.(ajoaccess.Access).Has, nil
}

func (s *Service) view(m people.Member, r vault.Record, ajo bool) contract.Account {
	genderName, _ := lookups.Name(lookups.Genders, r.Gender)
	stateName, _ := lookups.Name(lookups.States, r.StateID)
	a := contract.Account{
		Id: m.UserID, Email: m.Email, FirstName: m.FirstName, LastName: m.LastName, Phone: m.Phone, Roles: m.Roles, AssociatedClaims: []string{},
		IsEmailVerified: m.EmailVerified, DateRegistered: m.Registered.UTC(), DateOfBirth: m.Birth.Format(time.DateOnly),
		Avatar: url(r.Avatar), UtilitybillUrl: url(r.UtilityBill), BankAccountStatementUrl: url(r.BankStatement), OfferLetterUrl: url(r.OfferLetter),
		Gender: orNil(r.Gender), GenderName: orNil(genderName), StateId: orNil(r.StateID), StateName: orNil(stateName),
		Address: orNil(r.Address), ResidentialAddress: orNil(r.ResidentialAddress), OfficeAddress: orNil(r.OfficeAddress),
		BankAccountNumber: orNil(r.Bank.Number), BankCode: orNil(r.Bank.Code), BankName: orNil(r.Bank.Name), BankAccountName: orNil(r.Bank.AccountName),
		BvnVerified: r.Bvn.Status == vault.Verified, BvnStatus: contract.AccountBvnStatus(statusOr(r.Bvn.Status)), CardDetailsDtos: []contract.CardDetail{},
		HasAjoAccess: ajo, Settings: settingsView(r.Settings), NeedsGuardian: m.Age(s.Now()) < adult && r.Guardian.Status != vault.Consented,
	}
	if r.Bvn.Last2 != "" {
		a.Bvn = orNil("•••••••••" + r.Bvn.Last2)
	}
	if r.MonthlySalary > 0 {
		salary := wire.FromKobo(int64(r.MonthlySalary))
		a.MonthlySalaray = &salary
	}
	if !r.DateForSalary.IsZero() {
		at := r.DateForSalary.UTC()
		a.DateForSalary = &at
	}
	if r.Guardian.Email != "" {
		g := guardianView(r.Guardian)
		a.Guardian = &g
	}
	return a
}

func statusOr(status vault.Status) string {
	if status == vault.None {
		return string(contract.AccountBvnStatusNONE)
	}
	return string(status)
}

func url(file string) *string {
	if file == "" {
		return nil
	}
	return orNil(fileURL + file)
}

func orNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// owner returns a member's account in the ledger.
func (s *Service) owner(ctx context.Context, userID string) (account.Account, error) {
	state, err := s.Ledger.Load(ctx, account.Stream(userID))
	if err != nil {
		return account.Account{}, err
	}
	return state.(account.Account), nil
}

// stands returns a member's record and their account in the ledger. The ledger decides whether a BVN is verified: if an
// interruption kept an undone match from the vault, it updates the vault now.
func (s *Service) stands(ctx context.Context, userID string) (vault.Record, account.Account, error) {
	r, err := s.Vault.Read(ctx, userID)
	if err != nil {
		return r, account.Account{}, err
	}
	owner, err := s.owner(ctx, userID)
	if err != nil || r.Bvn.Status != vault.Verified || owner.Bvn == account.Verified || owner.Closed {
		return r, owner, err
	}
	before := r.Bvn
	r, err = s.Vault.Set(ctx, userID, func(r *vault.Record) {
		if r.Bvn == before {
			r.Bvn = vault.Bvn{}
		}
	})
	return r, owner, err
}

// record appends a command about an account. seed makes a retry the same command; a refusal because it was done already
// is not an error.
func (s *Service) record(ctx context.Context, userID, seed string, c event.Command) error {
	if err := s.must(ctx, userID, seed, c); !fault.Is(err, fault.Conflict) {
		return err
	}
	return nil
}

// must is record for a command whose refusal the caller needs.
func (s *Service) must(ctx context.Context, userID, seed string, c event.Command) error {
	_, err := s.Ledger.Append(ctx, store.Command{
		ID: store.CommandID(userID, "account", seed), Hash: store.Fingerprint(seed), Actor: userID, Session: session.Of(ctx), Command: c,
	})
	if err == nil {
		session.Acted(ctx)
	}
	if errors.Is(err, store.ErrUnknown) {
		return fmt.Errorf("%w: %w", fault.New(fault.Unavailable, "We do not know yet whether this went through. Please try again: it will not be done twice."), err)
	}
	return err
}

// Alert notifies a member of something that concerns the safety of their account. kind is one of people's OnSecurity.
func (s *Service) Alert(ctx context.Context, userID, kind string) error {
	if kind == people.PasswordTried {
		return s.record(ctx, userID, "alert "+uuid.NewString(), account.PasswordTried(userID))
	}
	alert, known := alerts[kind]
	if !known {
		return fmt.Errorf("profile: there is no alert %q", kind)
	}
	return s.record(ctx, userID, "alert "+uuid.NewString(), account.Alert(userID, alert))
}

var alerts = map[string]nairav1.SecurityAlert{
	"password_changed":       nairav1.SecurityAlert_SECURITY_ALERT_PASSWORD_CHANGED,
	"password_reset":         nairav1.SecurityAlert_SECURITY_ALERT_PASSWORD_RESET,
	"totp_enabled":           nairav1.SecurityAlert_SECURITY_ALERT_TOTP_ENABLED,
	"totp_removed":           nairav1.SecurityAlert_SECURITY_ALERT_TOTP_REMOVED,
	"email_changed":          nairav1.SecurityAlert_SECURITY_ALERT_EMAIL_CHANGED,
	"new_device":             nairav1.SecurityAlert_SECURITY_ALERT_NEW_DEVICE,
	"recovery_codes_renewed": nairav1.SecurityAlert_SECURITY_ALERT_RECOVERY_CODES_RENEWED,
}

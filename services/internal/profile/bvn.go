package profile

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"time"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/secret"
	"adashi.ng/services/internal/vault"
)

// The texts of the product.
const (
	BvnVerified = "Your BVN has been verified successfully"
	BvnFailed   = "BVN could not be verified. Please try again later"
	BvnPending  = "We are checking your BVN with the bank. We will tell you as soon as it has answered."

	noAccountNumber = "Please enter a valid 10-digit bank account number before BVN verification"
	noBank          = "Please select your bank before BVN verification"
)

const (
	askAgainAfter = 20 * time.Second
	askFor        = 24 * time.Hour
	checksAtOnce  = 20
)

var elevenDigits = regexp.MustCompile(`^[0-9]{11}$`)

// VerifyBvn asks whether a BVN belongs to the member's own name and bank account. Status PENDING means that the bank
// has not answered yet; a definite no is a refusal.
func (s *Service) VerifyBvn(ctx context.Context, userID string, form contract.BvnLookUpRequest) (contract.BvnState, error) {
	m, err := s.People.Member(ctx, userID)
	if err != nil {
		return contract.BvnState{}, err
	}
	bank, known := s.Banks.Find(form.BankCode)
	switch {
	case !tenDigits.MatchString(form.AccountNumber):
		return contract.BvnState{}, fault.Field("account_number", noAccountNumber)
	case !known:
		return contract.BvnState{}, fault.Field("bank_code", noBank)
	case !elevenDigits.MatchString(form.Bvn):
		return contract.BvnState{}, fault.Field("bvn", "A BVN has exactly 11 digits. Please check yours: dial *565*0# to see it.")
	case m.Age(s.Now()) < adult:
		return contract.BvnState{}, fault.New(fault.Forbidden, "A BVN is for people of 18 years and older. You can verify yours once you are 18.")
	case !sameWords(form.FirstName, m.FirstName):
		return contract.BvnState{}, fault.Field("first_name", "The first name must be that of your account, %s.", m.FirstName)
	case !sameWords(form.LastName, m.LastName):
		return contract.BvnState{}, fault.Field("last_name", "The last name must be that of your account, %s.", m.LastName)
	}
	if err := s.ownAccount(ctx, userID, bank, form.AccountNumber); err != nil {
		return contract.BvnState{}, err
	}
	_, owner, err := s.stands(ctx, userID)
	if err != nil {
		return contract.BvnState{}, err
	}
	r, err := s.Vault.BeginCheck(ctx, userID, vault.Claim{
		Number: form.Bvn, First: m.FirstName, Last: m.LastName, Account: form.AccountNumber, BankCode: bank.Code, Known: owner.Known && !owner.AnotherBvn,
	}, s.Now())
	if err != nil {
		return contract.BvnState{}, err
	}
	if r.Bvn.Status == vault.Pending {
		if err := s.AskNow(ctx, userID); err != nil {
			return contract.BvnState{}, err
		}
		if r, err = s.Vault.Read(ctx, userID); err != nil {
			return contract.BvnState{}, err
		}
	}
	return bvnState(r.Bvn)
}

func sameWords(a, b string) bool {
	return rails.SameName(a, b) && rails.SameName(b, a)
}

// ownAccount checks that the bank account is the member's; if they have none yet, it becomes theirs.
func (s *Service) ownAccount(ctx context.Context, userID string, bank rails.Bank, number string) error {
	r, err := s.Vault.Read(ctx, userID)
	switch {
	case err != nil:
		return err
	case r.Bank.Number == number && r.Bank.Code == bank.Code:
		return nil
	case r.Bank.Number != "":
		return fault.Field("account_number", "This is not the bank account in your profile. Please save it there first.")
	}
	if err := s.mayNameBank(ctx, userID); err != nil {
		return err
	}
	found, err := s.enquire(ctx, bank, number)
	if err != nil {
		return called(err)
	}
	_, err = s.Vault.Set(ctx, userID, func(r *vault.Record) {
		if r.Bank.Number == "" {
			r.Bank = found
		}
	})
	return err
}

// AskNow asks about a member's check, if there is one. An unavailable rail leaves it pending.
func (s *Service) AskNow(ctx context.Context, userID string) error {
	check, found, err := s.Vault.CheckUnderWay(ctx, userID)
	if err != nil || !found {
		return err
	}
	if err := s.ask(ctx, check); err != nil && !fault.Is(err, fault.Unavailable) {
		return err
	}
	return nil
}

func bvnState(b vault.Bvn) (contract.BvnState, error) {
	switch {
	case b.Status == vault.Failed && (b.Reason == vault.ElsewhereReason || b.Reason == vault.AnotherReason):
		return contract.BvnState{}, fault.New(fault.Conflict, "%s", b.Reason)
	case b.Status == vault.Failed:
		return contract.BvnState{}, fault.Field("bvn", BvnFailed)
	}
	return contract.BvnState{Status: contract.BvnStateStatus(statusOr(b.Status)), Last2: orNil(b.Last2)}, nil
}

// ask asks the rail about a check, and ends the check when the rail has decided. If the ledger has already ended it, it
// ends the same way in the vault, whatever the rail would say now.
func (s *Service) ask(ctx context.Context, check vault.Check) error {
	r, owner, err := s.stands(ctx, check.Person.String())
	if err != nil || r.Bvn.Check != check.ID.String() {
		return err
	}
	if owner.Check == check.ID.String() {
		return s.follow(ctx, check, "The check ended without a match.")
	}
	addresses, err := s.People.Addresses(ctx, check.Person.String())
	if err != nil {
		return err
	}
	bank, _ := s.Banks.Find(r.Bvn.Asked.BankCode)
	finding, err := s.Verifier.Verify(ctx, rails.Claim{
		BVN: secret.Text(r.Bvn.Asked.Number), FirstName: r.Bvn.Asked.First, LastName: r.Bvn.Asked.Last, Email: addresses[check.Person.String()].Email,
		Bank: bank, Account: r.Bvn.Asked.Account, Customer: check.Customer,
	})
	if fault.Is(err, fault.Unavailable) && s.Now().Sub(check.Began) > askFor {
		finding, err = rails.Finding{Customer: check.Customer}, nil // A bank that can never answer must not keep anybody waiting forever.
	}
	if err != nil {
		return err
	}
	if finding.Customer != check.Customer {
		if err := s.Vault.Introduced(ctx, check.ID, finding.Customer); err != nil {
			return err
		}
	}
	if finding.Verdict == rails.Undecided && s.Now().Sub(check.Began) > askFor {
		return s.end(ctx, check, nairav1.BvnFailure_BVN_FAILURE_NO_ANSWER, "The bank did not answer.")
	}
	return s.decide(ctx, check, r.Bvn.Asked, finding.Verdict)
}

// decide ends a check with a rail's verdict. Undecided does not end it, and neither does an answer after the account
// was closed. A match counts for the name and the bank account that the member has when it comes.
func (s *Service) decide(ctx context.Context, check vault.Check, asked vault.Claim, verdict rails.Verdict) error {
	switch verdict {
	case rails.Match:
		still, err := s.stillTheirs(ctx, check.Person.String(), asked)
		if err != nil {
			return err
		}
		if !still {
			return s.end(ctx, check, nairav1.BvnFailure_BVN_FAILURE_MISMATCH, "Your name or bank account changed while the bank was asked.")
		}
		own, err := s.Vault.ClaimBvn(ctx, check.Person.String(), asked.Number)
		if errors.Is(err, vault.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		if !own {
			return s.end(ctx, check, nairav1.BvnFailure_BVN_FAILURE_MISMATCH, vault.ElsewhereReason)
		}
		return s.end(ctx, check, nairav1.BvnFailure_BVN_FAILURE_UNSPECIFIED, "")
	case rails.Mismatch:
		return s.end(ctx, check, nairav1.BvnFailure_BVN_FAILURE_MISMATCH, "The bank has this BVN under another name or account.")
	case rails.NoBVN:
		return s.end(ctx, check, nairav1.BvnFailure_BVN_FAILURE_UNKNOWN, "The bank knows no such BVN.")
	case rails.Undecided:
	}
	return nil
}

// stillTheirs reports whether a member still has the name and the bank account of a check.
func (s *Service) stillTheirs(ctx context.Context, userID string, asked vault.Claim) (bool, error) {
	m, err := s.People.Member(ctx, userID)
	if fault.Is(err, fault.NotFound) {
		return true, nil // They have left meanwhile; the claim reports that.
	}
	if err != nil {
		return false, err
	}
	r, err := s.Vault.Read(ctx, userID)
	return sameWords(asked.First, m.FirstName) && sameWords(asked.Last, m.LastName) && r.Bank.Number == asked.Account && r.Bank.Code == asked.BankCode, err
}

// end records the result in the ledger and then in the vault; if it is interrupted between them, the vault follows
// later.
func (s *Service) end(ctx context.Context, check vault.Check, failure nairav1.BvnFailure, reason string) error {
	user, id := check.Person.String(), check.ID.String()
	if err := s.record(ctx, user, "check "+id, account.EndCheck(user, id, failure)); err != nil {
		return err
	}
	return s.follow(ctx, check, reason)
}

// follow ends a check in the vault as the ledger has it: an earlier answer of the bank remains valid. reason is why it
// failed, as a text, if it failed.
func (s *Service) follow(ctx context.Context, check vault.Check, reason string) error {
	user := check.Person.String()
	owner, err := s.owner(ctx, user)
	if err != nil || owner.Closed {
		return err
	}
	status := vault.Failed
	if owner.Bvn == account.Verified {
		if status, reason = vault.Verified, ""; s.OnVerified != nil {
			if err := s.OnVerified(ctx, user); err != nil {
				return err
			}
		}
	}
	_, err = s.Vault.EndCheck(ctx, user, check.ID.String(), status, reason, s.Now())
	if errors.Is(err, vault.ErrClosed) {
		return nil
	}
	return err
}

// AskAgain asks about the checks that the bank has not answered yet. It is a job.
func (s *Service) AskAgain(ctx context.Context) error {
	now := s.Now()
	due, err := s.Vault.DueChecks(ctx, now.Add(-askAgainAfter), now, checksAtOnce)
	if err != nil {
		return err
	}
	return items.Each(ctx, s.job("ask again about BVNs"), due, func(c vault.Check) string { return c.ID.String() }, func(ctx context.Context, check vault.Check) error {
		err := s.ask(ctx, check)
		if fault.Is(err, fault.Unavailable) {
			slog.WarnContext(ctx, "a BVN is still to be checked", "check", check.ID, "error", err)
			return nil
		}
		return err
	})
}

// IdentityWebhook handles a gateway's webhook about a check. It returns rails.ErrNoPayment for a webhook about
// something else, and ignores one about a check that has ended.
func (s *Service) IdentityWebhook(ctx context.Context, from rails.IdentityHook, header http.Header, body []byte) error {
	notice, err := from.ParseIdentity(header, body)
	if err != nil {
		return err
	}
	check, found, err := s.checkOf(ctx, notice)
	if err != nil || !found {
		return err
	}
	if notice.Verdict == rails.Match {
		return s.ask(ctx, check) // A webhook only says which check to ask about.
	}
	r, err := s.Vault.Read(ctx, check.Person.String())
	if err != nil || r.Bvn.Check != check.ID.String() {
		return err
	}
	// A late webhook about an earlier try does not answer this one.
	if r.Bvn.Asked.Account != notice.Account || !strings.HasSuffix(r.Bvn.Asked.Number, notice.BVNEnd) {
		return nil
	}
	return s.decide(ctx, check, r.Bvn.Asked, notice.Verdict)
}

// checkOf returns the check that a webhook is about. A webhook that comes before the rail's answer names a customer
// whom we do not know yet: it belongs to the check of the member with its e-mail.
func (s *Service) checkOf(ctx context.Context, notice rails.IdentityNotice) (check vault.Check, found bool, err error) {
	if check, found, err = s.Vault.CheckOf(ctx, notice.Customer); err != nil || found {
		return check, found, err
	}
	user, err := s.People.Find(ctx, notice.Email)
	if fault.Is(err, fault.NotFound) {
		return check, false, nil
	}
	if err != nil {
		return check, false, err
	}
	check, found, err = s.Vault.CheckUnderWay(ctx, user)
	// The answer may have come between the two questions.
	return check, found && (check.Customer == "" || check.Customer == notice.Customer), err
}

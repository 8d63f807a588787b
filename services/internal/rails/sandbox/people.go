package sandbox

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"regexp"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/banks"
	"adashi.ng/services/internal/rails/sandbox/acts"
)

var (
	tenDigits    = regexp.MustCompile(`^[0-9]{10}$`)
	elevenDigits = regexp.MustCompile(`^[0-9]{11}$`)
)

// AddPerson opens an account for an invented person, whom both dialects then know. It fills in missing fields, and
// returns a fault for fields that do not fit.
func (b *Bank) AddPerson(ctx context.Context, p Person) (Person, error) {
	p.FirstName, p.LastName = word(p.FirstName, 60), word(p.LastName, 60)
	bank, known := banks.New().Find(p.BankCode)
	switch {
	case p.FirstName == "" || p.LastName == "":
		return p, fault.Field("first_name", "Please enter a first and a last name.")
	case !known:
		return p, fault.Field("bank", "Please choose a bank.")
	case p.Account != "" && !tenDigits.MatchString(p.Account):
		return p, fault.Field("account", "An account number has exactly ten digits.")
	case p.BVN != "" && !elevenDigits.MatchString(p.BVN):
		return p, fault.Field("bvn", "A BVN has exactly eleven digits.")
	case p.Owner != "" && !elevenDigits.MatchString(p.Owner):
		return p, fault.Field("owner", "The owner's BVN has exactly eleven digits.")
	}
	p.BankCode, p.NIP = bank.Code, bank.NIP
	if p.Account == "" {
		p.Account = "1" + randomDigits(9)
	}
	if p.BVN == "" {
		p.BVN = "2" + randomDigits(10)
	}
	if p.Manner != Slow && p.Manner != Silent && p.Manner != Other {
		p.Manner = Plain
	}
	_, err := b.pool.Exec(ctx, `INSERT INTO sandbox_people (bvn, first_name, last_name, account_number, bank_code, nip_code, manner, owner)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, p.BVN, p.FirstName, p.LastName, p.Account, p.BankCode, p.NIP, p.Manner, p.Owner)
	var taken *pgconn.PgError
	if errors.As(err, &taken) && taken.Code == "23505" {
		return p, fault.New(fault.Conflict, "Somebody has this BVN or this account already.")
	}
	if err != nil {
		return p, fmt.Errorf("sandbox: person: %w", err)
	}
	return p, nil
}

func randomDigits(count int) string {
	n, err := rand.Int(rand.Reader, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(count)), nil))
	if err != nil {
		panic(err) // crypto/rand never fails.
	}
	return fmt.Sprintf("%0*d", count, n)
}

// Rename gives an account another name, as after a marriage, or after the bank gave the number to somebody else.
func (b *Bank) Rename(ctx context.Context, account Account, firstName, lastName string) error {
	if firstName, lastName = word(firstName, 60), word(lastName, 60); firstName == "" || lastName == "" {
		return fault.Field("first_name", "Please enter a first and a last name.")
	}
	tag, err := b.pool.Exec(ctx, `UPDATE sandbox_people SET first_name = $3, last_name = $4 WHERE bank_code = $1 AND account_number = $2`,
		account.Bank, account.Number, firstName, lastName)
	if err != nil {
		return fmt.Errorf("sandbox: rename: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return fault.New(fault.NotFound, "No account at this bank has that number.")
	}
	return nil
}

// Owner returns the person who really controls an account, whatever its name: the account's own person, or the one who
// uses that person as a puppet. It returns fault.NotFound for an unknown account.
func (b *Bank) Owner(ctx context.Context, account Account) (Person, error) {
	return b.owner(ctx, "p.bank_code = $1 AND p.account_number = $2", account.Bank, account.Number)
}

// OwnerOfBVN is Owner for a BVN.
func (b *Bank) OwnerOfBVN(ctx context.Context, bvn string) (Person, error) {
	return b.owner(ctx, "p.bvn = $1", bvn)
}

func (b *Bank) owner(ctx context.Context, where string, args ...any) (Person, error) {
	p, err := b.person(ctx, `bvn = (SELECT coalesce(nullif(p.owner, ''), p.bvn) FROM sandbox_people p WHERE `+where+`)`, args...)
	if errors.Is(err, pgx.ErrNoRows) {
		return p, fault.New(fault.NotFound, "The bank does not know whose that is.")
	}
	if err != nil {
		return p, fmt.Errorf("sandbox: owner: %w", err)
	}
	return p, nil
}

const personColumns = `bvn, first_name, last_name, account_number, bank_code, manner, owner, nip_code, asked_at`

// person finds one person. where is always our constant, never input.
func (b *Bank) person(ctx context.Context, where string, args ...any) (Person, error) {
	rows, err := b.pool.Query(ctx, `SELECT `+personColumns+` FROM sandbox_people WHERE `+where, args...)
	if err != nil {
		return Person{}, err
	}
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Person])
}

// asked finds the person with a BVN, and whether the bank can answer yet.
func (b *Bank) asked(ctx context.Context, bvn string) (p Person, ready bool, err error) {
	if _, err := b.pool.Exec(ctx, `UPDATE sandbox_people SET asked_at = coalesce(asked_at, $2) WHERE bvn = $1`, bvn, b.now()); err != nil {
		return p, false, err
	}
	if p, err = b.person(ctx, "bvn = $1", bvn); err != nil {
		return p, false, err
	}
	switch p.Manner {
	case Slow:
		return p, !b.now().Before(p.AskedAt.Add(acts.SlowFor)), nil
	case Silent:
		return p, false, nil
	case Other:
		p.FirstName, p.LastName = "Somebody", "Else"
	}
	return p, true, nil
}

// vfdRecipient is the bank's name enquiry.
func (b *Bank) vfdRecipient(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	nip, inside := word(query.Get("bank"), 10), query.Get("transfer_type") == "intra"
	if inside != (nip == "999999") {
		vfdReply(w, http.StatusBadRequest, "99", "Invalid request", nil)
		return
	}
	if inside {
		nip = "090110"
	}
	if b.refused(w, r, railVFD, word(query.Get("accountNo"), 20)) {
		return
	}
	missing, err := b.missing(r.Context(), word(query.Get("accountNo"), 20))
	var p Person
	if err == nil && !missing {
		p, err = b.person(r.Context(), "account_number = $1 AND nip_code = $2", word(query.Get("accountNo"), 20), nip)
	}
	switch {
	case missing, errors.Is(err, pgx.ErrNoRows):
		vfdReply(w, http.StatusOK, "104", "Account Not Found", nil)
	case err != nil:
		broken(w, r, err)
	default:
		vfdReply(w, http.StatusOK, "00", "Account Found", map[string]any{
			"name": p.Name(), "status": "active", "currency": "NGN", "bank": p.NIP, "account": map[string]string{"number": p.Account, "id": p.Account},
		})
	}
}

// vfdClient returns the person with a BVN.
func (b *Bank) vfdClient(w http.ResponseWriter, r *http.Request) {
	p, ready, err := b.asked(r.Context(), word(r.URL.Query().Get("bvn"), 20))
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		vfdReply(w, http.StatusOK, "104", "BVN not found", nil)
	case err != nil:
		broken(w, r, err)
	case !ready:
		vfdReply(w, http.StatusOK, "09", "Request in progress", nil)
	default:
		vfdReply(w, http.StatusOK, "00", "Successful", map[string]any{"firstName": p.FirstName, "middleName": "", "lastName": p.LastName})
	}
}

func (b *Bank) vfdBanks(w http.ResponseWriter, _ *http.Request) {
	list := []map[string]string{}
	for _, bank := range banks.New().All() {
		list = append(list, map[string]string{"code": bank.NIP, "name": bank.Name})
	}
	vfdReply(w, http.StatusOK, "00", "Successful", map[string]any{"bank": list})
}

func (b *Bank) paystackBanks(w http.ResponseWriter, _ *http.Request) {
	list := []map[string]any{}
	for _, bank := range banks.New().All() {
		list = append(list, map[string]any{"code": bank.Code, "name": bank.Name, "currency": rails.Naira, "active": true})
	}
	paystackReply(w, http.StatusOK, true, "Banks retrieved", list)
}

// paystackResolve is the gateway's name enquiry.
func (b *Bank) paystackResolve(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	if b.refused(w, r, railPaystack, word(query.Get("account_number"), 20)) {
		return
	}
	p, err := b.person(r.Context(), "account_number = $1 AND bank_code = $2", word(query.Get("account_number"), 20), word(query.Get("bank_code"), 10))
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		paystackReply(w, http.StatusUnprocessableEntity, false, "Could not resolve account name. Check parameters or try again.", nil)
	case err != nil:
		broken(w, r, err)
	default:
		paystackReply(w, http.StatusOK, true, "Account number resolved", map[string]any{"account_number": p.Account, "account_name": p.Name(), "bank_id": 1})
	}
}

package sandbox

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/banks"
)

// How the bank answers about somebody's BVN.
const (
	Plain  = "plain"  // At once.
	Slow   = "slow"   // Pending at first, and the answer slowFor later.
	Silent = "silent" // Pending for ever.
	Other  = "other"  // It is another person's.
)

const slowFor = 20 * time.Second

// Person is somebody with a BVN and a bank account.
type Person struct {
	BVN       string // Eleven digits; made when empty.
	FirstName string
	LastName  string
	Account   string // Ten digits; made when empty.
	BankCode  string // The CBN's or the network's.
	Manner    string // Plain when empty.
	nip       string
	askedAt   *time.Time
}

// Name is the account's name as the bank has it.
func (p Person) Name() string { return strings.ToUpper(p.LastName + " " + p.FirstName) }

var (
	tenDigits    = regexp.MustCompile(`^[0-9]{10}$`)
	elevenDigits = regexp.MustCompile(`^[0-9]{11}$`)
)

// AddPerson opens an account for somebody made up, who can then be looked up in both dialects. Missing fields are made
// up; fields that do not fit are a fault.
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
	}
	p.BankCode, p.nip = bank.Code, bank.NIP
	if p.Account == "" {
		p.Account = "1" + randomDigits(9)
	}
	if p.BVN == "" {
		p.BVN = "2" + randomDigits(10)
	}
	if p.Manner != Slow && p.Manner != Silent && p.Manner != Other {
		p.Manner = Plain
	}
	_, err := b.pool.Exec(ctx, `INSERT INTO sandbox_people (bvn, first_name, last_name, account_number, bank_code, nip_code, manner)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`, p.BVN, p.FirstName, p.LastName, p.Account, p.BankCode, p.nip, p.Manner)
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

const personColumns = `bvn, first_name, last_name, account_number, bank_code, manner, nip_code, asked_at`

// person finds one; where is ours, never input.
func (b *Bank) person(ctx context.Context, where string, args ...any) (Person, error) {
	rows, err := b.pool.Query(ctx, `SELECT `+personColumns+` FROM sandbox_people WHERE `+where, args...)
	if err != nil {
		return Person{}, err
	}
	return pgx.CollectExactlyOneRow(rows, scanPerson)
}

func scanPerson(row pgx.CollectableRow) (p Person, err error) {
	err = row.Scan(&p.BVN, &p.FirstName, &p.LastName, &p.Account, &p.BankCode, &p.Manner, &p.nip, &p.askedAt)
	return p, err
}

// Bank is the name of the person's bank.
func (p Person) Bank() string {
	bank, _ := banks.New().Find(p.BankCode)
	return bank.Name
}

// Answers says in words how the bank answers about the BVN.
func (p Person) Answers() string {
	return map[string]string{
		Plain: "is verified at once", Slow: "stays pending for 20 seconds, then is verified", Silent: "stays pending for ever", Other: "belongs to somebody else",
	}[p.Manner]
}

// asked finds who has a BVN, and whether the bank can say so yet.
func (b *Bank) asked(ctx context.Context, bvn string) (p Person, ready bool, err error) {
	if _, err := b.pool.Exec(ctx, `UPDATE sandbox_people SET asked_at = coalesce(asked_at, $2) WHERE bvn = $1`, bvn, b.now()); err != nil {
		return p, false, err
	}
	if p, err = b.person(ctx, "bvn = $1", bvn); err != nil {
		return p, false, err
	}
	switch p.Manner {
	case Slow:
		return p, !b.now().Before(p.askedAt.Add(slowFor)), nil
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
			"name": p.Name(), "status": "active", "currency": "NGN", "bank": p.nip, "account": map[string]string{"number": p.Account, "id": p.Account},
		})
	}
}

// vfdClient tells whose a BVN is.
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

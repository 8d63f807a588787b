package counter

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails/sandbox/acts"
)

// secondsMost is the longest duration that a form takes, positive or negative: ten years.
const secondsMost = 10 * year

func seconds(r *http.Request, field string) time.Duration {
	n, _ := strconv.Atoi(r.PostFormValue(field))
	return time.Duration(min(max(n, -secondsMost), secondsMost)) * time.Second
}

// length is a duration that is not negative.
func length(r *http.Request, field string) time.Duration { return max(seconds(r, field), 0) }

func ticked(r *http.Request, field string) bool { return r.PostFormValue(field) != "" }

// number is an account number, however its digits are grouped.
func number(r *http.Request, field string) string {
	return strings.ReplaceAll(strings.TrimSpace(r.PostFormValue(field)), " ", "")
}

// Telling reads how the bank shall report incoming money.
func Telling(r *http.Request) acts.Telling {
	return acts.Telling{
		Twice: ticked(r, "twice"), Silent: ticked(r, "silent"), HookLate: length(r, "hook_late"), HookBare: ticked(r, "hook_bare"),
		AskedLate: length(r, "asked_late"), LineLate: length(r, "line_late"), LineBare: ticked(r, "line_bare"),
		LineSessionless: ticked(r, "line_sessionless"), LineTwice: ticked(r, "line_twice"),
	}
}

// sendMoney handles the form "Send money". The entries stay in the form when the bank refuses it.
func (c counter) sendMoney(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	filled := page{Account: r.PostFormValue("account"), Amount: r.PostFormValue("amount"), Sender: r.PostFormValue("sender")}
	amount, err := readAmount(filled.Amount)
	if err == nil {
		transfer := acts.Transfer{
			Account: number(r, "account"), Amount: amount, Sender: filled.Sender, Delay: length(r, "delay"), Loose: ticked(r, "loose"), Telling: Telling(r),
			From: acts.Account{Bank: r.PostFormValue("from_bank"), Number: number(r, "from_account")},
		}
		if off := seconds(r, "dated"); off != 0 {
			transfer.At = c.now().Add(off)
		}
		if code := r.PostFormValue("fail"); code == "51" || code == "91" || code == "09" {
			transfer.Code = code
		}
		err = c.bank.Transfer(r.Context(), transfer)
	}
	c.back(w, r, err, "/sandbox/?sent=1", filled)
}

func (c counter) recall(r *http.Request) error {
	return c.bank.Recall(r.Context(), r.PostFormValue("reference"))
}

// openAccount handles the form "Open account".
func (c counter) openAccount(r *http.Request) error {
	_, err := c.bank.AddPerson(r.Context(), acts.Person{
		FirstName: r.PostFormValue("first_name"), LastName: r.PostFormValue("last_name"), BankCode: r.PostFormValue("bank"),
		Account: r.PostFormValue("account"), BVN: r.PostFormValue("bvn"), Manner: r.PostFormValue("manner"), Owner: number(r, "owner"),
	})
	return err
}

// rename handles the form "Change the name".
func (c counter) rename(r *http.Request) error {
	return c.bank.Rename(r.Context(), acts.Account{Bank: r.PostFormValue("bank"), Number: number(r, "account")}, r.PostFormValue("first_name"), r.PostFormValue("last_name"))
}

// behave handles the form "Behave like this".
func (c counter) behave(r *http.Request) error {
	m := acts.Manner{
		Account: number(r, "payee"), Rail: r.PostFormValue("rail"),
		Code: r.PostFormValue("code"), Delay: length(r, "payout_delay"), ReturnAs: r.PostFormValue("return_as"), Rest: length(r, "rest"), BookedBack: ticked(r, "booked_back"),
		Answer: r.PostFormValue("answer"), Hold: min(length(r, "hold"), time.Minute),
		Tells: r.PostFormValue("tells"), AskedLate: length(r, "asked_late"), Twice: ticked(r, "payout_twice"), Silent: ticked(r, "payout_silent"),
		HookLate: length(r, "hook_late"), LineLate: length(r, "line_late"), FeeTold: r.PostFormValue("fee_told"),
		Timeless: ticked(r, "timeless"), ReturnTimeless: ticked(r, "return_timeless"), Skew: seconds(r, "skew"),
	}
	if ticked(r, "reverse") {
		after := length(r, "reverse")
		m.Reverse = &after
	}
	for field, into := range map[string]*money.Kobo{"keeps": &m.Keeps, "fee": &m.Fee} {
		if text := r.PostFormValue(field); text != "" && text != "0" {
			amount, err := readAmount(text)
			if err != nil {
				return err
			}
			*into = amount
		}
	}
	if dead := length(r, "dead"); dead > 0 {
		m.DeadUntil, m.Calls = c.now().Add(dead), r.PostFormValue("calls")
		m.Refuses, _ = strconv.Atoi(r.PostFormValue("refuses"))
	}
	return c.bank.Behave(r.Context(), m)
}

// sendBack handles the button "Send back payout".
func (c counter) sendBack(r *http.Request) error {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return fault.New(fault.NotFound, "There is no such payout.")
	}
	return c.bank.SendBack(r.Context(), id)
}

// takeBack handles the form "Take it back".
func (c counter) takeBack(r *http.Request) error {
	t := acts.Takeback{
		Reference: r.PostFormValue("reference"), Dispute: ticked(r, "dispute"), Twice: ticked(r, "twice"), Silent: ticked(r, "silent"), HookLate: length(r, "hook_late"),
		Delay: length(r, "delay"), Fails: ticked(r, "fails"), Early: ticked(r, "early"), Turns: ticked(r, "turns"), Loose: ticked(r, "loose"),
	}
	if text := r.PostFormValue("amount"); text != "" {
		var err error
		if t.Amount, err = readAmount(text); err != nil {
			return err
		}
	}
	return c.bank.TakeBack(r.Context(), t)
}

// says handles the form "Say this". Empty words are skipped.
func (c counter) says(r *http.Request) error {
	var words []string
	for _, field := range []string{"first", "second", "then"} {
		if word := r.PostFormValue(field); word != "" {
			words = append(words, word)
		}
	}
	return c.bank.Says(r.Context(), r.PostFormValue("reference"), words...)
}

// dispute handles the form "Dispute it".
func (c counter) dispute(r *http.Request) error {
	d := acts.CardDispute{
		Reference: r.PostFormValue("reference"), Category: r.PostFormValue("category"), Twice: ticked(r, "twice"), Silent: ticked(r, "silent"), HookLate: length(r, "hook_late"),
	}
	if text := r.PostFormValue("amount"); text != "" {
		var err error
		if d.Amount, err = readAmount(text); err != nil {
			return err
		}
	}
	_, err := c.bank.Disputes(r.Context(), d)
	return err
}

// endDispute handles the buttons "The payer gets it back" and "The payment stands".
func (c counter) endDispute(r *http.Request) error {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return fault.New(fault.NotFound, "There is no such dispute.")
	}
	return c.bank.EndDispute(r.Context(), id, ticked(r, "upheld"))
}

var plainAmount = regexp.MustCompile(`^[0-9]{1,10}(\.[0-9]{1,2})?$`)

// readAmount takes naira as people write them: 5000, 5,000.00 or ₦5,000.
func readAmount(text string) (money.Kobo, error) {
	plain := strings.NewReplacer(",", "", "₦", "", " ", "").Replace(text)
	if !plainAmount.MatchString(plain) {
		return 0, fault.Field("amount", "Please enter an amount in naira, such as 5000 or 5,177.67.")
	}
	amount, err := money.FromNaira(decimal.RequireFromString(plain))
	if err != nil || amount <= 0 || amount > money.Max {
		return 0, fault.Field("amount", "Please enter an amount from ₦0.01 to %s.", money.Max)
	}
	return amount, nil
}

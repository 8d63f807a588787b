package usecase

import (
	"errors"
	"slices"
	"strings"

	nairav1 "adashi.ng/proto/gen/naira/v1"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/projections/groups"
)

// Naira is an amount as replies have it.
func Naira(k money.Kobo) wire.Naira { return wire.FromKobo(int64(k)) }

// NairaOf is Naira for an amount that is kept as a plain number.
func NairaOf(kobo int64) wire.Naira { return wire.FromKobo(kobo) }

// NairaPtr is Naira for optional fields.
func NairaPtr(k money.Kobo) *wire.Naira { n := Naira(k); return &n }

// OrNil is nil for an empty text, as the contract's optional fields want it.
func OrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// NotThere turns a read model's "none" into a 404.
func NotThere(err, none error, what string) error {
	if errors.Is(err, none) {
		return fault.New(fault.NotFound, "There is no such %s.", what)
	}
	return err
}

// UnlessRefused lets pass what the ledger has decided against.
func UnlessRefused(err error) error {
	if fault.As(err) != nil && !fault.Is(err, fault.Unavailable) {
		return nil
	}
	return err
}

// UnlessConflict lets pass that it came to something else meanwhile.
func UnlessConflict(err error) error {
	if fault.Is(err, fault.Conflict) {
		return nil
	}
	return err
}

// UniqueIDs are the ids that are there, each once.
func UniqueIDs(ids []string) []string {
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
	slices.Sort(ids)
	return slices.Compact(ids)
}

// ChannelName is a channel as replies have it.
func ChannelName(c nairav1.Channel) string { return c.String()[len("CHANNEL_"):] }

// ChannelWords are where money comes from, in words.
var ChannelWords = map[string]string{
	nairav1.Channel_CHANNEL_BANK_TRANSFER.String(): "Bank transfer",
	nairav1.Channel_CHANNEL_CARD.String():          "Card",
}

// ByChannel says how money came, in the middle of a sentence.
func ByChannel(c nairav1.Channel) string {
	switch c {
	case nairav1.Channel_CHANNEL_CARD:
		return "by card"
	case nairav1.Channel_CHANNEL_BANK_TRANSFER:
		return "by bank transfer"
	default:
		return "from your wallet"
	}
}

// LastFour is what is shown of an account number.
func LastFour(number string) string { return number[max(0, len(number)-4):] }

// OrErr is the error, or what stands for it where there is none.
func OrErr(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

// Decimals is an amount as files have it: naira with two decimals.
func Decimals(k money.Kobo) string { return k.Decimal().StringFixed(2) }

// ByteOrderMark makes spreadsheets read a file as UTF-8.
const ByteOrderMark = "\ufeff"

// formulas are what a cell begins with that a spreadsheet would run, full-width signs too. The apostrophe that stops it
// is doubled by one of its own, so that what was written can be told.
const formulas = "=+-@\t\r\n＝＋－＠'"

// Harmless keeps a spreadsheet from running a cell that somebody else may have written, such as a group's name.
func Harmless(cell string) string {
	if cell != "" && strings.ContainsRune(formulas, []rune(cell)[0]) {
		return "'" + cell
	}
	return cell
}

// ExportedAtOnce is how many movements are read at once for an export.
const ExportedAtOnce = 1000

// MarkOf says a mark as the contract does.
func MarkOf(m nairav1.Mark) AuditMark {
	if m == nairav1.Mark_MARK_UNSPECIFIED {
		return AuditMarkUNREVIEWED
	}
	return AuditMark(m.String()[len("MARK_"):])
}

// ScheduleOf is when a sub-account's dues are due.
func ScheduleOf(s groups.SubAccount) savings.Schedule {
	return savings.Schedule{First: savings.ParseDay(s.FirstDue), Frequency: s.Frequency}
}

// SettlementOf is what of a payment went to one due.
func SettlementOf(s savings.Schedule, period string, amount money.Kobo) Settlement {
	return Settlement{Period: period, Label: s.Label(s.At(savings.ParseDay(period))), Amount: Naira(amount)}
}

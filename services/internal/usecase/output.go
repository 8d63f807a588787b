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

// Naira formats an amount for replies.
func Naira(k money.Kobo) wire.Naira { return wire.FromKobo(int64(k)) }

// NairaOf is Naira for an amount that is stored as a plain number.
func NairaOf(kobo int64) wire.Naira { return wire.FromKobo(kobo) }

// NairaPtr is Naira for optional fields.
func NairaPtr(k money.Kobo) *wire.Naira { n := Naira(k); return &n }

// OrNil returns nil for an empty text, as the contract's optional fields require.
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

// UnlessRefused returns nil for a refusal by the ledger, and any other error unchanged.
func UnlessRefused(err error) error {
	if fault.As(err) != nil && !fault.Is(err, fault.Unavailable) {
		return nil
	}
	return err
}

// UnlessConflict returns nil for a conflict with something that happened meanwhile, and any other error unchanged.
func UnlessConflict(err error) error {
	if fault.Is(err, fault.Conflict) {
		return nil
	}
	return err
}

// UniqueIDs returns the ids that are not empty, each once.
func UniqueIDs(ids []string) []string {
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
	slices.Sort(ids)
	return slices.Compact(ids)
}

// ChannelName returns a channel's name in replies.
func ChannelName(c nairav1.Channel) string { return c.String()[len("CHANNEL_"):] }

// ChannelWords are the channels' names for people.
var ChannelWords = map[string]string{
	nairav1.Channel_CHANNEL_BANK_TRANSFER.String(): "Bank transfer",
	nairav1.Channel_CHANNEL_CARD.String():          "Card",
}

// ByChannel says how money came, for the middle of a sentence.
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

// LastFour returns the part of an account number that we show.
func LastFour(number string) string { return number[max(0, len(number)-4):] }

// OrErr returns err, or otherwise when err is nil.
func OrErr(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

// Decimals formats an amount for files: naira with two decimals.
func Decimals(k money.Kobo) string { return k.Decimal().StringFixed(2) }

// ByteOrderMark makes spreadsheets read a file as UTF-8.
const ByteOrderMark = "\ufeff"

// formulas are the first characters by which a spreadsheet recognizes a formula, full-width signs too. Harmless puts an
// apostrophe before them; it also doubles an apostrophe at the beginning, so that the original text can be restored.
const formulas = "=+-@\t\r\n＝＋－＠'"

// Harmless keeps a spreadsheet from running a cell that somebody else may have written, such as a group's name.
func Harmless(cell string) string {
	if cell != "" && strings.ContainsRune(formulas, []rune(cell)[0]) {
		return "'" + cell
	}
	return cell
}

// ExportedAtOnce limits how many movements are read at once for an export.
const ExportedAtOnce = 1000

// MarkOf returns a mark in the contract's words.
func MarkOf(m nairav1.Mark) AuditMark {
	if m == nairav1.Mark_MARK_UNSPECIFIED {
		return AuditMarkUNREVIEWED
	}
	return AuditMark(m.String()[len("MARK_"):])
}

// ScheduleOf returns when a sub-account's dues are due.
func ScheduleOf(s groups.SubAccount) savings.Schedule {
	return savings.Schedule{First: savings.ParseDay(s.FirstDue), Frequency: s.Frequency}
}

// SettlementOf returns the part of a payment that went to one due.
func SettlementOf(s savings.Schedule, period string, amount money.Kobo) Settlement {
	return Settlement{Period: period, Label: s.Label(s.At(savings.ParseDay(period))), Amount: Naira(amount)}
}

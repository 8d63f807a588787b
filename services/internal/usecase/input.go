package usecase

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
)

// ParseID checks an id from outside, so that nothing else reaches the ledger. what names it for people.
func ParseID(id, what string) (string, error) {
	parsed, err := uuid.Parse(id)
	if err != nil || len(id) != 36 {
		return "", fault.New(fault.NotFound, "There is no such %s.", what)
	}
	return parsed.String(), nil
}

// Kobo reads an amount from outside.
func Kobo(field string, amount wire.Naira) (money.Kobo, error) {
	k, err := money.FromNaira(amount.Decimal)
	if err != nil || k > money.Max {
		return 0, fault.Field(field, "The amount is too large.")
	}
	if k <= 0 {
		return 0, fault.Field(field, "Enter an amount greater than zero.")
	}
	return k, nil
}

// ReadNaira reads an amount from a query: naira with at most two decimals.
func ReadNaira(field, text string) (money.Kobo, error) {
	var amount wire.Naira
	if err := amount.UnmarshalJSON([]byte(text)); err != nil {
		return 0, fault.Field(field, "Enter an amount in naira, such as 5000 or 5177.67.")
	}
	return Kobo(field, amount)
}

// Cursor reads a page's cursor: a position.
func Cursor(before *string) (int64, error) {
	if before == nil || *before == "" {
		return 0, nil
	}
	pos, err := strconv.ParseInt(*before, 10, 64)
	if err != nil || pos <= 0 {
		return 0, fault.Field("before", "This page cannot be found. Go back to the first one.")
	}
	return pos, nil
}

// Span is the time from the beginning of one Lagos day to the end of another; the zero time for a missing day.
func Span(from, to *string) (begin, end time.Time, err error) {
	if from != nil && *from != "" {
		if begin, err = lagosDay("from", *from); err != nil {
			return begin, end, err
		}
	}
	if to != nil && *to != "" {
		if end, err = lagosDay("to", *to); err != nil {
			return begin, end, err
		}
		end = end.AddDate(0, 0, 1)
	}
	if !begin.IsZero() && !end.IsZero() && !begin.Before(end) {
		return begin, end, fault.Field("to", "The last day must not be before the first.")
	}
	return begin, end, nil
}

// lagosDay returns the midnight at which a Lagos day begins.
func lagosDay(field, text string) (time.Time, error) {
	day, err := time.ParseInLocation(time.DateOnly, text, lagos.Zone)
	if err != nil || day.Year() < 2000 || day.Year() > 2200 {
		return time.Time{}, fault.Field(field, "Enter a day as YYYY-MM-DD.")
	}
	return day, nil
}

// PageOf returns the n-th to the n+limit-th of a list, and where the next page begins.
func PageOf[T any](list []T, before *string, limit int) (page []T, next *string, err error) {
	at, err := Cursor(before)
	if err != nil {
		return nil, nil, err
	}
	from := min(int(at), len(list))
	to := min(from+limit, len(list))
	if to < len(list) {
		next = OrNil(strconv.Itoa(to))
	}
	return list[from:to], next, nil
}

// ChannelOf reads the contract's channel; bank transfer when absent.
func ChannelOf(channel *RailChannel) nairav1.Channel {
	if channel == nil {
		return nairav1.Channel_CHANNEL_BANK_TRANSFER
	}
	return nairav1.Channel(nairav1.Channel_value["CHANNEL_"+string(*channel)])
}

// Plain cleans a gateway's text so that every table can store it.
func Plain(words string) string {
	words = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, words)
	if runes := []rune(words); len(runes) > reasonMax {
		return string(runes[:reasonMax])
	}
	return words
}

const reasonMax = 200

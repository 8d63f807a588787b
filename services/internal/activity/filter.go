package activity

import (
	"context"
	"strings"

	"github.com/shopspring/decimal"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/projections/activity"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/usecase"
)

// Wanted is a member's filter of their movements. A nil or empty field does not filter.
type Wanted struct {
	Kinds              *[]MovementKind
	Direction, Channel string
	GroupID            *string
	From, To           *string // Lagos days, YYYY-MM-DD, both included.
	Search             *string
}

const searchRunesMax = 100

// filter translates the filter for the read model.
func (s *Service) filter(ctx context.Context, user string, w Wanted) (activity.Filter, error) {
	var f activity.Filter
	if w.Kinds != nil {
		for _, kind := range *w.Kinds {
			if !kind.Valid() {
				return f, fault.Field("kind", "There is no such kind of movement.")
			}
			f.Kinds = append(f.Kinds, string(kind))
		}
	}
	switch incoming := w.Direction == string(MovementDirectionIN); {
	case w.Direction == "":
	case incoming || w.Direction == string(MovementDirectionOUT):
		f.Incoming = &incoming
	default:
		return f, fault.Field("direction", "Choose IN or OUT.")
	}
	if w.Channel != "" {
		channel, known := nairav1.Channel_value["CHANNEL_"+w.Channel]
		if !known || channel == 0 {
			return f, fault.Field("channel", "Choose BANK_TRANSFER, CARD or WALLET.")
		}
		f.Channel = nairav1.Channel(channel)
	}
	if w.GroupID != nil {
		f.GroupID = *w.GroupID
	}
	var err error
	if f.From, f.To, err = usecase.Span(w.From, w.To); err != nil {
		return f, err
	}
	f.Search, err = s.search(ctx, user, w.Search)
	return f, err
}

// search is the possible meanings of a text: a part of a reference, of a group's or sub-account's name, or an amount.
func (s *Service) search(ctx context.Context, user string, text *string) (activity.Search, error) {
	var search activity.Search
	if text == nil {
		return search, nil
	}
	search.Text = strings.ToLower(strings.TrimSpace(*text))
	if len([]rune(search.Text)) > searchRunesMax || strings.ContainsRune(search.Text, 0) {
		return search, fault.Field("search", "Search for at most %d characters.", searchRunesMax)
	}
	if search.Text == "" {
		return search, nil
	}
	search.From, search.To = amountWritten(search.Text)
	subs, err := activity.SubAccounts(ctx, s.Pool, user)
	if err != nil {
		return search, err
	}
	search.Groups, search.Subs, err = groups.Named(ctx, s.Pool, subs, search.Text)
	return search, err
}

// amountWritten reads an amount in a search, such as ₦5,177.67. One without kobo means any kobo.
func amountWritten(text string) (from, to money.Kobo) {
	plain := strings.NewReplacer("₦", "", ",", "", " ", "", "ngn", "").Replace(text)
	if strings.Trim(plain, "0123456789.") != "" {
		return 0, 0
	}
	naira, err := decimal.NewFromString(plain)
	if err != nil {
		return 0, 0
	}
	k, err := money.FromNaira(naira)
	if err != nil || k <= 0 || k > money.Max {
		return 0, 0
	}
	if strings.Contains(plain, ".") {
		return k, k
	}
	return k, k + money.Naira - 1
}

package apptest

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/usecase"
)

// Failing are the items of a job that fail.
func (w *Town) Failing(job string) []items.Failing {
	w.Helper()
	list, err := items.Job{Pool: w.Pool, Name: job}.Last(context.Background(), 10)
	require.NoError(w, err)
	return list
}

// Written are how many letters there are to somebody.
func (w *Town) Written(who usecase.Who) int {
	w.Helper()
	letters, err := mail.Newest(context.Background(), w.Pool, "")
	require.NoError(w, err)
	n := 0
	for _, l := range letters {
		if l.To == strings.ToLower(who.Email) {
			n++
		}
	}
	return n
}

// settings are those of members; about one who is gone nobody answers.
type settings struct {
	gone  *string
	muted map[string][]string
	stop  func()
}

// Hidden implements notices.Settings.
func (*settings) Hidden(context.Context, string) ([]string, error) { return nil, nil }

// Unmailed implements notices.Settings.
func (s *settings) Unmailed(ctx context.Context, users ...string) (map[string][]string, error) {
	if s.stop != nil {
		s.stop()
		return nil, ctx.Err()
	}
	if slices.Contains(users, *s.gone) {
		return nil, errors.New("nobody like gone@example.com is here")
	}
	return s.muted, nil
}

// Letterbox has the app write letters from here on; about whose settings nobody answers it is told.
func (w *Town) Letterbox(gone *string) {
	w.Helper()
	w.App.Vault, w.settings = w.keeps(), &settings{gone: gone, muted: map[string][]string{}}
	w.App.Notices.Settings = w.settings
	require.NoError(w, w.App.Notices.BeginLetters(context.Background()))
}

// Mutes has somebody want no letters of some types.
func (w *Town) Mutes(who usecase.Who, types ...string) { w.settings.muted[who.User] = types }

// Stops has stop called before the next letter is written; nil has letters written again.
func (w *Town) Stops(stop func()) { w.settings.stop = stop }

package profile

import (
	"context"
	"slices"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/projections/notifications/told"
	"adashi.ng/services/internal/vault"
)

func settingsView(s vault.Settings) contract.UserSettings {
	return contract.UserSettings{
		InApp: !s.NotInApp, Email: !s.NotByMail,
		MutedInApp: append([]string{}, hidden(false, s.MutedInApp)...), MutedEmail: append([]string{}, hidden(false, s.MutedEmail)...),
	}
}

// SetSettings stores how a member wants to be notified.
func (s *Service) SetSettings(ctx context.Context, userID string, form contract.UserSettings) (contract.UserSettings, error) {
	for field, muted := range map[string][]string{"mutedInApp": form.MutedInApp, "mutedEmail": form.MutedEmail} {
		for _, kind := range muted {
			if told.Always(kind) {
				return contract.UserSettings{}, fault.Field(field, "What concerns the safety of your account always reaches you.")
			}
			if !slices.Contains(told.Types, kind) {
				return contract.UserSettings{}, fault.Field(field, "There are no notifications of the type %q.", kind)
			}
		}
	}
	sorted := func(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }
	r, err := s.Vault.Set(ctx, userID, func(r *vault.Record) {
		r.Settings = vault.Settings{
			NotInApp: !form.InApp, NotByMail: !form.Email, MutedInApp: sorted(form.MutedInApp), MutedEmail: sorted(form.MutedEmail),
		}
	})
	return settingsView(r.Settings), err
}

// Hidden returns the types of notifications that a member does not want to see in the app.
func (s *Service) Hidden(ctx context.Context, userID string) ([]string, error) {
	r, err := s.Vault.Read(ctx, userID)
	return hidden(r.Settings.NotInApp, r.Settings.MutedInApp), err
}

// Unmailed returns the types that some members do not want by mail.
func (s *Service) Unmailed(ctx context.Context, userIDs ...string) (map[string][]string, error) {
	records, err := s.Vault.ReadAll(ctx, userIDs...)
	unmailed := make(map[string][]string, len(records))
	for id, r := range records {
		unmailed[id] = hidden(r.Settings.NotByMail, r.Settings.MutedEmail)
	}
	return unmailed, err
}

// hidden returns the muted types, all or some. It leaves out notices about the account's safety, which earlier builds
// let a member mute.
func hidden(all bool, muted []string) []string {
	if all {
		muted = told.Types
	}
	return slices.DeleteFunc(slices.Clone(muted), told.Always)
}

package usecase

import "adashi.ng/ledger/domain/seen"

// Saw returns the version that a caller saw. A caller who agrees must state it; one who declines may.
func Saw(form *string, agrees bool) (seen.Version, error) {
	saw := seen.Version("")
	if form != nil {
		saw = seen.Version(*form)
	}
	if !agrees {
		return saw, nil
	}
	return saw, saw.Needed()
}

package usecase

import "adashi.ng/ledger/domain/seen"

// Saw is the version of what a caller saw. Who agrees to something has to say it; who turns it down may.
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

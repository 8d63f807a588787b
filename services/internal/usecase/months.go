package usecase

import (
	"adashi.ng/ledger/domain/sampling"
	"adashi.ng/projections/months"
)

// Findings returns the result of an attested month's sample.
func Findings(m months.Month) sampling.Findings {
	always := len(m.Always)
	return sampling.Findings{
		Rest: m.Population - always, Drawn: len(m.Sample) - always, DrawnQueried: m.DrawnQueried, Always: always, AlwaysQueried: m.AlwaysQueried,
		MarginBasisPoints: m.Margin,
	}
}

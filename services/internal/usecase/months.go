package usecase

import (
	"adashi.ng/ledger/domain/sampling"
	"adashi.ng/projections/months"
)

// Findings are what the sample of an attested month came to.
func Findings(m months.Month) sampling.Findings {
	always := len(m.Always)
	return sampling.Findings{
		Rest: m.Population - always, Drawn: len(m.Sample) - always, DrawnQueried: m.DrawnQueried, Always: always, AlwaysQueried: m.AlwaysQueried,
		MarginBasisPoints: m.Margin,
	}
}

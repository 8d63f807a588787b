package transitions

import nairav1 "adashi.ng/proto/gen/naira/v1"

// A month's list is sealed, then its sample is drawn, then it is attested, and then the next month's list is sealed.
var months = of(
	on[*nairav1.MonthSampleNamed](initiated, Nothing, ended),
	on[*nairav1.SampleDrawn](pending, initiated),
	on[*nairav1.PeriodAttestedV2](ended, pending),
)

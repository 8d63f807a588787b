package payments

// Word is a bank's or gateway's answer about a payment, or the lack of one.
type Word string

// The words. Each provider's adapter translates the provider's statuses and errors to them.
const (
	SaysPaid     Word = "it has the money, in time"
	SaysLate     Word = "it has the money, after the payment's time"
	SaysOther    Word = "it has another amount"
	SaysFailed   Word = "it failed"
	SaysPending  Word = "it is pending, or an answer that cannot be read"
	SaysPending3 Word = "the same, 72 hours after the payment's time"
	SaysUnknown  Word = "it knows no such payment"
	SaysUnknown3 Word = "the same, an hour after the payment's time"
	SaysNothing  Word = "it cannot be asked, or is busy"
	TookPart     Word = "a part went back"
	TookAll      Word = "all of it went back"
	TookMore     Word = "more than it went back"
)

// Words lists all of them.
var Words = []Word{SaysPaid, SaysLate, SaysOther, SaysFailed, SaysPending, SaysPending3, SaysUnknown, SaysUnknown3, SaysNothing, TookPart, TookAll, TookMore}

// Known is the ledger's state of a payment.
type Known string

// The possible states.
const (
	KnowsNothing  Known = "no payment of ours"
	KnowsStarted  Known = "started"
	KnowsPending  Known = "pending"
	KnowsLapsed   Known = "expired, or ended since nobody knew of any money"
	KnowsFailed   Known = "failed, as its bank said"
	KnowsCredited Known = "credited"
	KnowsSpent    Known = "credited, and spent"
	KnowsParked   Known = "parked"
	KnowsAssigned Known = "assigned to a member"
	KnowsAgreed   Known = "to be sent back, and its bank is not told yet"
	KnowsLeaving  Known = "on its way back to its sender"
	KnowsSentBack Known = "sent back to its sender"
	KnowsPartBack Known = "gone back in part"
	KnowsAllBack  Known = "gone back in full"
	KnowsDisputed Known = "disputed"
	KnowsLost     Known = "dispute lost"
	KnowsClosed   Known = "credited, and its account closed or its person erased"
)

// Knowns lists all of them.
var Knowns = []Known{
	KnowsNothing, KnowsStarted, KnowsPending, KnowsLapsed, KnowsFailed, KnowsCredited, KnowsSpent, KnowsParked, KnowsAssigned, KnowsAgreed, KnowsLeaving,
	KnowsSentBack, KnowsPartBack, KnowsAllBack, KnowsDisputed, KnowsLost, KnowsClosed,
}

// Outcome is our reaction to a word.
type Outcome struct {
	Does    string   // As a text for people.
	Records []string // The events that we record.
	Loss    string   // Who bears the missing money; empty when none is missing.
	Refused bool     // We refuse the word: the bank sends it again, and we ask again.
}

// The outcomes. The table of package told says who gets a notice about each event.
var (
	nothing    = Outcome{Does: "nothing"}
	again      = Outcome{Does: "nothing, and it is asked again", Refused: true}
	credits    = Outcome{Does: "credits it", Records: []string{"PaymentConfirmedV2"}}
	parks      = Outcome{Does: "parks it", Records: []string{"UnmatchedMoneyReceivedV2"}}
	parksEnds  = Outcome{Does: "parks it and ends the payment", Records: []string{"UnmatchedMoneyReceivedV2", "PaymentFailed"}}
	ends       = Outcome{Does: "ends the payment", Records: []string{"PaymentFailed"}}
	expires    = Outcome{Does: "lets the payment expire", Records: []string{"PaymentExpired"}}
	creditsToo = Outcome{Does: "credits it and takes back what went", Records: []string{"PaymentConfirmedV2", "PaymentReversedV3"}}
	creditsAll = Outcome{Does: "credits it and takes back what went", Records: []string{"PaymentConfirmedV2", "PaymentReversedV3", "PaymentLossBorne"}, Loss: "Adashi"}
	parksPart  = Outcome{Does: "parks it and takes the part out of suspense", Records: []string{"UnmatchedMoneyReceivedV2", "UnmatchedTakenBack"}}
	parksToo   = Outcome{Does: "parks it and takes it out of suspense", Records: []string{"UnmatchedMoneyReceivedV2", "UnmatchedTakenBack"}, Loss: "Adashi: the gateway's fee, and what is beyond it"}
	takes      = Outcome{Does: "takes it from the payer", Records: []string{"PaymentReversedV3"}}
	lends      = Outcome{Does: "has the payer owe it", Records: []string{"DebtOpened", "PaymentReversedV3"}, Loss: "the payer"}
	lendsMore  = Outcome{Does: "has the payer owe what came in", Records: []string{"DebtOpened", "PaymentReversedV3", "PaymentLossBorne"}, Loss: "the payer, and Adashi what is beyond it"}
	takesMore  = Outcome{Does: "takes from the payer what came in", Records: []string{"PaymentReversedV3", "PaymentLossBorne"}, Loss: "Adashi"}
	bears      = Outcome{Does: "bears it", Records: []string{"PaymentLossBorne"}, Loss: "Adashi"}
	unparks    = Outcome{Does: "takes it out of suspense", Records: []string{"UnmatchedTakenBack"}}
	unparksAll = Outcome{Does: "takes it out of suspense", Records: []string{"UnmatchedTakenBack"}, Loss: "Adashi: the gateway's fee, and what is beyond it"}
	callsOff   = Outcome{Does: "calls it off, and takes it out of suspense", Records: []string{"SendBackFailed", "UnmatchedTakenBack"}}
	callsOffs  = Outcome{Does: "calls it off, and takes it out of suspense", Records: []string{"SendBackFailed", "UnmatchedTakenBack"}, Loss: "Adashi: the gateway's fee, and what is beyond it"}
	bearsBack  = Outcome{Does: "bears it", Records: []string{"SendBackLossBorne"}, Loss: "Adashi, unless what goes back fails or comes back"}
	unassigns  = Outcome{Does: "takes it from the member", Records: []string{"AssignedTakenBack"}}
	unassigned = Outcome{Does: "takes it from the member", Records: []string{"AssignedTakenBack"}, Loss: "Adashi: the gateway's fee, and what is beyond it"}
)

// Table is the outcome of each word about a card payment, by its known state, in the order of Words. It has no default:
// a test plays every cell.
var Table = map[Known][]Outcome{
	KnowsNothing:  {parks, parks, parks, again, again, again, again, again, again, parksPart, parksToo, parksToo},
	KnowsStarted:  {credits, credits, parksEnds, ends, nothing, expires, nothing, expires, again, creditsToo, creditsToo, creditsAll},
	KnowsPending:  {credits, credits, parksEnds, ends, nothing, ends, nothing, ends, again, creditsToo, creditsToo, creditsAll},
	KnowsLapsed:   {credits, parks, parks, nothing, nothing, nothing, nothing, nothing, again, creditsToo, creditsToo, creditsAll},
	KnowsFailed:   {parks, parks, parks, nothing, nothing, nothing, nothing, nothing, again, parksPart, parksToo, parksToo},
	KnowsCredited: {nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, takes, takes, takesMore},
	KnowsSpent:    {nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, lends, lends, lendsMore},
	KnowsParked:   {nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, again, unparks, unparksAll, unparksAll},
	KnowsAssigned: {nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, again, unassigns, unassigned, unassigned},
	KnowsAgreed:   {nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, again, callsOff, callsOffs, callsOffs},
	KnowsLeaving:  {nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, again, bearsBack, bearsBack, bearsBack},
	KnowsSentBack: {nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, again, bearsBack, bearsBack, bearsBack},
	KnowsPartBack: {nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, takes, takes, takesMore},
	KnowsAllBack:  {nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, bears, bears, bears},
	KnowsDisputed: {nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, takes, takes, takesMore},
	KnowsLost:     {nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, bears, bears, bears},
	KnowsClosed:   {nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, lends, lends, lendsMore},
}

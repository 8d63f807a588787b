package counter

import (
	"slices"
	"strconv"

	"adashi.ng/services/internal/rails/sandbox/acts"
)

// group is a set of fields that belong together. The first choice of each field, and an empty tick box, is a bank that
// works perfectly.
type group struct {
	ID     string // Begins the ids of its fields on the page.
	Title  string
	Fields []field
}

// field is a list of choices or, without Choices, a tick box.
type field struct {
	Name    string
	Label   string
	Help    string // A sentence; may be empty.
	Choices []acts.Choice
}

const (
	minute = 60
	hour   = 60 * minute
	day    = 24 * hour
	year   = 365 * day
)

// lengths are choices of duration: none, with its own text, and the others by their names.
func lengths(none string, seconds ...int) []acts.Choice {
	names := map[int]string{
		2: "2 seconds", 5: "5 seconds", 10: "10 seconds", 20: "20 seconds", minute: "1 minute", 2 * minute: "2 minutes", 10 * minute: "10 minutes", 20 * minute: "20 minutes",
		hour: "1 hour", day: "1 day", 4 * day: "4 days", 5 * day: "5 days", 7 * day: "1 week", 10 * day: "10 days", 30 * day: "30 days",
	}
	out := []acts.Choice{{Value: "0", Words: none}}
	for _, s := range seconds {
		out = append(out, acts.Choice{Value: strconv.Itoa(s), Words: names[s]})
	}
	return out
}

var answerChoices = []acts.Choice{
	{Value: acts.AnswersPlain, Words: "answers"},
	{Value: acts.AnswersSilent, Words: "does it and does not answer"},
	{Value: acts.AnswersXML, Words: "does it and answers what nobody can read"},
	{Value: acts.AnswersLost, Words: "never gets the order"},
	{Value: acts.AnswersExists, Words: "does it and answers that it has this order already"},
	{Value: acts.AnswersAway, Words: "does it and answers that we may not (403)"},
	{Value: acts.AnswersMissing, Words: "does it and answers “Integration not found” (404)"},
	{Value: acts.AnswersOften, Words: "does it and answers that we ask too often (429)"},
	{Value: acts.AnswersDown, Words: "does it and answers that it is away (503)"},
}

var tellsChoices = []acts.Choice{
	{Value: "", Words: "says what is true"},
	{Value: acts.TellsAnother, Words: "answers about another payout"},
	{Value: acts.TellsAnotherReturn, Words: "tells of the return of another payout"},
	{Value: acts.TellsPart, Words: "says that half of the money came back"},
	{Value: acts.TellsNaira, Words: "says that ₦1 came back"},
	{Value: acts.TellsUnfinished, Words: "says that it is sending the money back, and is not done"},
	{Value: acts.TellsUndone, Words: "says that it could not send the money back"},
	{Value: acts.TellsList, Words: "answers an empty list"},
	{Value: acts.TellsNothing, Words: "answers an empty object"},
	{Value: acts.TellsNoReturn, Words: "does not say that money came back"},
}

// groups are the manners that a person chooses for payouts, and for the bank as a whole.
var groups = []group{
	{"what", "What becomes of a payout", []field{
		{"code", "Payouts", "", acts.Outcomes},
		{"payout_delay", "They are pending for", "", lengths("no time", 5, minute, 10*minute, 4*day)},
		{"reverse", "The receiving bank sends them back", "Only payouts that were paid come back.", append([]acts.Choice{{Words: "never"}}, lengths("at once", 10, day, 30*day)...)},
		{"keeps", "Of what it sends back it keeps", "", []acts.Choice{{Value: "0", Words: "nothing"}, {Value: "50", Words: "₦50"}}},
		{"rest", "It sends what it kept", "", lengths("never", minute, day)},
		{"return_as", "What comes back is booked", "The card gateway has no transfers in.", []acts.Choice{
			{Words: "under our reference"}, {Value: acts.ReturnAsTransfer, Words: "as a transfer in of its own, without our reference"},
		}},
		{"booked_back", "Payouts that are not paid are booked out and in again", "The statement has both lines, whatever the bank says of the payout.", nil},
		{"fee", "The bank takes for each payout", "", []acts.Choice{
			{Value: "0", Words: "what its tariff says"}, {Value: "10.75", Words: "₦10.75"}, {Value: "53.75", Words: "₦53.75"},
		}},
	}},
	{"order", "How the bank answers an order", []field{
		{"answer", "The bank", "In every line that begins with “does it”, the money leaves.", answerChoices},
		{"hold", "Its answer takes", "Adashi waits for 15 seconds.", lengths("no time", 2, 20)},
	}},
	{"later", "What the bank says afterwards", []field{
		{"tells", "Asked about a payout, the bank", "The money does not move by what it says.", tellsChoices},
		{"asked_late", "It knows of an order", "Until then it says that there is no such payout.", lengths("at once", minute, 20*minute, day)},
		{"payout_twice", "Webhooks about payouts come twice", "Only the card gateway sends them.", nil},
		{"payout_silent", "Webhooks about payouts never come", "", nil},
		{"hook_late", "Webhooks about payouts come", "", lengths("at once", minute, hour, day)},
		{"line_late", "The statement has payouts, fees and returns", "It gives their true days all the same.", lengths("at once", day, 7*day)},
		{"fee_told", "It tells what it took", "", []acts.Choice{
			{Words: "in its answers and on the payout's line"},
			{Value: acts.FeeOnLine, Words: "only on the statement, on the payout's line"},
			{Value: acts.FeeApart, Words: "only on the statement, in a line of its own; the card gateway nowhere"},
		}},
		{"timeless", "It does not say when a payout was paid", "", nil},
		{"return_timeless", "It does not say when a payout that came back was paid, or came back", "", nil},
		{"skew", "The times that it tells of payouts are", "", []acts.Choice{
			{Value: "0", Words: "right"}, {Value: strconv.Itoa(3 * year), Words: "three years too late"}, {Value: strconv.Itoa(-7 * year), Words: "seven years too early"},
		}},
	}},
	{"away", "A bank that is not there", []field{
		{"dead", "The bank is away", "", lengths("not at all", 20, 2*minute, 20*minute, day)},
		{"calls", "It is away for", "", []acts.Choice{
			{Words: "everything"},
			{Value: acts.CallsNames, Words: "questions about names and BVNs"},
			{Value: acts.CallsOrders, Words: "orders to pay out"},
			{Value: acts.CallsQueries, Words: "questions about payments and payouts"},
			{Value: acts.CallsBooks, Words: "its statement, lists and balance"},
		}},
		{"refuses", "Meanwhile it answers", "", []acts.Choice{
			{Value: "0", Words: "nothing, as after a time-out"},
			{Value: "403", Words: "that we may not (403)"},
			{Value: "404", Words: "“Integration not found” (404)"},
			{Value: "408", Words: "that it took too long (408)"},
			{Value: "429", Words: "that we ask too often (429)"},
			{Value: "500", Words: "that it is broken (500)"},
			{Value: "503", Words: "that it is away (503)"},
			{Value: "504", Words: "that its own bank took too long (504)"},
			{Value: "91", Words: "that the other bank is not there (91)"},
		}},
	}},
}

// words are the statuses of one kind of transaction.
type words struct {
	Of    string
	Words []string
}

// said lists all statuses that the bank may be made to report.
var said = []words{
	{"Whatever it is", []string{acts.Truth}},
	{"A card payment", acts.CardWords[1:]},
	{"A payout by the card gateway", acts.PayoutWords[1:]},
	{"A transfer or payout at the bank", acts.BankWords[1:]},
}

// tellings are the ways in which the bank reports incoming money badly.
var tellings = group{"tell", "Let the bank tell of it badly", []field{
	{"twice", "Send the webhook twice", "", nil},
	{"silent", "Send no webhook", "", nil},
	{"hook_late", "The webhook comes", "A refund may be told of before its payment then.", lengths("at once", minute, hour, day)},
	{"hook_bare", "The webhook names no reference", "", nil},
	{"asked_late", "Asked about it, the bank knows of it", "Until then it says that there is no such payment.", lengths("at once", minute, 20*minute, day)},
	{"line_late", "The statement has it", "It gives its true day all the same.", lengths("at once", day, 7*day)},
	{"line_bare", "The statement names no reference", "", nil},
	{"line_sessionless", "The statement names no session", "Only a bank transfer has one.", nil},
	{"line_twice", "The statement has it twice", "", nil},
}}

// cardTellings are those that a card payment can have; the choice of a second webhook has its own place on the page.
var cardTellings = group{tellings.ID, tellings.Title, slices.DeleteFunc(slices.Clone(tellings.Fields), func(f field) bool {
	return f.Name == "twice" || f.Name == "line_sessionless"
})}

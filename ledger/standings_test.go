package ledger_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajoaccess"
	"adashi.ng/ledger/domain/ajocard"
	"adashi.ng/ledger/domain/ajoconsent"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/correction"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

const (
	neither = iota
	closed  // A closed account is refused.
	both    // A frozen one too.
)

// act is what an account may do, or what may happen to it.
type act struct {
	whose   string
	past    []any
	act     event.Command
	refused int
}

func fundedBy(user string, amount money.Kobo) event.Draft {
	return event.On("payment:of "+user, &nairav1.PaymentConfirmedV2{UserId: user, Provider: string(event.Vfd), AmountKobo: int64(amount)})
}

func list(commands ...event.Command) (out []any) {
	for _, c := range commands {
		out = append(out, c)
	}
	return out
}

// traders is a group of which ada is the owner, vera the validator, and femi and gozie approve; bisi saves ₦20,000.
func traders() (past []any) {
	past = []any{Epoch.AddDate(0, 0, -7), savings.CreateGroup{GroupID: "g", Owner: "ada", Name: "Traders", Amount: 5000 * money.Naira, Capacity: 9, StartMonth: 11, Now: Epoch}}
	past = append(past, list(Activated("g", "ada", "vera", "femi")...)...)
	for _, user := range []string{"gozie", "bisi", "dayo"} {
		past = append(past, savings.JoinGroup{GroupID: "g", User: user}, savings.ApproveMember{GroupID: "g", User: user, By: "ada"})
	}
	past = append(past, savings.AppointApprover{GroupID: "g", User: "gozie", By: "ada"}, savings.JoinGroup{GroupID: "g", User: "pending"}, savings.OpenSubAccount{
		GroupID: "g", SubAccountID: "s", By: "ada", Name: "Dues", Type: nairav1.PaymentType_PAYMENT_TYPE_FIXED, Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY,
		Amount: 5000 * money.Naira, Late: savings.Late{GraceDays: 5, Type: nairav1.FeeType_FEE_TYPE_FLAT, Amount: 100 * money.Naira}, Now: Epoch,
	}, Epoch)
	for _, user := range []string{"vera", "femi", "gozie", "bisi", "dan"} {
		past = append(past, account.EndCheck(user, "check", 0))
	}
	for _, user := range []string{"ada", "bisi", "dayo"} {
		past = append(past, fundedBy(user, 50_000*money.Naira))
	}
	return append(past, contributes("bisi", 20_000*money.Naira))
}

var allOfThem = savings.Officers{Users: []string{"ada", "vera", "femi", "gozie"}}

func contributes(user string, amount money.Kobo) event.Command {
	return dues.Contribute{GroupID: "g", SubAccountID: "s", User: user, Amount: amount, Channel: nairav1.Channel_CHANNEL_WALLET, At: Epoch}
}

func of(user string, kind nairav1.LiquidationKind) liquidation.Of {
	return liquidation.Of{LiquidationID: "l", GroupID: "g", SubAccountID: "s", RequestedBy: user, Kind: kind, Provider: event.Vfd}
}

const spends, takesOut = nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT, nairav1.LiquidationKind_LIQUIDATION_KIND_MEMBER_WITHDRAWAL

func asks(user string, kind nairav1.LiquidationKind) event.Command {
	amount := 1000 * money.Naira
	return liquidation.Request{
		LiquidationID: "l", GroupID: "g", SubAccountID: "s", User: user, Kind: kind, Amount: amount, Net: amount - payout.ChargesOn(amount).Total(), Provider: event.Vfd,
		Reason: "A bus", Officers: allOfThem, At: Epoch,
	}
}

// ofGroups are acts in a group.
func ofGroups() map[string]act {
	away := Epoch.Add(savings.AwayFor)
	waives := func(user string) event.Command {
		return dues.RequestWaiver{WaiverID: "w", GroupID: "g", SubAccountID: "s", User: user, Period: "2026-11-01", Kind: nairav1.WaiverKind_WAIVER_KIND_WAIVED, Reason: "She is ill", By: "femi", Officers: allOfThem, Now: Epoch}
	}
	decides := dues.DecideWaiver{WaiverID: "w", GroupID: "g", SubAccountID: "s", User: "dayo", By: "gozie", Approve: true, Now: Epoch}
	offers := savings.OfferOwnership{GroupID: "g", To: "femi", By: "ada"}
	accepts := savings.AnswerOwnership{GroupID: "g", By: "femi", Owner: "ada", Accept: true}
	proposes := savings.ProposeSuccession{GroupID: "g", Candidate: "femi", By: "gozie", OwnerSeen: Epoch, Officers: allOfThem, Now: away}
	votes := savings.VoteSuccession{GroupID: "g", Candidate: "femi", By: "femi", Agrees: true, OwnerSeen: Epoch, Now: away}
	leaves := dues.LeaveGroup{GroupID: "g", User: "bisi", Forfeit: true, SubAccounts: []string{"s"}, Now: Epoch}
	free := leaves
	free.User = "pending"
	return map[string]act{
		"found a group":                    {"dan", nil, savings.CreateGroup{GroupID: "h", Owner: "dan", Name: "Weavers", Amount: 5000 * money.Naira, Capacity: 9, StartMonth: 11, Now: Epoch}, both},
		"ask to join":                      {"dan", nil, savings.JoinGroup{GroupID: "g", User: "dan"}, closed},
		"accept an invitation":             {"dan", []any{savings.InviteMember{GroupID: "g", User: "dan", By: "ada", Now: Epoch}}, savings.AcceptInvitation{GroupID: "g", User: "dan", Now: Epoch}, closed},
		"invite":                           {"femi", nil, savings.InviteMember{GroupID: "g", User: "dan", By: "femi", Now: Epoch}, both},
		"be invited":                       {"dan", nil, savings.InviteMember{GroupID: "g", User: "dan", By: "femi", Now: Epoch}, closed},
		"let a member in":                  {"femi", nil, savings.ApproveMember{GroupID: "g", User: "pending", By: "femi"}, both},
		"be let in":                        {"pending", nil, savings.ApproveMember{GroupID: "g", User: "pending", By: "femi"}, closed},
		"turn a member down":               {"femi", nil, savings.RejectMember{GroupID: "g", User: "pending", By: "femi"}, both},
		"make a member inactive":           {"femi", nil, savings.DeactivateMember{GroupID: "g", User: "bisi", By: "femi"}, both},
		"be made inactive":                 {"bisi", nil, savings.DeactivateMember{GroupID: "g", User: "bisi", By: "femi"}, neither},
		"appoint an approver":              {"ada", nil, savings.AppointApprover{GroupID: "g", User: "bisi", By: "ada"}, both},
		"be appointed approver":            {"bisi", nil, savings.AppointApprover{GroupID: "g", User: "bisi", By: "ada"}, both},
		"appoint a validator":              {"femi", nil, savings.AppointValidator{GroupID: "g", User: "bisi", By: "femi", Owner: "ada"}, both},
		"be appointed validator":           {"bisi", nil, savings.AppointValidator{GroupID: "g", User: "bisi", By: "femi", Owner: "ada"}, both},
		"take an approver's office":        {"ada", nil, savings.RemoveApprover{GroupID: "g", User: "femi", By: "ada"}, both},
		"lose an approver's office":        {"femi", nil, savings.RemoveApprover{GroupID: "g", User: "femi", By: "ada"}, neither},
		"offer the group":                  {"ada", nil, offers, both},
		"be offered the group":             {"femi", nil, offers, both},
		"accept the group":                 {"femi", []any{offers}, accepts, both},
		"have an offer accepted":           {"ada", []any{offers}, accepts, both},
		"decline the group":                {"femi", []any{offers}, savings.AnswerOwnership{GroupID: "g", By: "femi"}, neither},
		"take an offer back":               {"ada", []any{offers}, savings.AnswerOwnership{GroupID: "g", By: "ada"}, neither},
		"propose another owner":            {"gozie", []any{away}, proposes, both},
		"be proposed as owner":             {"femi", []any{away}, proposes, both},
		"vote for another owner":           {"femi", []any{away, proposes}, votes, both},
		"shorten the notice":               {"ada", nil, savings.SetNotice{GroupID: "g", By: "ada", Now: Epoch}, both},
		"show the total":                   {"ada", nil, savings.ShowGroupTotal{GroupID: "g", By: "ada", Show: true}, both},
		"open a sub-account":               {"femi", nil, savings.OpenSubAccount{GroupID: "g", SubAccountID: "t", By: "femi", Name: "A bus", Type: nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE, Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY, Amount: 100 * money.Naira, Now: Epoch}, both},
		"close the group":                  {"ada", nil, savings.CloseGroup{GroupID: "g", By: "ada", Reason: "It is over", SubAccounts: []string{"s"}}, both},
		"suspend a group":                  {"sade", nil, savings.SuspendGroup("g", "sade", "A complaint"), both},
		"ask for a waiver":                 {"femi", nil, waives("dayo"), both},
		"be let off a due":                 {"dayo", nil, waives("dayo"), closed},
		"let a due off":                    {"gozie", []any{waives("dayo")}, decides, both},
		"be let off it after all":          {"dayo", []any{waives("dayo")}, decides, closed},
		"pay one's due":                    {"bisi", nil, contributes("bisi", 5000*money.Naira), neither},
		"have a due paid by another":       {"dayo", nil, dues.Cover{GroupID: "g", SubAccountID: "s", User: "dayo", By: "ada", Amount: 5000 * money.Naira, At: Epoch}, closed},
		"earn a penalty":                   {"dayo", nil, dues.Penalise{GroupID: "g", SubAccountID: "s", User: "dayo", Now: Epoch.AddDate(0, 3, 0)}, closed},
		"leave one's savings to a group":   {"bisi", nil, leaves, both},
		"take back that one asked to join": {"pending", nil, free, neither},
		"mark a payment":                   {"vera", nil, marks(), both},
	}
}

// marks is that a contribution is right.
func marks() event.Command {
	paid := &nairav1.ContributionReceived{GroupId: "g", SubAccountId: "s", UserId: "bisi", AmountKobo: 1}
	body, err := proto.Marshal(paid)
	if err != nil {
		panic(err)
	}
	original := event.Record{Pos: 1, Type: event.TypeOf(paid), Body: body}
	return reviews.Mark{GroupID: "g", By: "vera", List: []reviews.Marking{{Mark: nairav1.Mark_MARK_VALIDATED, Original: original}}, Now: Epoch}
}

// ofPayouts are acts about a group's money.
func ofPayouts() map[string]act {
	spent := of("bisi", spends)
	shown := savings.ShowGroupTotal{GroupID: "g", By: "ada", Show: true}
	sub := savings.ShowSubAccountTotal{GroupID: "g", SubAccountID: "s", By: "ada", Show: true}
	asked := []any{shown, sub, asks("bisi", spends)}
	validated := append(slices.Clip(asked), liquidation.Approve(spent, "vera"))
	held := append(slices.Clip(asked), liquidation.Object(spent, "ada", "What for?", Epoch), liquidation.Object(spent, "dayo", "What for?", Epoch))
	failed := append(slices.Clip(validated), liquidation.Approve(spent, "femi"), liquidation.Approve(spent, "ada"), liquidation.Fail(spent, "", "No such account"))
	return map[string]act{
		"ask for one's savings":      {"bisi", nil, asks("bisi", takesOut), both},
		"ask for the group's money":  {"bisi", asked[:2], asks("bisi", spends), both},
		"validate a payout":          {"vera", asked, liquidation.Approve(spent, "vera"), both},
		"approve a payout":           {"femi", validated, liquidation.Approve(spent, "femi"), both},
		"reject a payout":            {"femi", validated, liquidation.Reject(spent, "femi", "Not now"), both},
		"object to a payout":         {"dayo", asked, liquidation.Object(spent, "dayo", "What for?", Epoch), closed},
		"answer those who objected":  {"femi", held, liquidation.Answer(spent, "femi", "We agreed", Epoch), both},
		"take one's request back":    {"bisi", asked, liquidation.Cancel(spent, "bisi"), closed},
		"send a payout again":        {"femi", failed, liquidation.Retry(spent, "femi"), both},
		"give a payout up":           {"femi", failed, liquidation.Release(spent, "femi", "Enough"), both},
		"have a request approved":    {"bisi", validated, liquidation.Approve(spent, "femi"), neither},
		"propose whose money it is":  {"sade", parked(), proposal, both},
		"be proposed money":          {"bisi", parked(), proposal, closed},
		"agree whose money it is":    {"tunde", append(parked(), proposal), agreement, both},
		"have proposed money":        {"sade", append(parked(), proposal), agreement, neither},
		"decline whose money it is":  {"tunde", append(parked(), proposal), wallet.DecideUnmatched{ProviderRef: "r", Provider: event.Vfd, User: "bisi", By: "tunde", Reason: "It is not"}, neither},
		"set a tier":                 {"sade", nil, account.SetTier{Staff: "sade", User: "bisi", Tier: 2, Case: "1"}, both},
		"ask that money be thawed":   {"bisi", []any{account.Freeze{User: "bisi", HoldID: "h", Now: Epoch}}, account.AskThaw{User: "bisi", Now: Epoch}, neither},
		"say what held money is":     {"tunde", []any{stray}, wallet.SettleHeld{ProviderRef: "h", Provider: event.Vfd, PaidAt: Epoch, By: "tunde", Reason: "Nobody sent it"}, both},
		"open a dispute":             {"bisi", nil, claim, closed},
		"take a dispute back":        {"bisi", []any{claim}, dispute.Withdraw("d", "bisi", ""), both},
		"decide a case":              {"sade", []any{claim, dispute.Take(desk("sade"))}, dispute.Resolve(desk("sade"), false, &nairav1.Words{PaperId: "o"}, nil, Epoch), both},
		"propose a correction":       {"sade", []any{claim, dispute.Take(desk("sade"))}, correct, both},
		"approve a correction":       {"tunde", []any{claim, dispute.Take(desk("sade")), correct}, agrees("tunde"), both},
		"have proposed a correction": {"sade", []any{claim, dispute.Take(desk("sade")), correct}, agrees("tunde"), neither},
		"grant ajo access":           {"sade", []any{access}, ajoaccess.Grant{Review: ajoaccess.Review{Staff: "sade", User: "bisi", AskID: "a"}}, both},
		"be granted ajo access":      {"bisi", []any{access}, ajoaccess.Grant{Review: ajoaccess.Review{Staff: "sade", User: "bisi", AskID: "a"}}, closed},
		"refuse ajo access":          {"sade", []any{access}, ajoaccess.Refuse{Review: ajoaccess.Review{Staff: "sade", User: "bisi", AskID: "a"}, Reason: "It is not readable"}, both},
	}
}

var (
	proposal  = wallet.ProposeUnmatched{ProviderRef: "r", Provider: event.Vfd, User: "bisi", By: "sade", Reason: "Her bank says so"}
	stray     = wallet.HoldArrival{ProviderRef: "h", Provider: event.Vfd, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Amount: 100 * money.Naira, Reason: "By a number of its own", PaidAt: Epoch}
	agreement = wallet.DecideUnmatched{ProviderRef: "r", Provider: event.Vfd, User: "bisi", By: "tunde", Approve: true}
	access    = ajoaccess.Ask{User: "bisi", AskID: "a", Adult: true, Salary: 90_000 * money.Naira, BankStatement: true, OfferLetter: true}
	claim     = dispute.Claim{DisputeID: "d", User: "bisi", Kind: nairav1.DisputeKind_DISPUTE_KIND_NOT_CREDITED, About: "x", Words: &nairav1.Words{PaperId: "p"}, Now: Epoch}
	adjusts   = []correction.Step{{Kind: nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_ADJUST, User: "bisi", Amount: 100 * money.Naira}}
	correct   = correction.Propose{DisputeID: "d", Dispute: dispute.Dispute{User: "bisi"}, PlanID: "plan", By: "sade", Steps: adjusts, CountsFrom: Epoch, Words: &nairav1.Words{PaperId: "q"}, Now: Epoch}
)

func agrees(by string) event.Command {
	return correction.Decision{DisputeID: "d", Dispute: dispute.Dispute{User: "bisi"}, Plan: correction.Plan{ID: "plan", Steps: adjusts}, By: by, Approve: true}
}

func desk(staff string) dispute.Case {
	return dispute.Case{DisputeID: "d", User: "bisi", Staff: staff}
}

func parked() []any {
	return []any{wallet.ReceiveUnmatched{ProviderRef: "r", Provider: event.Vfd, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Amount: 100 * money.Naira, Reason: "No reference", PaidAt: Epoch}}
}

const club = "01900000-0000-7000-8000-000000000001"

// ofAjo are acts in an ajo of three, of which the first owns it and the third validates; the second collects first.
func ofAjo() map[string]act {
	one, two, three, fourth := Saver(0), Saver(1), Saver(2), Saver(3)
	people := []string{one, two, three, fourth}
	begun := append(list(AjoBegun(Epoch)...), account.EndCheck(fourth, "check", 0), fundedBy(fourth, 10*Hand))
	a := Given(quiet{}, begun).State(ajo.Stream(club)).(ajo.Ajo)
	due := a.Due(1).Add(9 * time.Hour)
	pays := func(user, by string, seat int) event.Command {
		return ajopot.Pay{AjoID: club, Cycle: 1, Seat: seat, User: user, By: by, Amount: Hand, Channel: nairav1.Channel_CHANNEL_WALLET, DebtID: "c", At: due}
	}
	on := func(at time.Time, more ...any) []any { return append(append(slices.Clip(begun), at), more...) }
	late := on(due.AddDate(0, 0, 10), ajopot.Judge{AjoID: club, Cycle: 1, People: people, Now: due.AddDate(0, 0, 10)})
	fee, _ := ajo.Fee(a.Terms, 3*Hand)
	asked := on(due, pays(one, one, 1), pays(three, three, 3), ajopot.Judge{AjoID: club, Cycle: 1, People: people, Now: due},
		ajopot.RequestPayout(club, 1, two, nairav1.AjoDestination_AJO_DESTINATION_WALLET, 2*Hand-fee, people))
	pause := ajo.Move{AjoID: club, MotionID: "m", By: one, Kind: nairav1.AjoMotionKind_AJO_MOTION_KIND_PAUSE, Reason: "A feast", Now: Epoch}
	swap := ajo.ProposeSwap(club, "x", three, 3, 1)
	open := ajo.OpenPlace(club, three, 3, due)
	terms := a.Seats[2].Places[0].Terms
	take := ajopot.TakePlace{AjoID: club, Seat: 3, From: three, To: ajo.Joiner{User: fourth, Invited: true, TermsHash: terms}, Cycles: []int{1}, People: people}.Command()
	bid := ajopot.BidHash(1, 1, 0, nil)
	chosen := func(order nairav1.AjoOrder) []any {
		past := list(AjoSealed(Epoch, draw.Beacon{}, func(t *nairav1.AjoTerms) { t.Order = order })...)
		for _, user := range people[:3] {
			secret := PhoneSecret(user)
			past = append(past, ajo.RevealPhone(club, user, secret[:], Epoch))
		}
		return append(past, ajo.DrawPhones(club, Epoch))
	}
	sealed := AjoSealed(Epoch, draw.Quicknet, func(*nairav1.AjoTerms) {})
	unsealed := list(sealed[:len(sealed)-1]...)
	dear := AjoSealed(Epoch, draw.Quicknet, func(t *nairav1.AjoTerms) { t.AmountKobo *= 2 })[9].(ajo.Create).Terms
	secret := PhoneSecret(two)
	create := sealed[9].(ajo.Create)
	return map[string]act{
		"make an ajo":              {one, list(sealed[:9]...), create, both},
		"join an ajo":              {two, list(sealed[:10]...), sealed[10], both},
		"leave a list":             {two, unsealed, ajo.Leave{AjoID: club, User: two, Now: Epoch}, both},
		"change the terms":         {one, unsealed, ajo.ChangeTerms(club, one, dear, Epoch), both},
		"cancel an ajo":            {one, unsealed, ajo.Cancel{AjoID: club, By: one, Reason: "No time", Members: people, Now: Epoch}, both},
		"seal a list":              {one, unsealed, sealed[len(sealed)-1], both},
		"be in a list":             {two, unsealed, sealed[len(sealed)-1], closed},
		"reveal a phone's secret":  {two, list(sealed...), ajo.RevealPhone(club, two, secret[:], Epoch), neither},
		"move a vote":              {one, begun, pause, both},
		"vote":                     {two, append(slices.Clip(begun), pause), ajo.VoteMotion(club, "m", two, true, Epoch), both},
		"propose a swap":           {three, begun, swap, both},
		"agree to a swap":          {one, append(slices.Clip(begun), swap), ajo.AgreeSwap(club, "x", one), both},
		"decline a swap":           {one, append(slices.Clip(begun), swap), ajo.DeclineSwap(club, "x", one), neither},
		"give a place up":          {three, on(due), open, both},
		"keep a place":             {three, on(due, open), ajo.KeepPlace(club, three, 3), neither},
		"take a place over":        {fourth, on(due, open), take, both},
		"vote who needs it":        {two, append(chosen(nairav1.AjoOrder_AJO_ORDER_NEED), due), ajopot.VoteNeed(club, 1, two, 1, due), both},
		"bid":                      {one, append(chosen(nairav1.AjoOrder_AJO_ORDER_BIDDING), due), ajopot.CommitBid(club, 1, 1, one, bid[:], due), both},
		"pay a due of an ajo":      {one, on(due), pays(one, one, 1), neither},
		"have one paid by another": {one, on(due), pays(one, three, 1), closed},
		"forgive a debt":           {two, late, ajopot.Forgive{AjoID: club, DebtID: "1.1.1.1", By: two}, both},
		"be forgiven a debt":       {one, late, ajopot.Forgive{AjoID: club, DebtID: "1.1.1.1", By: two}, neither},
		"pay a debt":               {one, late, ajopot.PayDebt{AjoID: club, DebtID: "1.1.1.1", By: one, Creditor: two, Amount: Hand / 2, Key: "k"}, neither},
		"approve a pot":            {one, asked, ajopot.ApprovePayout(club, 1, one, people, due), both},
		"hold a pot":               {one, asked, ajopot.RefusePayout(club, 1, one, nairav1.AjoRefusal_AJO_REFUSAL_DEBT, "They owe me", due), both},
		"have a pot approved":      {two, asked, ajopot.ApprovePayout(club, 1, one, people, due), neither},
		"let Adashi take dues":     {two, begun, ajoconsent.Set{AjoID: club, User: two, Dues: true}, neither},
	}
}

// ofCards are acts about a card.
func ofCards() map[string]act {
	open := ajocard.OpenCard{CardID: "c", User: "bisi", Name: "School fees", Amount: 100 * money.Naira, Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_DAILY, Start: savings.Day(Epoch), Now: Epoch}
	set := ajocard.SetCollector{CardID: "c", User: "bisi", Collector: "femi", Commission: true}
	fill := func(by string) event.Command {
		return ajocard.Fill{CardID: "c", User: "bisi", By: by, Boxes: 1, Channel: nairav1.Channel_CHANNEL_WALLET, At: Epoch}
	}
	charge, _ := ajocard.Card{Amount: 100 * money.Naira, Boxes: ajocard.DailyBoxes, Filled: 1, BreakCharge: ajocard.BreakCharge}.Charge()
	return map[string]act{
		"open a card":               {"bisi", nil, open, closed},
		"choose a collector":        {"bisi", []any{open}, set, both},
		"go on without a collector": {"bisi", []any{open, set}, ajocard.SetCollector{CardID: "c", User: "bisi"}, neither},
		"fill a card":               {"bisi", []any{open}, fill("bisi"), neither},
		"have a card filled":        {"bisi", []any{open, set, fundedBy("femi", 100*money.Naira)}, fill("femi"), closed},
		"break a card":              {"bisi", []any{open, fill("bisi")}, ajocard.End{CardID: "c", User: "bisi", Break: true, Net: 100*money.Naira - charge, Now: Epoch}, both},
	}
}

// quiet takes no failure lightly: what is given to it must go through.
type quiet struct{}

func (quiet) Errorf(format string, args ...any) { panic(format) }
func (quiet) FailNow()                          { panic("a past did not go through") }
func (quiet) Helper()                           {}

func TestWhatAnAccountMayDoWhileItIsFrozenAndOnceItIsClosed(t *testing.T) {
	t.Parallel()
	for scene, acts := range map[string]map[string]act{"a group": ofGroups(), "money": ofPayouts(), "an ajo": ofAjo(), "a card": ofCards()} {
		for name, a := range acts {
			t.Run(scene+"/"+name, func(t *testing.T) {
				t.Parallel()
				past := a.past
				if scene != "an ajo" {
					past = append(traders(), a.past...)
				}
				_, err := Given(t, past).Do(a.act)
				require.NoError(t, err, "without it")
				frozen, gone := event.On(account.Stream(a.whose), &nairav1.OutgoingFrozen{UserId: a.whose}), event.On(account.Stream(a.whose), &nairav1.AccountClosed{UserId: a.whose})
				may(t, Given(t, past, frozen), a.act, a.refused != both, "frozen")
				may(t, Given(t, past, gone), a.act, a.refused == neither, "closed")
			})
		}
	}
}

func TestAFrozenMemberWhoMayNeverDoItIsToldThatFirst(t *testing.T) {
	t.Parallel()
	dayo := func(c event.Command) []event.Command { return []event.Command{asks("bisi", takesOut), c} }
	for name, commands := range map[string][]event.Command{
		"approve a payout": dayo(liquidation.Approve(of("bisi", takesOut), "dayo")),
		"reject a payout":  dayo(liquidation.Reject(of("bisi", takesOut), "dayo", "Not yet")),
		"vote on an owner": {
			savings.ProposeSuccession{GroupID: "g", Candidate: "femi", By: "gozie", OwnerSeen: Epoch, Officers: allOfThem, Now: Epoch.Add(savings.AwayFor)},
			savings.VoteSuccession{GroupID: "g", Candidate: "femi", By: "dayo", Agrees: true, OwnerSeen: Epoch, Now: Epoch.Add(savings.AwayFor)},
		},
	} {
		w := Given(t, traders(), commands[0], event.On(account.Stream("dayo"), &nairav1.OutgoingFrozen{UserId: "dayo"}))
		_, err := w.Do(commands[1])
		require.True(t, fault.Is(err, fault.Forbidden), "%s: %v", name, err)
	}
}

func may(t *testing.T, w *World, c event.Command, may bool, how string) {
	t.Helper()
	_, err := w.Do(c)
	if may {
		require.NoError(t, err, how)
		return
	}
	require.True(t, fault.Is(err, fault.Conflict), "%s: %v", how, err)
	require.Regexp(t, `closed|money is frozen|You froze|just now`, err.Error())
}

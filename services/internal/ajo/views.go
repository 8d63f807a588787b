package ajo

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/services/internal/ajo/terms"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

// sight is an ajo as one of its members sees it.
type sight struct {
	room
	s     *Service
	user  string
	cards map[string]people.Card
	today time.Time
	now   time.Time
}

func (s *Service) sight(ctx context.Context, r room, user string) (sight, error) {
	cards, err := s.names(ctx, r.everyone())
	return sight{room: r, s: s, user: user, cards: cards, today: s.today(), now: s.Now()}, err
}

func (v sight) name(user string) string {
	if user == "" {
		return "Adashi"
	}
	return usecase.FullName(v.cards, user)
}

func (v sight) names(users []string) []string {
	names := []string{}
	for _, user := range users {
		names = append(names, v.name(user))
	}
	return names
}

func cycleWords(k int) string { return fmt.Sprintf("Cycle %d", k) }

func day(d time.Time) string { return d.Format(time.DateOnly) }

// View returns an ajo as a member sees it.
func (s *Service) View(ctx context.Context, user, id string) (Ajo, error) {
	r, err := s.room(ctx, user, id)
	if err != nil {
		return Ajo{}, err
	}
	v, err := s.sight(ctx, r, user)
	if err != nil {
		return Ajo{}, err
	}
	out := v.whole()
	out.Me.CloseNeeds = s.closeNeeds(ctx, r, user)
	out.Me.MayClose = user == r.a.Owner && r.a.Status == rules.Open && out.Me.CloseNeeds == nil
	return out, nil
}

func orderKind(o nairav1.AjoOrder) AjoOrderKind { return AjoOrderKind(o.String()[len("AJO_ORDER_"):]) }

// finish is the last due day; if the order is not set, as if it were set today.
func (v sight) finish() string {
	a := v.a
	if a.FirstDue == "" {
		a.FirstDue, a.FirstCycle, a.StartedAt = day(rules.FirstDue(a.Terms, v.today)), len(a.Past)+1, v.now
	}
	return day(a.Due(int(a.Terms.GetSeats())))
}

func (v sight) whole() Ajo {
	a, t := v.a, v.a.Terms
	hash := rules.TermsHash(t)
	out := Ajo{
		Id: v.id, Name: a.Name, Description: a.Description, Amount: usecase.NairaOf(t.GetAmountKobo()), Duration: int(t.GetSeats()), MemberCapacity: int(t.GetSeats()),
		StartMonth: time.Month(t.GetStartMonth()).String(), StartMonthId: int(t.GetStartMonth()), Year: int(t.GetStartYear()), FinishDate: v.finish(),
		Status: AjoStatus(a.Status), Type: "GROUP", Frequency: terms.Frequency(t.GetFrequency()), Order: orderKind(t.GetOrder()), Draw: terms.DrawSource(t.GetDraw()),
		Deposit: int(t.GetDeposits()), DueDay: int(t.GetDueDay()), Listed: a.Listed, DateCreated: a.CreatedAt.UTC(), OwnerName: v.name(a.Owner),
		GroupLink: v.s.PublicURL + "/ajo/" + v.id, Members: []AjoMember{}, Seats: v.seats(), Cycles: []AjoCycle{}, FirstOrder: append([]int{}, a.Base...), Debts: v.allDebts(), Swaps: v.swaps(), Motions: v.motions(),
		Past: terms.Past(a.Past), Closing: terms.Closing(a, v.names), Terms: terms.Figures(t), TermsHash: hex.EncodeToString(hash[:]), Me: v.me(), Drawn: len(a.Drawn) > 0,
	}
	if a.Validator != "" {
		out.ValidatorName = usecase.OrNil(v.name(a.Validator))
	}
	if a.Status == rules.Open || len(a.Openings) > 0 {
		out.InvitationLink = usecase.OrNil(v.s.invitationLink(v.id))
	}
	if !a.AcceptBy.IsZero() && a.Status == rules.Open {
		at := a.AcceptBy.UTC()
		out.AcceptBy = &at
	}
	for _, user := range a.Members() {
		out.Members = append(out.Members, v.member(user))
	}
	for k := 1; k <= len(a.Order); k++ {
		c := v.cycle(k)
		if out.Cycles = append(out.Cycles, c); k == a.Current() && a.HasStarted() {
			out.CurrentAjoCyle = &c
		}
	}
	out.PaymentDto = v.payment()
	return out
}

// expected returns the sum that a cycle's pot should have, without the collector, who may net their own due.
func (v sight) expected(k int) (sum money.Kobo, places, paid int) {
	for i, seat := range v.a.Seats {
		for _, p := range seat.Places {
			due := v.a.DueOf(i+1, p, k)
			if due == 0 {
				continue
			}
			sum, places = sum+due, places+1
			if v.cycles[k].Paid(i+1, p.User) >= due {
				paid++
			}
		}
	}
	return sum, places, paid
}

func (v sight) cycle(k int) AjoCycle {
	seat := v.a.Order[k-1]
	expected, places, paid := v.expected(k)
	_, mine := v.a.Place(seat, v.user)
	c := AjoCycle{
		Cycle: k, Seat: seat, Names: joined(v.names(v.a.Seats[seat-1].Users())), Collected: usecase.Naira(v.pots[k]), Expected: usecase.Naira(expected),
		PaidPlaces: paid, Places: places, IsMine: mine, Status: v.cycleStatus(k),
	}
	if k < v.a.FirstCycle {
		return c
	}
	c.Opens, c.Due, c.Deadline = day(v.a.Opens(k)), day(v.a.Due(k)), day(v.a.Deadline(k))
	if ready, is := v.a.ReadyOf(k); is {
		c.Missing, c.Collected = usecase.Naira(ready.Missing), usecase.Naira(ready.Collected)
	}
	if by := ajopot.ChosenBy(v.a, k); k == v.a.Current() && !by.Before(v.today) {
		c.ChosenBy = usecase.OrNil(day(by))
	}
	return c
}

func joined(names []string) string {
	if len(names) == 2 {
		return names[0] + " and " + names[1]
	}
	if len(names) == 1 {
		return names[0]
	}
	return "Nobody yet"
}

func (v sight) cycleStatus(k int) AjoCycleStatus {
	c := v.cycles[k]
	_, ready := v.a.ReadyOf(k)
	switch {
	case k <= len(v.a.Past):
		return "PAST"
	case ready:
		return AjoCycleStatus(v.payoutStatus(c))
	case k > v.a.Current()+1 || v.today.Before(v.a.Opens(k)):
		return "UPCOMING"
	case v.today.After(v.a.Due(k)):
		return "GRACE"
	default:
		return "COLLECTING"
	}
}

// payment returns the caller's own next payment.
func (v sight) payment() *AjoPaymentDto {
	if !v.a.HasStarted() || v.a.Over() {
		return nil
	}
	k := v.a.Current()
	for _, seat := range v.a.SeatsOf(v.user) {
		p, _ := v.a.Place(seat, v.user)
		due, paid := v.a.DueOf(seat, p, k), v.cycles[k].Paid(seat, v.user)
		if due == 0 {
			continue
		}
		dto := &AjoPaymentDto{Cycle: k, Seat: seat, Amount: usecase.Naira(due), AmountWithCharge: usecase.Naira(due + wallet.CardTariff.Charge(due)), Due: day(v.a.Due(k)), IsPaid: paid >= due}
		for _, done := range v.cycles[k].Payments {
			if done.Seat == seat && done.User == v.user {
				dto.TransactionRef = usecase.OrNil(done.PaymentID)
			}
		}
		if !dto.IsPaid || seat == v.a.SeatsOf(v.user)[len(v.a.SeatsOf(v.user))-1] {
			return dto
		}
	}
	return nil
}

func (v sight) allDebts() []AjoDebt {
	out := []AjoDebt{}
	for _, d := range v.debts.All {
		if d.Left() > 0 {
			out = append(out, v.debt(d))
		}
	}
	return out
}

func (v sight) debt(d ajopot.Debt) AjoDebt {
	return AjoDebt{
		Id: d.ID, Kind: AjoDebtKind(d.Kind.String()[len("AJO_DEBT_KIND_"):]), AjoId: v.id, AjoName: v.a.Name, Cycle: d.Cycle, Seat: d.Seat, DebtorId: d.Debtor,
		Debtor: v.name(d.Debtor), CreditorId: usecase.OrNil(d.Creditor), Creditor: v.name(d.Creditor), Amount: usecase.Naira(d.Amount), Penalty: usecase.Naira(d.Penalty),
		Left: usecase.Naira(d.Left()), IOwe: d.Debtor == v.user, OwedToMe: d.Creditor == v.user, DateCreated: d.OpenedAt.UTC(),
	}
}

func (v sight) swaps() []AjoSwap {
	out := []AjoSwap{}
	for _, s := range v.a.Swaps {
		var waits []string
		needs := usecase.UniqueIDs(v.a.SwapNeeds(s))
		for _, user := range needs {
			if !slices.Contains(s.Agreed, user) {
				waits = append(waits, user)
			}
		}
		out = append(out, AjoSwap{
			Id: s.ID, By: v.name(s.By), Seat: s.Seat, WithSeat: s.With, Agreed: v.names(s.Agreed), WaitsFor: v.names(waits),
			MayAgree: slices.Contains(waits, v.user), MayDecline: slices.Contains(needs, v.user),
		})
	}
	return out
}

func (v sight) motions() []AjoMotion {
	out := []AjoMotion{}
	for _, m := range v.a.Motions {
		line := AjoMotion{
			Id: m.ID, Kind: AjoMotionKind(m.Kind.String()[len("AJO_MOTION_KIND_"):]), By: v.name(m.By), Until: m.Until.UTC(), For: v.a.HalvesFor(m.For), Against: v.a.HalvesFor(m.Against),
			MayVote: v.a.HasVoice(v.user) && m.About() != v.user && !slices.Contains(m.For, v.user) && !slices.Contains(m.Against, v.user),
		}
		if about := m.About(); about != "" {
			line.About = usecase.OrNil(v.name(about))
		}
		line.Voices = v.a.Voices(m)
		out = append(out, line)
	}
	return out
}

// closeNeeds tells the owner what is still missing from the list.
func (s *Service) closeNeeds(ctx context.Context, r room, user string) *string {
	if user != r.a.Owner || r.a.Status != rules.Open {
		return nil
	}
	var proposed []int
	if r.a.Terms.GetOrder() == nairav1.AjoOrder_AJO_ORDER_MANUAL {
		for i := range r.a.Seats {
			if !slices.ContainsFunc(r.a.Past, func(p rules.Past) bool { return p.Seat == i+1 }) {
				proposed = append(proposed, i+1)
			}
		}
	}
	_, err := s.Ledger.DryRun(ctx, s.closing(r, user, proposed))
	if err == nil {
		return nil
	}
	return usecase.OrNil(err.Error())
}

// Data returns the information that a person may read about an ajo before they join it.
func (s *Service) Data(ctx context.Context, user, id string, code *string) (AjoInvitation, error) {
	r, err := s.room(ctx, "", id)
	if err != nil {
		return AjoInvitation{}, err
	}
	invited, err := s.invited(r.id, code)
	if err != nil {
		return AjoInvitation{}, err
	}
	if !invited && !(r.a.Listed && user != "" && r.a.Status == rules.Open) && !r.a.IsMember(user) {
		return AjoInvitation{}, rules.ErrNone()
	}
	v, err := s.sight(ctx, r, user)
	if err != nil {
		return AjoInvitation{}, err
	}
	a, t := r.a, r.a.Terms
	hash := rules.TermsHash(t)
	free, seats := terms.FreeSeats(a)
	out := AjoInvitation{
		Id: r.id, Name: a.Name, Description: a.Description, DateCreated: a.CreatedAt.UTC(), Members: len(a.Members()), Amount: usecase.NairaOf(t.GetAmountKobo()),
		Duration: int(t.GetSeats()), MemberCapacity: int(t.GetSeats()), Status: AjoStatus(a.Status), Frequency: terms.Frequency(t.GetFrequency()), Order: orderKind(t.GetOrder()),
		Draw: terms.DrawSource(t.GetDraw()), Deposit: int(t.GetDeposits()), DueDay: int(t.GetDueDay()), StartMonth: time.Month(t.GetStartMonth()).String(),
		StartMonthId: int(t.GetStartMonth()), Year: int(t.GetStartYear()), Listed: a.Listed, OwnerName: usecase.ShortName(v.cards, a.Owner), FreeHalves: free,
		MaxHands: terms.Hands(min(free, rules.MaxHalves(t))), TermsHash: hex.EncodeToString(hash[:]), CommitmentVersion: commitmentVersion(a), Preview: terms.Preview(t, len(a.Past), savings.Day(s.Now())), Past: terms.Past(a.Past),
		IsMember: a.IsMember(user), OpenPlaces: v.openPlaces(), FreeSeats: seats,
	}
	return out, nil
}

package ajo

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strconv"
	"strings"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/ajo/terms"
	"adashi.ng/services/internal/usecase"
)

// terms reads the terms that an owner chooses. A term that is left out gets its default.
func (s *Service) terms(ctx context.Context, user string, form AjoTermsRequest) (*nairav1.AjoTerms, error) {
	amount, err := usecase.Kobo("amount", form.Amount)
	if err != nil {
		return nil, err
	}
	t := rules.Usual()
	t.AmountKobo, t.Seats, t.StartMonth, t.StartYear = int64(amount), bounded(form.Duration), bounded(form.StartMonthId), bounded(form.Year)
	if form.MemberCapacity != nil && *form.MemberCapacity != form.Duration {
		return nil, fault.Field("memberCapacity", "An ajo has as many seats as cycles: %d.", form.Duration)
	}
	if form.DueDay != nil {
		t.DueDay = bounded(*form.DueDay)
	} else if s.SalaryDay != nil {
		day, err := s.SalaryDay(ctx, user)
		if err != nil {
			return nil, err
		}
		t.DueDay = int32(max(1, day))
	}
	if form.Frequency != nil {
		t.Frequency = nairav1.PaymentFrequency(nairav1.PaymentFrequency_value["PAYMENT_FREQUENCY_"+string(*form.Frequency)])
	}
	if form.Order != nil {
		t.Order = nairav1.AjoOrder(nairav1.AjoOrder_value["AJO_ORDER_"+string(*form.Order)])
	}
	if form.Draw != nil {
		t.Draw = nairav1.AjoDrawSource(nairav1.AjoDrawSource_value["AJO_DRAW_SOURCE_"+string(*form.Draw)])
	}
	switch {
	case form.Deposit != nil:
		t.Deposits = bounded(*form.Deposit)
	case form.Listed != nil && *form.Listed:
		t.Deposits = 1
	}
	return t, nil
}

// bounded converts a form's number to the rules' type. A number that is too large stays too large.
func bounded(n int) int32 { return int32(max(math.MinInt32, min(math.MaxInt32, n))) }

// unhex reads bytes from a phone.
func unhex(field, text string, length int) ([]byte, error) {
	raw, err := hex.DecodeString(strings.TrimSpace(text))
	if err != nil || len(raw) != length {
		return nil, fault.Field(field, "Your phone must send %d bytes. Please load the page again.", length)
	}
	return raw, nil
}

// optional reads bytes that a form may leave out.
func optional(field string, text *string, length int) ([]byte, error) {
	if text == nil || *text == "" {
		return nil, nil
	}
	return unhex(field, *text, length)
}

// joiner is a person who takes hands, in the form of the rules.
func (s *Service) joiner(ctx context.Context, user string) (rules.Joiner, error) {
	grown, err := s.adult(ctx, user)
	return rules.Joiner{User: user, UnderAge: !grown}, err
}

// committed reads a phone's commitment in a list. A page of an earlier build committed to the user's id, which the
// public draw must not need: that page must reload, unless the list already has earlier phones.
func committed(j *rules.Joiner, a rules.Ajo, text *string, version *int) (err error) {
	if j.Commitment, err = optional("commitment", text, 32); err != nil || j.Commitment == nil {
		return err
	}
	if version != nil && *version == rules.CommitmentOfNonce {
		j.Version = rules.CommitmentOfNonce
	} else if !a.EarlierPhones() {
		return fault.Field("commitment", "This page is of an earlier version. Please load it again, and join then.")
	}
	return nil
}

// commitmentVersion is the version of commitments in a list.
func commitmentVersion(a rules.Ajo) int {
	if a.EarlierPhones() {
		return 1
	}
	return rules.CommitmentOfNonce
}

func pastOf(told []AjoPast) []rules.Past {
	var past []rules.Past
	for _, p := range told {
		past = append(past, rules.Past{Cycle: p.Cycle, Seat: p.Seat, Paid: p.Paid})
	}
	return past
}

// Create founds an ajo, in which the caller takes the first hands. An ajo that ran before brings its past along.
func (s *Service) Create(ctx context.Context, who usecase.Who, form CreateAjoRequest) (Ajo, int64, error) {
	if form.Type != "GROUP" {
		return Ajo{}, 0, fault.Field("type", "An individual ajo is a card. Open one under Individual Ajo.")
	}
	agreed, err := s.terms(ctx, who.User, AjoTermsRequest{
		Amount: form.Amount, Duration: form.Duration, MemberCapacity: &form.MemberCapacity, StartMonthId: form.StartMonthId, Year: form.Year, Frequency: form.Frequency,
		Order: form.Order, Draw: form.Draw, Deposit: form.Deposit, DueDay: form.DueDay, Listed: form.Listed,
	})
	if err != nil {
		return Ajo{}, 0, err
	}
	owner, err := s.joiner(ctx, who.User)
	if err != nil {
		return Ajo{}, 0, err
	}
	command, _ := who.ID("create ajo")
	id := event.DeriveID(command, "ajo").String()
	if form.Id != nil { // A phone commits to its secret for one ajo, so it must know the id first.
		if id, err = usecase.ParseID(*form.Id, "ajo"); err != nil {
			return Ajo{}, 0, err
		}
	}
	hands := "1"
	if form.Hands != nil {
		hands = *form.Hands
	}
	if owner.Halves, err = terms.Halves(hands); err != nil {
		return Ajo{}, 0, err
	}
	if owner.Nonce, err = optional("nonce", form.Nonce, 16); err != nil {
		return Ajo{}, 0, err
	}
	if owner.Nonce == nil { // A client without support for draws: its part comes from the command.
		sum := sha256.Sum256(append([]byte("adashi ajo nonce v1\x00"), command[:]...))
		owner.Nonce = sum[:16]
	}
	if err := committed(&owner, rules.Ajo{}, form.Commitment, form.CommitmentVersion); err != nil {
		return Ajo{}, 0, err
	}
	var past []rules.Past
	if form.Existing != nil {
		past = pastOf(*form.Existing)
	}
	hash := rules.TermsHash(agreed)
	return s.give(ctx, who, "create ajo", id, store.Fingerprint(id, form.Name, form.Description, hex.EncodeToString(hash[:]), owner.Halves, form.Listed != nil && *form.Listed, past), rules.Create{
		AjoID: id, Name: form.Name, Description: form.Description, Terms: agreed, Listed: form.Listed != nil && *form.Listed, Past: past, Owner: owner, Now: s.Now(),
	})
}

// Join takes hands of an ajo.
func (s *Service) Join(ctx context.Context, who usecase.Who, form JoinAjoRequest) (Ajo, int64, error) {
	id, err := usecase.ParseID(form.AjoId, "ajo")
	if err != nil {
		return Ajo{}, 0, err
	}
	j, err := s.joiner(ctx, who.User)
	if err != nil {
		return Ajo{}, 0, err
	}
	if j.Invited, err = s.invited(id, form.Code); err != nil {
		return Ajo{}, 0, err
	}
	state, err := s.Ledger.Load(ctx, rules.Stream(id))
	if err != nil {
		return Ajo{}, 0, err
	}
	a := state.(rules.Ajo)
	if a.Status == rules.None || !a.Listed && !j.Invited && !a.IsMember(who.User) {
		return Ajo{}, 0, rules.ErrNone()
	}
	if j.Halves, err = terms.Halves(form.Hands); err != nil {
		return Ajo{}, 0, err
	}
	if j.Nonce, err = unhex("nonce", form.Nonce, 16); err != nil {
		return Ajo{}, 0, err
	}
	if err := committed(&j, a, form.Commitment, form.CommitmentVersion); err != nil {
		return Ajo{}, 0, err
	}
	if j.TermsHash, err = unhex("termsHash", form.TermsHash, 32); err != nil {
		return Ajo{}, 0, err
	}
	if form.Seat != nil {
		j.Seat = *form.Seat
	}
	return s.give(ctx, who, "join ajo", id, store.Fingerprint(id, j.Halves, j.Seat, form.TermsHash), rules.Join{AjoID: id, Joiner: j})
}

// Preview shows the consequences of terms. It records nothing.
func (s *Service) Preview(ctx context.Context, user string, form AjoTermsRequest) (AjoPreview, error) {
	agreed, err := s.terms(ctx, user, form)
	if err != nil {
		return AjoPreview{}, err
	}
	if err := rules.CheckTerms(agreed, form.Listed != nil && *form.Listed, savings.Day(s.Now())); err != nil {
		return AjoPreview{}, err
	}
	return terms.Preview(agreed, 0, savings.Day(s.Now())), nil
}

// ChangeTerms changes the terms of an open ajo.
func (s *Service) ChangeTerms(ctx context.Context, who usecase.Who, id string, form AjoTermsRequest) (Ajo, int64, error) {
	r, err := s.room(ctx, who.User, id)
	if err != nil {
		return Ajo{}, 0, err
	}
	terms, err := s.terms(ctx, who.User, form)
	if err != nil {
		return Ajo{}, 0, err
	}
	hash := rules.TermsHash(terms)
	return s.give(ctx, who, "change ajo terms", r.id, store.Fingerprint(r.id, hex.EncodeToString(hash[:])), rules.ChangeTerms(r.id, who.User, terms, s.Now()))
}

// AcceptTerms accepts the present terms.
func (s *Service) AcceptTerms(ctx context.Context, who usecase.Who, id, hash string) (Ajo, int64, error) {
	raw, err := unhex("termsHash", hash, 32)
	if err != nil {
		return Ajo{}, 0, err
	}
	return s.one(ctx, who, "accept ajo terms", id, func(r room) (event.Command, error) { return rules.AcceptTerms(r.id, who.User, raw), nil })
}

// one gives a member's command that needs the present ajo.
func (s *Service) one(ctx context.Context, who usecase.Who, operation, id string, command func(room) (event.Command, error), asked ...any) (Ajo, int64, error) {
	r, err := s.current(ctx, who.User, id)
	if err != nil {
		return Ajo{}, 0, err
	}
	c, err := command(r)
	if err != nil {
		return Ajo{}, 0, err
	}
	return s.give(ctx, who, operation+" "+r.id, r.id, store.Fingerprint(append([]any{r.id}, asked...)...), c)
}

// Leave gives up all the caller's places while the list is open.
func (s *Service) Leave(ctx context.Context, who usecase.Who, id string) (int64, error) {
	r, err := s.room(ctx, who.User, id)
	if err != nil {
		return 0, err
	}
	return s.record(ctx, who, "leave ajo", r.id, store.Fingerprint(r.id), rules.Leave{AjoID: r.id, User: who.User, Now: s.Now()})
}

// Cancel ends an ajo before its order is set.
func (s *Service) Cancel(ctx context.Context, who usecase.Who, id, reason string) (int64, error) {
	r, err := s.room(ctx, who.User, id)
	if err != nil {
		return 0, err
	}
	return s.record(ctx, who, "cancel ajo", r.id, store.Fingerprint(r.id, reason), rules.Cancel{AjoID: r.id, By: who.User, Reason: reason, Members: r.a.Members(), Now: s.Now()})
}

// closing is the command that seals the list.
func (s *Service) closing(r room, by string, proposed []int) rules.CloseList {
	salt := make([]byte, draw.SaltBytes)
	_, _ = rand.Read(salt) // rand.Read never fails.
	return rules.CloseList{AjoID: r.id, By: by, Members: r.a.Members(), Beacon: s.Beacon.Beacon(), Proposed: proposed, Salt: salt, Now: s.Now()}
}

// CloseList seals the list.
func (s *Service) CloseList(ctx context.Context, who usecase.Who, id string, order *[]int) (Ajo, int64, error) {
	var proposed []int
	if order != nil {
		proposed = *order
	}
	return s.one(ctx, who, "close ajo list", id, func(r room) (event.Command, error) { return s.closing(r, who.User, proposed), nil }, proposed)
}

// TellPast corrects the account of the past.
func (s *Service) TellPast(ctx context.Context, who usecase.Who, id string, past []AjoPast) (Ajo, int64, error) {
	return s.one(ctx, who, "tell ajo past", id, func(r room) (event.Command, error) { return rules.TellPast(r.id, who.User, pastOf(past)), nil }, pastOf(past))
}

// AnswerPast confirms or denies that account.
func (s *Service) AnswerPast(ctx context.Context, who usecase.Who, id string, confirmed bool) (Ajo, int64, error) {
	return s.one(ctx, who, "answer ajo past", id, func(r room) (event.Command, error) { return rules.AnswerPast(r.id, who.User, confirmed), nil }, confirmed)
}

// TakePlace takes over a place at face value.
func (s *Service) TakePlace(ctx context.Context, who usecase.Who, id string, form TakeAjoPlaceRequest) (Ajo, int64, error) {
	r, err := s.current(ctx, "", id)
	if err != nil {
		return Ajo{}, 0, err
	}
	to, err := s.joiner(ctx, who.User)
	if err != nil {
		return Ajo{}, 0, err
	}
	if to.Invited, err = s.invited(r.id, form.Code); err != nil {
		return Ajo{}, 0, err
	}
	if !to.Invited && !r.a.Listed && !r.a.IsMember(who.User) {
		return Ajo{}, 0, rules.ErrNone()
	}
	if to.TermsHash, err = unhex("termsHash", form.TermsHash, 32); err != nil {
		return Ajo{}, 0, err
	}
	price, err := money.FromNaira(form.Price.Decimal)
	if err != nil || price < 0 {
		return Ajo{}, 0, fault.Field("price", "Enter what the place costs.")
	}
	c := ajopot.TakePlace{AjoID: r.id, Seat: form.Seat, From: form.FromUserId, To: to, Price: price, Cycles: r.unpaid(), People: r.people(), Now: s.Now()}
	return s.give(ctx, who, "take ajo place", r.id, store.Fingerprint(r.id, form.Seat, form.FromUserId, price), c.Command())
}

// number reads a cycle or seat from a path.
func number(text, what string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1_000 {
		return 0, fault.New(fault.NotFound, "There is no such %s.", what)
	}
	return n, nil
}

package ajoaccess

import (
	"context"
	"strconv"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	access "adashi.ng/ledger/domain/ajoaccess"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	asks "adashi.ng/projections/ajoaccess"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// Waiting is a page of the requests that wait, the oldest first, with how many there are. Names are short.
func (s *Service) Waiting(ctx context.Context, staff string, before *string, limit int) (AjoAskPage, error) {
	page := AjoAskPage{Asks: []AjoAskRow{}}
	pos, err := usecase.Cursor(before)
	if err != nil {
		return page, err
	}
	if page.Count, err = asks.Count(ctx, s.Pool); err != nil {
		return page, err
	}
	rows, err := asks.Page(ctx, s.Pool, pos, limit+1)
	if err != nil {
		return page, err
	}
	if len(rows) > limit {
		rows = rows[:limit]
		page.Next = usecase.OrNil(strconv.FormatInt(rows[limit-1].Pos, 10))
	}
	users := make([]string, len(rows))
	for i, r := range rows {
		users[i] = r.User
	}
	cards, err := s.People.Cards(ctx, users)
	for _, r := range rows {
		page.Asks = append(page.Asks, AjoAskRow{
			UserId: r.User, Name: usecase.ShortName(cards, r.User), AskedAt: r.AskedAt.UTC(), HasAccess: r.HasAccess, Mine: r.User == staff,
		})
	}
	return page, err
}

// open finds a member's request for somebody who may look at it.
func (s *Service) open(ctx context.Context, staff, userID string) (access.Review, access.Access, error) {
	review, a := access.Review{Staff: staff}, access.Access{}
	user, err := usecase.ParseID(userID, "member")
	if err != nil {
		return review, a, err
	}
	if a, err = s.state(ctx, user); err != nil {
		return review, a, err
	}
	if a.Status != access.Asked {
		return review, a, fault.New(fault.NotFound, "There is no request of theirs that waits: it was decided or withdrawn. Go back to the list.")
	}
	if review, err = s.review(ctx, staff, user, a.AskID); err != nil {
		return review, a, err
	}
	return review, a, review.MayReview()
}

// review is somebody's look at a request, and whether the two are paid to one bank account.
func (s *Service) review(ctx context.Context, staff, user, askID string) (access.Review, error) {
	_, shares, err := s.Membership.Interest(ctx, staff, vault.Payee{}, user)
	return access.Review{Staff: staff, User: user, AskID: askID, SharesBank: len(shares) > 0}, err
}

// looks records that staff looks at something of a member's, before it is shown.
func (s *Service) looks(ctx context.Context, who usecase.Who, r access.Review, action nairav1.StaffAction, subject string) error {
	_, err := s.Record(ctx, who, store.NewCommandID(), r.User, store.Fingerprint(subject, r.AskID), account.Act{
		Staff: who.User, Action: action, Subject: subject, Case: r.AskID,
	})
	return err
}

// Look shows a request with what the member says of themselves. That somebody looked is recorded before it is answered.
func (s *Service) Look(ctx context.Context, who usecase.Who, userID string) (AjoAsk, error) {
	review, a, err := s.open(ctx, who.User, userID)
	if err != nil {
		return AjoAsk{}, err
	}
	if err := s.looks(ctx, who, review, nairav1.StaffAction_STAFF_ACTION_READ_ACCOUNT, review.User); err != nil {
		return AjoAsk{}, err
	}
	owner, err := s.AccountState(ctx, review.User)
	if err != nil {
		return AjoAsk{}, err
	}
	cards, err := s.People.Cards(ctx, []string{review.User})
	if err != nil {
		return AjoAsk{}, err
	}
	record, err := s.Vault.Read(ctx, review.User)
	if err != nil {
		return AjoAsk{}, err
	}
	view := AjoAsk{
		UserId: review.User, AskId: a.AskID, Name: usecase.FullName(cards, review.User), AskedAt: a.Since.UTC(),
		Salary: usecase.Naira(a.Salary), Limit: usecase.Naira(access.LimitOf(a.Salary)), HasAccess: a.Has,
		BvnVerified: owner.Bvn == account.Verified, Papers: []AjoPaperOnFile{},
	}
	if a.Has {
		view.LimitNow = usecase.NairaPtr(a.Limit)
	}
	for _, paper := range []AjoPaper{BankStatement, OfferLetter} {
		if papers[paper](record) != "" {
			link := "/api/v1/finance/ajo-access/" + review.User + "/papers/" + string(paper)
			view.Papers = append(view.Papers, AjoPaperOnFile{Paper: paper, Link: link})
		}
	}
	return view, nil
}

// Paper is one of the papers that a request stands on. That somebody looked is recorded before it is answered.
func (s *Service) Paper(ctx context.Context, who usecase.Who, userID string, paper AjoPaper) (vault.File, []byte, error) {
	of, known := papers[paper]
	if !known {
		return vault.File{}, nil, noPaper()
	}
	review, _, err := s.open(ctx, who.User, userID)
	if err != nil {
		return vault.File{}, nil, err
	}
	record, err := s.Vault.Read(ctx, review.User)
	if err != nil {
		return vault.File{}, nil, err
	}
	file := of(record)
	if file == "" {
		return vault.File{}, nil, noPaper()
	}
	if err := s.looks(ctx, who, review, nairav1.StaffAction_STAFF_ACTION_READ_DOCUMENT, file); err != nil {
		return vault.File{}, nil, err
	}
	return s.Vault.File(ctx, file)
}

// Grant gives a member what they asked for in a request that was looked at.
func (s *Service) Grant(ctx context.Context, who usecase.Who, userID, askID string) (int64, error) {
	return s.decide(ctx, who, userID, askID, "", func(r access.Review) event.Command { return access.Grant{Review: r} })
}

// Refuse turns a request down that was looked at; the member reads why.
func (s *Service) Refuse(ctx context.Context, who usecase.Who, userID, askID, reason string) (int64, error) {
	return s.decide(ctx, who, userID, askID, reason, func(r access.Review) event.Command { return access.Refuse{Review: r, Reason: reason} })
}

func (s *Service) decide(ctx context.Context, who usecase.Who, userID, askID, reason string, command func(access.Review) event.Command) (int64, error) {
	user, err := usecase.ParseID(userID, "member")
	if err != nil {
		return 0, err
	}
	review, err := s.review(ctx, who.User, user, askID)
	if err != nil {
		return 0, err
	}
	result, err := s.Record(ctx, who, store.NewCommandID(), user, store.Fingerprint(askID, reason), command(review))
	return result.Position(), err
}

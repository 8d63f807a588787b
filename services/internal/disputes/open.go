package disputes

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/account"
	ajorules "adashi.ng/ledger/domain/ajo"
	rules "adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/activity"
	"adashi.ng/services/internal/usecase"
)

// Open opens a dispute, freezes the member's money with it if they ask for that, and stores the attached files.
func (s *Service) Open(ctx context.Context, who usecase.Who, form OpenDisputeRequest) (Dispute, int64, error) {
	claim, words, err := s.claim(ctx, who, form)
	if err != nil {
		return Dispute{}, 0, err
	}
	id, _ := who.ID("open dispute")
	claim.DisputeID = event.DeriveID(id, "dispute").String()
	said := usecase.Say(id, who.User, words)
	claim.Words = said.Words
	commands := store.Bulk{claim}
	for _, file := range filesOf(form) {
		added, err := s.document(ctx, who.User, claim.DisputeID, file)
		if err != nil {
			return Dispute{}, 0, err
		}
		commands = append(commands, added)
	}
	held, err := s.holding(ctx, claim, form)
	if err != nil {
		return Dispute{}, 0, err
	}
	commands = append(commands, held...)
	if form.Freeze != nil && *form.Freeze {
		owner, err := s.AccountState(ctx, who.User)
		if err != nil {
			return Dispute{}, 0, err
		}
		if !owner.Frozen {
			commands = append(commands, s.freezing(id, who.User, claim.DisputeID))
		}
	}
	result, err := s.Record(ctx, who, id, claim.DisputeID, store.Fingerprint(fmt.Sprint(form.Kind, form.Words, claim.About, filesOf(form), form.Freeze, form.Hold)), commands, said)
	if err != nil {
		return Dispute{}, 0, err
	}
	s.did(ctx, result)
	if form.Freeze != nil && *form.Freeze {
		s.stops(ctx, who.User)
	}
	view, err := s.Dispute(ctx, who.User, claim.DisputeID)
	return view, result.Position(), err
}

func filesOf(form OpenDisputeRequest) []string {
	if form.Files == nil {
		return nil
	}
	return *form.Files
}

// freezing returns the command that freezes a member's money.
func (s *Service) freezing(command uuid.UUID, user, disputeID string) account.Freeze {
	return account.Freeze{User: user, DisputeID: disputeID, HoldID: event.DeriveID(command, "freeze").String(), Now: s.Now()}
}

// document stores an uploaded document for a dispute.
func (s *Service) document(ctx context.Context, user, disputeID, fileID string) (event.Command, error) {
	kept, err := s.KeepDocument(ctx, user, "files", fileID)
	if err != nil {
		return nil, err
	}
	return rules.AddEvidence(disputeID, user, kept.GetPaperId(), true, kept.GetSha256()), nil
}

// claim reads a member's claim, and checks that its subject is theirs.
func (s *Service) claim(ctx context.Context, who usecase.Who, form OpenDisputeRequest) (rules.Claim, string, error) {
	c := rules.Claim{User: who.User, Now: s.Now()}
	var err error
	if c.Kind, err = kindOf(form.Kind); err != nil {
		return c, "", err
	}
	words, err := usecase.ReadWords(form.Words, 10, 2000)
	if err != nil {
		return c, "", err
	}
	if form.Amount != nil {
		if c.Amount, err = usecase.Kobo("amount", *form.Amount); err != nil {
			return c, "", err
		}
	}
	if form.PaidOn != nil && *form.PaidOn != "" {
		if c.PaidAt, _, err = s.paidOn("paidOn", *form.PaidOn); err != nil {
			return c, "", err
		}
	}
	if err := s.about(ctx, &c, form); err != nil {
		return c, "", err
	}
	if form.ArrivalId != nil && *form.ArrivalId != "" {
		a, err := s.arrival(ctx, c.User, *form.ArrivalId, c.Amount)
		if err != nil {
			return c, "", err
		}
		c.Arrival, c.Money = a.ID.String(), wallet.Named{Provider: a.Provider, ProviderRef: a.ProviderRef}
	}
	return c, words, nil
}

// about sets the subject of a dispute: a movement, a turn of an ajo, a due of a group, or money of a day.
func (s *Service) about(ctx context.Context, c *rules.Claim, form OpenDisputeRequest) error {
	switch {
	case given(form.MovementId):
		return s.aboutMovement(ctx, c, *form.MovementId)
	case given(form.AjoId):
		return s.aboutAjo(ctx, c, *form.AjoId, form.Cycle)
	case given(form.RequestId):
		return s.aboutRequest(ctx, c, *form.RequestId)
	case given(form.GroupId):
		return s.aboutGroup(ctx, c, form)
	case c.Kind == nairav1.DisputeKind_DISPUTE_KIND_NOT_ME:
		c.About = "account"
		return nil
	case c.Amount == 0 || c.PaidAt.IsZero():
		return fault.Field("amount", "Say how much it was, and on which day, so that we can look for it.")
	}
	c.About = fmt.Sprintf("money %d %s", c.Amount, lagos.Day(c.PaidAt))
	return nil
}

func given(text *string) bool { return text != nil && *text != "" }

func (s *Service) aboutMovement(ctx context.Context, c *rules.Claim, id string) error {
	id, err := usecase.ParseID(id, "movement")
	if err != nil {
		return err
	}
	m, err := activity.One(ctx, s.Pool, c.User, uuid.MustParse(id))
	if err != nil {
		return usecase.NotThere(err, activity.ErrNone, "movement")
	}
	c.EventID, c.Position, c.Group, c.Sub, c.Ajo, c.About = id, m.Pos, m.GroupID, m.SubAccountID, m.AjoID, "event "+id
	if c.Ajo != "" {
		promised, err := s.Ledger.Load(ctx, ajorules.CommitStream(c.User))
		if err != nil {
			return err
		}
		// A card's movements name the card in this field, and nobody makes commitments to a card. Ever also has the ajo
		// that the member has left.
		if !slices.Contains(promised.(ajorules.Commitments).Ever, c.Ajo) {
			c.Ajo = ""
		}
	}
	if c.Amount == 0 {
		c.Amount = m.Amount
	}
	return nil
}

func (s *Service) ajo(ctx context.Context, id string) (ajorules.Ajo, error) {
	state, err := s.Ledger.Load(ctx, ajorules.Stream(id))
	if err != nil {
		return ajorules.Ajo{}, err
	}
	return state.(ajorules.Ajo), nil
}

func (s *Service) aboutAjo(ctx context.Context, c *rules.Claim, id string, cycle *int) error {
	id, err := usecase.ParseID(id, "ajo")
	if err != nil {
		return err
	}
	a, err := s.ajo(ctx, id)
	if err != nil {
		return err
	}
	if !a.IsMember(c.User) {
		return ajorules.ErrNone()
	}
	c.Ajo, c.About = id, "ajo "+id+" "+strings.ToLower(string(nameOf(c.Kind)))
	if cycle != nil {
		c.About += fmt.Sprint(" ", *cycle)
	}
	return nil
}

func (s *Service) aboutGroup(ctx context.Context, c *rules.Claim, form OpenDisputeRequest) error {
	id, err := usecase.ParseID(*form.GroupId, "group")
	if err != nil {
		return err
	}
	relation, err := s.Relation(ctx, c.User, id)
	if err != nil {
		return err
	}
	if err := relation.MustBeInside(); err != nil {
		return err
	}
	c.Group, c.About = id, "group "+id+" "+strings.ToLower(string(nameOf(c.Kind)))
	if given(form.SubAccountId) {
		if c.Sub, err = usecase.ParseID(*form.SubAccountId, "sub-account"); err != nil {
			return err
		}
		if of, err := s.GroupOfSub(ctx, c.Sub); err != nil || of != id {
			return usecase.OrErr(err, fault.New(fault.NotFound, "There is no such sub-account."))
		}
		c.About += " " + c.Sub
	}
	if given(form.Period) {
		if _, err := time.Parse(time.DateOnly, *form.Period); err != nil {
			return fault.Field("period", "Enter a day as YYYY-MM-DD.")
		}
		c.About += " " + *form.Period
	}
	return nil
}

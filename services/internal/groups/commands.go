package groups

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	nairav1 "adashi.ng/proto/gen/naira/v1"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/usecase"
)

// NewGroup is the form for founding a group.
type NewGroup struct {
	Name, Description string
	Amount            wire.Naira
	Capacity          int
	StartMonth        int
	ShowTotal         bool
	MonthlyDues       bool // Opens the sub-account "Monthly dues" for the same amount.
}

// CreateGroup founds a group and returns its id and the position of its record.
func (s *Service) CreateGroup(ctx context.Context, who usecase.Who, form NewGroup) (id string, pos int64, err error) {
	amount, err := usecase.Kobo("amount", form.Amount)
	if err != nil {
		return "", 0, err
	}
	adult, err := s.adult(ctx, who.User)
	if err != nil {
		return "", 0, err
	}
	command, _ := who.ID("create group")
	id = event.DeriveID(command, "group").String()
	asked, dues := []any{form.Name, form.Description, amount, form.Capacity, form.StartMonth, form.ShowTotal}, ""
	if form.MonthlyDues {
		dues = event.DeriveID(command, "monthly dues").String()
		asked = append(asked, true)
	}
	result, err := s.Record(ctx, who, command, id, store.Fingerprint(asked...), savings.CreateGroup{
		GroupID: id, Owner: who.User, Name: form.Name, Description: form.Description, Amount: amount, Capacity: form.Capacity,
		StartMonth: form.StartMonth, ShowTotalBalance: form.ShowTotal, MonthlyDues: dues, UnderAge: !adult, Now: s.Now(),
	})
	return id, result.Position(), err
}

// adult reports whether a person is 18 or older. Without known ages, everybody is.
func (s *Service) adult(ctx context.Context, user string) (bool, error) {
	if s.Adult == nil {
		return true, nil
	}
	return s.Adult(ctx, user)
}

// InvitationCode is the secret part of a group's invitation link.
func (s *Service) InvitationCode(groupID string) string {
	mac := hmac.New(sha256.New, s.InvitationKey)
	mac.Write([]byte("group invitation v1\x00" + groupID))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

func (s *Service) invitationLink(groupID string) string {
	return s.PublicURL + "/savings/join-group/" + groupID + "?code=" + s.InvitationCode(groupID)
}

// invited compares a code with a group's, in constant time.
func (s *Service) invited(groupID, code string) error {
	if !hmac.Equal([]byte(s.InvitationCode(groupID)), []byte(code)) {
		return fault.New(fault.NotFound, "This invitation is not valid. Ask the group for a new link.")
	}
	return nil
}

// JoinGroup asks to become a member by the invitation link. in reports that the person had been invited by name, and is
// now a member.
func (s *Service) JoinGroup(ctx context.Context, who usecase.Who, groupID, code string) (in bool, pos int64, err error) {
	if groupID, err = usecase.ParseID(groupID, "group"); err != nil {
		return false, 0, err
	}
	if err := s.invited(groupID, code); err != nil {
		return false, 0, err
	}
	command, _ := who.ID("join group")
	result, err := s.Record(ctx, who, command, groupID, store.Fingerprint(groupID), savings.JoinGroup{GroupID: groupID, User: who.User, Now: s.Now()})
	return approved(result), result.Position(), err
}

// GroupName returns a group's name; a group that was founded this very second may have none yet.
func (s *Service) GroupName(ctx context.Context, groupID string) string {
	if g, err := groups.One(ctx, s.Pool, groupID); err == nil {
		return g.Name
	}
	return "the group"
}

// ApproveMember admits a waiting person, which added reports, or makes an inactive member active again.
func (s *Service) ApproveMember(ctx context.Context, who usecase.Who, groupID, memberID string) (added bool, pos int64, err error) {
	result, err := s.toMember(ctx, who, "approve member", groupID, memberID, func(group, member string) event.Command {
		return savings.ApproveMember{GroupID: group, User: member, By: who.User}
	})
	return approved(result), result.Position(), err
}

var approval = string((&nairav1.MembershipApproved{}).ProtoReflect().Descriptor().FullName())

// approved reports whether somebody became a member.
func approved(r store.Result) bool {
	return slices.ContainsFunc(r.Records, func(e event.Record) bool { return e.Type == approval })
}

func (s *Service) onMember(ctx context.Context, who usecase.Who, operation, groupID, memberID string, make func(group, member string) event.Command) (int64, error) {
	result, err := s.toMember(ctx, who, operation, groupID, memberID, make)
	return result.Position(), err
}

// toMember gives a command about a member of a group.
func (s *Service) toMember(ctx context.Context, who usecase.Who, operation, groupID, memberID string, make func(group, member string) event.Command) (r store.Result, err error) {
	if groupID, err = usecase.ParseID(groupID, "group"); err != nil {
		return r, err
	}
	if memberID, err = usecase.ParseID(memberID, "member"); err != nil {
		return r, err
	}
	command, _ := who.ID(operation)
	return s.Record(ctx, who, command, groupID, store.Fingerprint(groupID, memberID), make(groupID, memberID))
}

// NewSubAccount is an approver's form for starting a collection.
type NewSubAccount struct {
	GroupID, Name, Description string
	Type, Frequency            string // As the contract spells them.
	Amount                     wire.Naira
	ShowTotal                  bool
	FirstDay                   string // YYYY-MM-DD; empty for today.
	Late                       LateTerms
}

// LateTerms is the penalty for paying late; the zero LateTerms is no penalty.
type LateTerms struct {
	GraceDays int
	Penalty   string // As the contract spells its types; empty for none.
	Amount    *wire.Naira
	Percent   *float32
}

// late returns the terms in kobo and hundredths of a percent.
func (l LateTerms) late() (savings.Late, error) {
	late := savings.Late{GraceDays: l.GraceDays, Type: nairav1.FeeType(nairav1.FeeType_value["FEE_TYPE_"+l.Penalty])}
	if l.Amount != nil {
		amount, err := usecase.Kobo("penaltyAmount", *l.Amount)
		if err != nil {
			return late, err
		}
		late.Amount = amount
	}
	if l.Percent != nil {
		points := decimal.NewFromFloat32(*l.Percent).Shift(2)
		if !points.IsInteger() || points.Abs().GreaterThan(decimal.NewFromInt(penaltyPointsMax)) {
			return late, fault.Field("penaltyPercent", "Enter a percentage with at most two decimals.")
		}
		late.BasisPoints = int(points.IntPart())
	}
	return late, nil
}

// penaltyPointsMax is far above any percentage that the rules accept.
const penaltyPointsMax = 1_000_000

// OpenSubAccount starts a collection and returns the sub-account's id.
func (s *Service) OpenSubAccount(ctx context.Context, who usecase.Who, form NewSubAccount) (id string, pos int64, err error) {
	if form.GroupID, err = usecase.ParseID(form.GroupID, "group"); err != nil {
		return "", 0, err
	}
	amount, err := usecase.Kobo("amountPayable", form.Amount)
	if err != nil {
		return "", 0, err
	}
	late, err := form.Late.late()
	if err != nil {
		return "", 0, err
	}
	asked := []any{form.GroupID, form.Name, form.Description, form.Type, form.Frequency, amount, form.ShowTotal, late}
	var first time.Time
	if form.FirstDay != "" {
		if first, err = time.Parse(time.DateOnly, form.FirstDay); err != nil {
			return "", 0, fault.Field("firstDay", "Choose a first day from today to a year ahead.")
		}
		asked = append(asked, form.FirstDay)
	}
	command, _ := who.ID("open sub-account")
	id = event.DeriveID(command, "sub-account").String()
	result, err := s.Record(ctx, who, command, form.GroupID, store.Fingerprint(asked...), savings.OpenSubAccount{
		GroupID: form.GroupID, SubAccountID: id, By: who.User, Name: form.Name, Description: form.Description,
		Type:      nairav1.PaymentType(nairav1.PaymentType_value["PAYMENT_TYPE_"+form.Type]),
		Frequency: nairav1.PaymentFrequency(nairav1.PaymentFrequency_value["PAYMENT_FREQUENCY_"+form.Frequency]),
		Amount:    amount, ShowTotal: form.ShowTotal, Late: late, FirstDay: first, Now: s.Now(),
	})
	return id, result.Position(), err
}

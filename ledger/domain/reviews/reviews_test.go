package reviews_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

const (
	validated = nairav1.Mark_MARK_VALIDATED
	queried   = nairav1.Mark_MARK_QUERIED
	resolved  = nairav1.Mark_MARK_RESOLVED
)

func group() []any {
	past := []any{
		event.Draft{Stream: "group:g", Message: &nairav1.GroupCreated{GroupId: "g", OwnerId: "ada", MemberCapacity: 9}},
		event.Draft{Stream: "group:g", Message: &nairav1.ApproverAppointed{GroupId: "g", UserId: "bola"}},
		event.Draft{Stream: "group:g", Message: &nairav1.ValidatorAppointed{GroupId: "g", UserId: "vera"}},
	}
	for _, user := range []string{"ada", "bola", "vera", "bisi"} {
		past = append(past, event.Draft{Stream: "member:g:" + user, Message: &nairav1.MembershipApproved{GroupId: "g", UserId: user}})
	}
	return past
}

var n int

// recorded is a payment as the ledger would hold it, each another event.
func recorded(t *testing.T, m proto.Message) event.Record {
	t.Helper()
	body, err := proto.Marshal(m)
	require.NoError(t, err)
	n++
	return event.Record{Pos: 7, Type: event.TypeOf(m), Command: uuid.NewSHA1(uuid.Nil, fmt.Append(nil, n)), Body: body}
}

func says(by string, mark nairav1.Mark, reason string, of ...event.Record) reviews.Mark {
	c := reviews.Mark{GroupID: "g", By: by}
	for _, r := range of {
		c.List = append(c.List, reviews.Marking{Original: r, Mark: mark, Reason: reason})
	}
	return c
}

func paid(user string) proto.Message {
	return &nairav1.ContributionReceived{GroupId: "g", SubAccountId: "s", UserId: user, AmountKobo: 1}
}

func TestTheValidatorValidatesOrQueriesAndResolvesWhatWasQueried(t *testing.T) {
	one, two := recorded(t, paid("bisi")), recorded(t, &nairav1.LiquidationPaidV2{GroupId: "g", SubAccountId: "s", RequestedBy: "bisi"})
	w := Given(t, group())
	w.When(says("vera", validated, "", one)).Then(&nairav1.PaymentMarkedV2{EventId: one.ID().String(), Position: 7, GroupId: "g", SubAccountId: "s", UserId: "bisi", Mark: validated, MarkedBy: "vera"})
	w.When(says("vera", resolved, "Fine", two)).ThenFault(fault.Conflict)
	w.When(says("vera", queried, " ", two)).ThenField("reason")
	w.When(says("vera", queried, strings.Repeat("a", 301), two)).ThenField("reason")
	w.And(says("vera", queried, "Whose is it?", two))
	require.Contains(t, w.When(says("vera", validated, "", two)).ThenFault(fault.Conflict).Message, "can only be resolved")
	w.When(says("vera", resolved, "", two)).ThenField("reason")
	w.And(says("vera", resolved, "The baker's", two))
	for _, mark := range []nairav1.Mark{validated, queried, resolved} {
		if mark != queried {
			w.When(says("vera", mark, "Again", one)).ThenFault(fault.Conflict)
		}
		w.When(says("vera", mark, "Again", two)).ThenFault(fault.Conflict)
	}
	require.Equal(t, resolved, w.State(reviews.Stream(two.ID().String())).(reviews.Review).Mark)
}

func TestWhatWasValidatedIsTakenBackAtOnceOrQueriedLater(t *testing.T) {
	one, two := recorded(t, paid("bisi")), recorded(t, paid("bisi"))
	w := Given(t, group())
	back := func(by string, after time.Duration, of ...event.Record) reviews.Mark {
		c := says(by, nairav1.Mark_MARK_UNSPECIFIED, "", of...)
		c.Now = w.State(reviews.Stream(one.ID().String())).(reviews.Review).At.Add(after)
		return c
	}
	w.When(back("vera", 0, one)).ThenFault(fault.Conflict)
	w.And(says("vera", validated, "", one, two))
	require.Contains(t, w.When(back("vera", time.Minute+time.Second, one)).ThenFault(fault.Conflict).Message, "too late")
	w.When(back("bola", 0, one)).ThenFault(fault.Forbidden)
	w.When(back("vera", time.Minute, one)).
		Then(&nairav1.PaymentUnmarked{EventId: one.ID().String(), Position: 7, GroupId: "g", SubAccountId: "s", UserId: "bisi", MarkedBy: "vera"})
	w.When(back("vera", 0, one)).ThenFault(fault.Conflict)
	w.And(says("vera", validated, "", one))
	next := Given(t, group(), says("vera", validated, "", one), event.Draft{Stream: "group:g", Message: &nairav1.ValidatorAppointed{GroupId: "g", UserId: "zoe"}},
		event.Draft{Stream: "member:g:zoe", Message: &nairav1.MembershipApproved{GroupId: "g", UserId: "zoe"}})
	require.Contains(t, next.When(back("zoe", 0, one)).ThenFault(fault.Forbidden).Message, "whoever validated")

	w.When(says("vera", queried, "", two)).ThenField("reason")
	w.And(says("vera", queried, "It was the baker's", two))
	w.When(back("vera", 0, two)).ThenFault(fault.Conflict)
	w.When(back("vera", 0, one, two)).ThenFault(fault.Conflict)
	require.Equal(t, validated, w.State(reviews.Stream(one.ID().String())).(reviews.Review).Mark, "all are taken back or none")
	w.And(says("vera", resolved, "It was hers", two))
	w.When(back("vera", 0, two)).ThenFault(fault.Conflict)
}

func TestNobodyAuditsTheirOwnAndTheOwnerOnlyTheValidators(t *testing.T) {
	w := Given(t, group())
	cover := func(of, by string) event.Record {
		return recorded(t, &nairav1.ContributionCovered{GroupId: "g", SubAccountId: "s", UserId: of, PaidBy: by})
	}
	for _, c := range []struct {
		payment event.Record
		by      string
	}{
		{recorded(t, paid("bisi")), "vera"},
		{recorded(t, paid("vera")), "ada"},
		{cover("bisi", "vera"), "ada"},
		{cover("vera", "bisi"), "ada"},
		{cover("ada", "bisi"), "vera"},
		{cover("vera", "ada"), "bola"}, // It concerns both who would else.
	} {
		for _, user := range []string{"ada", "bola", "vera"} {
			if user != c.by {
				w.When(says(user, validated, "", c.payment)).ThenFault(fault.Forbidden)
			}
		}
		w.When(says("bisi", validated, "", c.payment)).ThenFault(fault.Forbidden)
		w.When(says("stranger", validated, "", c.payment)).ThenFault(fault.NotFound)
		w.And(says(c.by, validated, "", c.payment))
	}
}

func TestAllAreMarkedOrNone(t *testing.T) {
	w := Given(t, group())
	one, own := recorded(t, paid("bisi")), recorded(t, paid("vera"))
	w.When(says("vera", validated, "", one, own)).ThenFault(fault.Forbidden)
	w.When(says("vera", validated, "", one, one)).ThenField("marks")
	w.When(says("vera", validated, "")).ThenField("marks")
	w.When(says("vera", -1, "", one)).ThenField("mark")
	w.When(says("vera", validated, "", recorded(t, &nairav1.GroupActivated{GroupId: "g"}))).ThenFault(fault.NotFound)
	w.When(says("vera", validated, "", recorded(t, &nairav1.ContributionReceived{GroupId: "h", UserId: "bisi"}))).ThenFault(fault.NotFound)
	many := make([]event.Record, reviews.MarksAtOnce+1)
	for i := range many {
		many[i] = recorded(t, paid("bisi"))
	}
	w.When(says("vera", validated, "", many...)).ThenField("marks")
	w.And(says("vera", validated, "", append(many[1:len(many)-1], one)...))
	require.Equal(t, savings.None, w.State(savings.GroupStream("h")).(savings.Group).Status)
}

func TestAMarkSaysUpToWhereItsScreenHadRead(t *testing.T) {
	one := recorded(t, paid("bisi"))
	seen := func(pos int64) reviews.Mark {
		c := says("vera", validated, "", one)
		c.List[0].Seen = pos
		return c
	}
	w := Given(t, group()...)
	require.Contains(t, w.When(seen(6)).ThenFault(fault.Conflict).Message, "newer than what your screen had read")
	w.When(seen(7)).Then(&nairav1.PaymentMarkedV2{
		EventId: one.ID().String(), Position: 7, GroupId: "g", SubAccountId: "s", UserId: "bisi", Mark: validated, MarkedBy: "vera", SeenPosition: 7,
	})
}

package reviews_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

var wrote = &nairav1.Words{PaperId: "paper", Sha256: []byte{1}}

func say(by string, of event.Record) reviews.Say {
	return reviews.Say{Original: of, By: by, Words: wrote}
}

func TestWhoPaidAnswersAQueryAndWhoAuditsAsksMore(t *testing.T) {
	w := Given(t, group()...)
	one := recorded(t, paid("bisi"))
	w.When(say("bisi", one)).ThenFault(fault.NotFound) // Nobody asked.
	w.When(say("vera", one)).ThenFault(fault.NotFound)
	w.And(says("vera", queried, "For which month?", one))
	w.When(say("bisi", one)).Then(&nairav1.QuestionAnswered{EventId: one.ID().String(), Position: 7, GroupId: "g", UserId: "bisi", Words: wrote, ToUserId: "vera"})
	w.When(say("vera", one)).Then(&nairav1.QuestionAskedV2{EventId: one.ID().String(), Position: 7, GroupId: "g", UserId: "bisi", By: "vera", Words: wrote})
	w.When(say("ada", one)).ThenFault(fault.Forbidden) // The owner reads it.
	w.When(say("bola", one)).ThenFault(fault.NotFound)
	w.When(say("nobody", one)).ThenFault(fault.NotFound)
}

func TestOfACoverWhoPaidItAnswers(t *testing.T) {
	w := Given(t, group()...)
	one := recorded(t, &nairav1.ContributionCovered{GroupId: "g", SubAccountId: "s", UserId: "bisi", PaidBy: "bola", AmountKobo: 1})
	w.And(says("vera", queried, "Why did you pay?", one))
	w.When(say("bisi", one)).ThenFault(fault.NotFound)
	w.When(say("bola", one)).Then(&nairav1.QuestionAnswered{EventId: one.ID().String(), Position: 7, GroupId: "g", UserId: "bola", Words: wrote, ToUserId: "vera"})
}

func TestNobodyIsFloodedWithMessages(t *testing.T) {
	w := Given(t, group()...)
	one := recorded(t, paid("bisi"))
	w.And(says("vera", queried, "For which month?", one))
	for range reviews.TurnMax {
		w.And(say("bisi", one))
	}
	w.When(say("bisi", one)).ThenFault(fault.Conflict)
	for range reviews.TurnMax {
		w.And(say("vera", one))
	}
	w.When(say("vera", one)).ThenFault(fault.Conflict)
	w.And(say("bisi", one))
	w.And(say("vera", one))
}

func TestAResolvedQuestionIsOnlyRead(t *testing.T) {
	w := Given(t, group()...)
	one := recorded(t, paid("bisi"))
	w.And(says("vera", queried, "For which month?", one))
	w.And(say("bisi", one))
	w.And(says("vera", resolved, "It was March.", one))
	w.When(say("bisi", one)).ThenFault(fault.Conflict)
	w.When(say("vera", one)).ThenFault(fault.Conflict)
}

func TestInAnAjoWhoPaidAnswersAndItsValidatorAsks(t *testing.T) {
	w := Given(t, circle()...)
	one := recorded(t, due("bola", "bisi"))
	w.And(marksAjo("vera", queried, "Whose money was it?", one))
	w.When(say("bola", one)).ThenFault(fault.NotFound)
	w.When(say("bisi", one)).Then(&nairav1.QuestionAnswered{EventId: one.ID().String(), Position: 7, AjoId: "a", UserId: "bisi", Words: wrote, ToUserId: "vera"})
	w.When(say("vera", one)).Then(&nairav1.QuestionAskedV2{EventId: one.ID().String(), Position: 7, AjoId: "a", UserId: "bisi", By: "vera", Words: wrote})
	w.When(say("ada", one)).ThenFault(fault.Forbidden)
}

func TestBothHoldersOfASeatAnswerAboutTheirPot(t *testing.T) {
	t.Parallel()
	w := Given(t, circle()...)
	pot := recorded(t, &nairav1.AjoPaid{AjoId: "a", Cycle: 1, Seat: 1, UserId: "bola", OtherUserId: "bisi"})
	w.And(marksAjo("vera", queried, "Who got it?", pot))
	for _, holder := range []string{"bola", "bisi"} {
		w.When(say(holder, pot)).Then(&nairav1.QuestionAnswered{EventId: pot.ID().String(), Position: 7, AjoId: "a", UserId: holder, Words: wrote, ToUserId: "vera"})
		w.When(reviews.Say{Original: pot, By: holder, File: wrote})
	}
	w.When(say("vera", pot)).Then(&nairav1.QuestionAskedV2{EventId: pot.ID().String(), Position: 7, AjoId: "a", UserId: "bola", OtherUserId: "bisi", By: "vera", Words: wrote})
	w.When(say("ada", pot)).ThenFault(fault.Forbidden)
	drafts, err := say("vera", pot).Decide(asBefore{w})
	require.NoError(t, err)
	require.Empty(t, drafts[0].Message.(*nairav1.QuestionAskedV2).GetOtherUserId(), "what earlier builds decided is decided again")
}

// asBefore is a history that earlier builds decided.
type asBefore struct{ event.View }

func (asBefore) IsEarlier() {}

func TestWhoPaidAddsFiveFilesAndNobodyElseAny(t *testing.T) {
	w := Given(t, group()...)
	one := recorded(t, paid("bisi"))
	slip := func(by string) reviews.Say { return reviews.Say{Original: one, By: by, File: wrote} }
	w.When(slip("bisi")).ThenFault(fault.NotFound)
	w.And(says("vera", queried, "For which month?", one))
	w.When(slip("vera")).ThenField("fileId")
	w.When(slip("bisi")).Then(&nairav1.QuestionFileAdded{EventId: one.ID().String(), Position: 7, GroupId: "g", UserId: "bisi", PaperId: "paper", Sha256: []byte{1}, ToUserId: "vera"})
	for range reviews.FilesMax - 1 {
		w.And(slip("bisi"))
	}
	w.When(slip("bisi")).ThenField("fileId")
	w.And(say("bisi", one)) // Words are still heard.
	w.And(says("vera", resolved, "It was March.", one))
	w.When(slip("bisi")).ThenFault(fault.Conflict)
}

func TestAnAnswerIsToldToTheOneWhoAuditsThePaymentNow(t *testing.T) {
	t.Parallel()
	one := recorded(t, paid("bisi"))
	w := Given(t, group()...).And(says("vera", queried, "Whose is it?", one))
	answers := reviews.Say{Original: one, By: "bisi", Words: &nairav1.Words{PaperId: "paper"}}
	told := func() string {
		drafts, err := answers.Decide(w)
		require.NoError(t, err)
		return drafts[0].Message.(*nairav1.QuestionAnswered).GetToUserId()
	}
	require.Equal(t, "vera", told())
	w.And(
		event.Draft{Stream: "group:g", Message: &nairav1.ValidatorAppointed{GroupId: "g", UserId: "zoe"}},
		event.Draft{Stream: "member:g:zoe", Message: &nairav1.MembershipApproved{GroupId: "g", UserId: "zoe"}},
	)
	require.Equal(t, "zoe", told())
	w.And(event.Draft{Stream: "group:g", Message: &nairav1.ApproverAppointed{GroupId: "g", UserId: "vera"}})
	require.Equal(t, "vera", told(), "who asked still reads it, and may ask on")
}

// The owner queried a payout that went to the validator's own bank account.
func TestTheValidatorAsksNothingOfAPayoutToTheirOwnAccount(t *testing.T) {
	one := recorded(t, &nairav1.LiquidationPaidV2{GroupId: "g", SubAccountId: "s", RequestedBy: "bisi"})
	query := says("ada", queried, "Whose is it?", one)
	query.List[0].PaidTo = []string{"vera"}
	w := Given(t, group()).And(query)
	words := &nairav1.Words{PaperId: "paper"}
	w.When(reviews.Say{Original: one, PaidTo: []string{"vera"}, By: "vera", Words: words}).ThenFault(fault.Forbidden)
	w.And(reviews.Say{Original: one, PaidTo: []string{"vera"}, By: "ada", Words: words})
	drafts, err := w.Do(reviews.Say{Original: one, PaidTo: []string{"vera"}, By: "bisi", Words: words})
	require.NoError(t, err)
	require.Equal(t, "ada", drafts[0].Message.(*nairav1.QuestionAnswered).GetToUserId())
}

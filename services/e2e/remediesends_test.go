package e2e

import (
	"crypto/ed25519"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/account"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/remedy"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/vault"
)

func TestWhatAThiefLetAnAjoTakeEndsWhenTheAccountIsGivenBack(t *testing.T) {
	t.Parallel()
	i := jobless(t)
	sade, uche := desk(t, i)
	r := listed(t, i)
	owner, stolen, mine := r.people[1], time.Now(), fresh("bola-new")
	thief := thiefOf(owner)
	must[object](thief, "POST", "/api/v1/ajo/"+r.id+"/consent", object{"dues": true, "sweep": true})
	must[object](sade, "POST", remediesDesk, giving(owner.id, mine, stolen))
	agreed := uche.agreesTo(owner.id)
	require.Equal(t, 200, agreed.status, agreed.Message)
	last := r.lastOn(rules.BookStream(r.id, owner.id))
	require.Equal(t, event.TypeOf(&nairav1.AjoConsentEnded{}), last.Type)

	owner.resets(mine)
	require.Eventually(t, func() bool {
		me := r.sees(1)["me"].(object)
		return me["consentDues"] == false && me["consentSweep"] == false
	}, 10*time.Second, 20*time.Millisecond)
	require.Eventually(t, func() bool {
		for _, n := range must[object](owner, "GET", "/api/Notification/all", nil)["notifications"].([]any) {
			if data := n.(object)["data"].(object); data["link"] == "/ajo/"+r.id && strings.Contains(data["body"].(string), "Somebody else used this account when it let us take") {
				return true
			}
		}
		return false
	}, 10*time.Second, 20*time.Millisecond, "the owner learns that it ended")
}

// A key that a thief registered signs no more, and a group that a thief offered stays.
func TestWhatAThiefSetUpInAnOfficialsAccountEndsWhenItIsGivenBack(t *testing.T) {
	t.Parallel()
	i := product(t)
	sade, uche := desk(t, i)
	c := found(t, i)
	c.approver.known()
	stolen := time.Now()
	public, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	const phone = nairav1.DeviceKind_DEVICE_KIND_PHONE
	longAgo(t, i, stolen, account.RegisterAttestKey(c.owner.id, public, phone, ed25519.Sign(private, account.AttestKeyStatement(c.owner.id, public, phone))))
	must[any](c.owner.stepsUp(), "POST", c.at("/ownership/offer"), object{"memberId": c.approver.id})
	seen := must[object](c.approver, "GET", details+c.group, nil)["ownershipOffer"]
	must[object](sade, "POST", remediesDesk, giving(c.owner.id, fresh("ada-new"), stolen))
	agreed := uche.agreesTo(c.owner.id)
	require.Equal(t, 200, agreed.status, agreed.Message)
	r := c.approver.stepsUp().ask("POST", c.at("/ownership/answer"), object{"accept": true, "seen": seen})
	require.Equal(t, 409, r.status, "the thief's friend does not get the group: %s", r.Message)
	require.Contains(t, r.Message, "is not offered to anybody")
	a, err := i.App.AccountState(t.Context(), c.owner.id)
	require.NoError(t, err)
	require.True(t, a.AttestKeys[0].Revoked)
	state, err := i.App.Ledger.Load(t.Context(), savings.GroupStream(c.group))
	require.NoError(t, err)
	require.False(t, state.(savings.Group).Held(c.owner.id, stolen), "what was decided meanwhile does not count")
	require.True(t, state.(savings.Group).Held(c.owner.id, time.Now()))
}

// The owner never agreed to pay by the thief's card, whose holder would have the money taken back.
func TestACardThatAThiefKeptIsForgottenWhenTheAccountIsGivenBack(t *testing.T) {
	t.Parallel()
	i := product(t)
	sade, uche := desk(t, i)
	owner, mine := somebody(t, i, "Ngozi"), fresh("ngozi-new")
	keeps := func(last4 string, at time.Time) {
		require.NoError(t, i.Vault.KeepCard(t.Context(), owner.id, vault.Card{Provider: "sandbox", Token: "token " + last4, Last4: last4}, at))
	}
	keeps("1111", time.Now().Add(-time.Hour))
	stolen, thief := time.Now(), thiefOf(owner)
	keeps("6666", time.Now())
	open := must[object](thief, "POST", fund, object{"amount": 5000, "email": thief.email, "channel": "CARD", "saveCard": true})
	must[object](sade, "POST", remediesDesk, giving(owner.id, mine, stolen))
	agreed := uche.agreesTo(owner.id)
	require.Equal(t, 200, agreed.status, agreed.Message)
	owner.resets(mine)
	owner.paysWith(open, "5000.00") // Whoever pays: its card is not kept either.
	kept := must[[]object](owner, "GET", "/api/v1/wallet/cards", nil)
	require.Len(t, kept, 1)
	require.Equal(t, "1111", kept[0]["last4"])
}

func TestACollectorWhomAThiefNamedFillsNoMoreOnceTheAccountIsGivenBack(t *testing.T) {
	t.Parallel()
	i := product(t)
	sade, uche := desk(t, i)
	saver, alajo, friend := somebody(t, i, "Saver"), somebody(t, i, "Alajo"), somebody(t, i, "Friend")
	saver.funded(5000).banked(i, "Saver")
	alajo.funded(5000).banked(i, "Alajo")
	friend.funded(5000).banked(i, "Friend")
	opens := func(collector *person) string {
		made := must[object](saver, "POST", "/api/v1/ajo/cards", object{"name": "Rent", "amount": 200, "frequency": "DAILY", "boxes": 31})
		must[object](saver, "POST", "/api/v1/ajo/cards/"+made["id"].(string)+"/collector", object{"email": collector.email, "commission": true, "seen": made["collectorVersion"]})
		return made["id"].(string)
	}
	before := opens(alajo)
	stolen := time.Now()
	after := opens(friend)
	r := must[object](sade, "POST", remediesDesk, giving(saver.id, fresh("saver-new"), stolen))
	longAgo(t, i, time.Now(), remedy.Agree{Desk: remedy.Desk{Staff: uche.id, User: saver.id}, RemedyID: r["remedyId"].(string), Hold: remedy.Hold, At: time.Now()})
	late := opens(friend) // The rest of the give-back was cut short.
	require.NoError(t, i.App.Remedies.Settle(t.Context()))
	must[object](alajo, "POST", "/api/v1/ajo/cards/"+before+"/fill", object{"boxes": 1, "userId": alajo.id})
	for _, card := range []string{after, late} {
		require.Equal(t, 404, friend.ask("POST", "/api/v1/ajo/cards/"+card+"/fill", object{"boxes": 1, "userId": friend.id}).status)
	}
}

func TestAGuardianWhomAThiefNamedLetsTheWardPayNothingOnceTheAccountIsGivenBack(t *testing.T) {
	t.Parallel()
	i := product(t)
	sade, uche := desk(t, i)
	bola := staff(t, i, "Bola", people.RoleSupport)
	young, mine, friend := of17(t, i), fresh("tola-new"), bola.email
	stolen := time.Now()
	names := func(email string) string {
		must[any](young, "POST", "/api/v1/account/guardian", object{"name": "Bola Friend", "email": email, "relationship": "PARENT"})
		link := guardianInMail.FindStringSubmatch(young.page("/dev/inbox?to=" + url.QueryEscape(email)))
		require.Len(t, link, 2)
		return link[1]
	}
	token := names(friend)
	consents := object{"token": token, "accept": true, "name": "Bola Friend"}
	must[any](nobody(t, i.Address), "POST", "/api/v1/account/guardian/consent", consents)
	must[object](sade, "POST", remediesDesk, giving(young.id, mine, stolen))
	agreed := uche.agreesTo(young.id)
	require.Equal(t, 200, agreed.status, agreed.Message)
	require.Equal(t, 400, nobody(t, i.Address).ask("POST", "/api/v1/account/guardian/consent", consents).status, "the link works no more")
	young.resets(mine)
	at := casesPath + "/" + must[object](young, "POST", disputesPath, claims(300, nil))["id"].(string)
	refusesParty(t, bola, at) // They took part, whoever named them.
	r := bola.stepsUp().ask("POST", remediesDesk, giving(young.id, fresh("another"), stolen))
	require.Equal(t, 403, r.status, r.Message)
	a, err := i.App.AccountState(t.Context(), young.id)
	require.NoError(t, err)
	require.False(t, a.Consented)
	require.Error(t, i.Profile.MayContribute(t.Context(), young.id))
	consents["token"] = names(fresh("parent"))
	must[any](nobody(t, i.Address), "POST", "/api/v1/account/guardian/consent", consents)
	require.NoError(t, i.Profile.MayContribute(t.Context(), young.id), "their own guardian's consent counts")
}

// What cannot be ended yet holds nothing else up: the thief's bank account is gone, and one that the owner names once
// they are in stays.
func TestWhatCannotBeEndedYetLeavesAThiefNoBankAccount(t *testing.T) {
	t.Parallel()
	i := own(t)
	sade, uche := desk(t, i)
	owner, at := withdrawer(t, i, "Ngozi", 50_000)
	stolen, mine := time.Now(), fresh("ngozi-new")
	musa, hers := bankOf(t, i, "Musa", "Danladi"), bankOf(t, i, "Ngozi", "Test")
	must[object](thiefOf(owner).stepsUp(), "POST", updateInfo, object{"email": owner.email, "bankAccountNumber": musa.Account, "bankCode": musa.BankCode})
	r := must[object](sade, "POST", remediesDesk, giving(owner.id, mine, stolen))
	longAgo(t, i, time.Now(), remedy.Agree{Desk: remedy.Desk{Staff: uche.id, User: owner.id}, RemedyID: r["remedyId"].(string), Hold: remedy.Hold, At: time.Now()})
	_, err := i.Pool.Exec(t.Context(), "ALTER TABLE rm_ajo_cards RENAME TO away")
	require.NoError(t, err)
	require.Error(t, i.App.Remedies.Settle(t.Context()))
	owner.resets(mine)
	account := func() any {
		return must[object](owner, "GET", "/api/Account/GetUserInfoById/"+owner.id, nil)["bankAccountNumber"]
	}
	require.Equal(t, at.Account, account())
	must[any](owner, "POST", stepUp, object{"password": another})
	must[object](owner, "POST", updateInfo, object{"email": mine, "bankAccountNumber": hers.Account, "bankCode": hers.BankCode})
	_, err = i.Pool.Exec(t.Context(), "ALTER TABLE away RENAME TO rm_ajo_cards")
	require.NoError(t, err)
	require.NoError(t, i.App.Remedies.Settle(t.Context()))
	require.Equal(t, hers.Account, account())
}

// The thief used a link of a letter to put their bank account back, and that was cut short.
func TestAnUndoThatWasCutShortBringsAThiefsBankAccountNotBackOnceTheAccountIsGivenBack(t *testing.T) {
	t.Parallel()
	i := product(t)
	sade, uche := desk(t, i)
	owner, at := withdrawer(t, i, "Ngozi", 50_000)
	stolen, mine, musa := time.Now(), fresh("ngozi-new"), bankOf(t, i, "Musa", "Danladi")
	thief := thiefOf(owner)
	must[object](thief, "POST", updateInfo, object{"email": owner.email, "bankAccountNumber": musa.Account, "bankCode": musa.BankCode})
	_, err := i.Vault.Set(t.Context(), owner.id, func(r *vault.Record) { r.Settings.NotByMail = true })
	require.NoError(t, err)
	_, err = i.Pool.Exec(t.Context(), "INSERT INTO bank_restores (user_id, since) VALUES ($1, now())", owner.id)
	require.NoError(t, err)
	must[object](sade, "POST", remediesDesk, giving(owner.id, mine, stolen))
	agreed := uche.agreesTo(owner.id)
	require.Equal(t, 200, agreed.status, agreed.Message)
	require.NoError(t, i.Profile.FinishUndos(t.Context()))
	owner.resets(mine)
	require.Equal(t, at.Account, must[object](owner, "GET", "/api/Account/GetUserInfoById/"+owner.id, nil)["bankAccountNumber"])
	r, err := i.Vault.Read(t.Context(), owner.id)
	require.NoError(t, err)
	require.Zero(t, r.Settings, "the owner hears of everything again")
}

// The owner's own transfer or card pays what a thief began, and the thief said what for.
func TestAPaymentThatAThiefBeganPaysNothingButTheWalletOnceTheAccountIsGivenBack(t *testing.T) {
	t.Parallel()
	i := product(t)
	sade, uche := desk(t, i)
	c := found(t, i)
	stolen, mine := time.Now(), fresh("member-new")
	payment := must[object](c.member, "POST", rail, object{"amount": 5000, "subAccountId": c.sub, "userId": c.member.id, "monthId": lagosMonth()})
	must[object](sade, "POST", remediesDesk, giving(c.member.id, mine, stolen))
	agreed := uche.agreesTo(c.member.id)
	require.Equal(t, 200, agreed.status, agreed.Message)
	c.member.resets(mine)
	require.Equal(t, 303, c.member.sends(payment, "5000").StatusCode)
	c.member.holds("5000.00")
	state, err := i.App.Ledger.Load(t.Context(), dues.Stream(c.sub, c.member.id))
	require.NoError(t, err)
	require.Zero(t, state.(dues.State).Payments, "and no due")
	now := must[object](c.member, "GET", "/api/Payment/verify-transaction/"+payment["transactionRef"].(string), nil)
	require.Equal(t, []any{"WALLET", "Somebody else used your account when this payment was begun, so nothing is paid with it."}, []any{now["arrivedIn"], now["reason"]})
}

// Three days later they would approve payments of the group.
func TestAnApproverWhomAThiefAppointedLosesTheOfficeWhenTheAccountIsGivenBack(t *testing.T) {
	t.Parallel()
	i := product(t)
	sade, uche := desk(t, i)
	c := found(t, i)
	stolen := time.Now().Truncate(time.Microsecond) // As the ledger keeps it.
	longAgo(t, i, time.Now(), savings.AppointApprover{GroupID: c.group, User: c.member.id, By: c.owner.id})
	must[object](sade, "POST", remediesDesk, giving(c.owner.id, fresh("ada-new"), stolen))
	agreed := uche.agreesTo(c.owner.id)
	require.Equal(t, 200, agreed.status, agreed.Message)
	state, err := i.App.Ledger.Load(t.Context(), savings.GroupStream(c.group))
	require.NoError(t, err)
	require.ElementsMatch(t, []string{c.owner.id, c.approver.id}, state.(savings.Group).Approvers)
}

// The rest of a give-back is tried again: what the owner chose once they were in stays, and what a thief kept until
// their sessions ended goes.
func TestWhatIsTriedAgainOfAGiveBackTakesNothingThatTheOwnerChoseSince(t *testing.T) {
	t.Parallel()
	i := own(t)
	sade, uche := desk(t, i)
	young, mine, parent := of17(t, i), fresh("tola-new"), fresh("parent")
	r := must[object](sade, "POST", remediesDesk, giving(young.id, mine, time.Now()))
	longAgo(t, i, time.Now(), remedy.Agree{Desk: remedy.Desk{Staff: uche.id, User: young.id}, RemedyID: r["remedyId"].(string), Hold: remedy.Hold, At: time.Now()})
	require.NoError(t, i.Vault.KeepCard(t.Context(), young.id, vault.Card{Provider: "sandbox", Token: "token 6666", Last4: "6666"}, time.Now()))
	unreadable(t, i, func() {
		require.Error(t, i.App.Remedies.Settle(t.Context()))
	})
	young.resets(mine)
	must[any](young, "POST", "/api/v1/account/guardian", object{"name": "Bola Parent", "email": parent, "relationship": "PARENT"})
	_, err := i.Vault.Set(t.Context(), young.id, func(r *vault.Record) { r.Settings.NotByMail = true })
	require.NoError(t, err)
	require.NoError(t, i.App.Remedies.Settle(t.Context()))
	kept, err := i.Vault.Read(t.Context(), young.id)
	require.NoError(t, err)
	assert.Equal(t, parent, kept.Guardian.Email)
	assert.True(t, kept.Settings.NotByMail)
	assert.Empty(t, must[[]object](young, "GET", "/api/v1/wallet/cards", nil))
}

// What cannot be read holds up the end of nothing else, and an offer that the owner makes once they are in goes on.
func TestWhatCannotBeReadHoldsUpNoOfficeAndTheOwnersNextOfferStays(t *testing.T) {
	t.Parallel()
	i := own(t)
	sade, uche := desk(t, i)
	c := found(t, i)
	c.approver.known()
	mine := fresh("ada-new")
	r := must[object](sade, "POST", remediesDesk, giving(c.owner.id, mine, time.Now()))
	longAgo(t, i, time.Now(), remedy.Agree{Desk: remedy.Desk{Staff: uche.id, User: c.owner.id}, RemedyID: r["remedyId"].(string), Hold: remedy.Hold, At: time.Now()})
	unreadable(t, i, func() {
		require.Error(t, i.App.Remedies.Settle(t.Context()))
	})
	group := func() savings.Group {
		state, err := i.App.Ledger.Load(t.Context(), savings.GroupStream(c.group))
		require.NoError(t, err)
		return state.(savings.Group)
	}
	assert.Contains(t, group().GivenBack, c.owner.id)
	c.owner.resets(mine)
	must[any](c.owner, "POST", stepUp, object{"password": another})
	must[any](c.owner, "POST", c.at("/ownership/offer"), object{"memberId": c.approver.id})
	require.NoError(t, i.App.Remedies.Settle(t.Context()))
	require.Equal(t, c.approver.id, group().Offered)
}

// unreadable does something while one of the read models that a give-back goes by cannot be read.
func unreadable(t *testing.T, i *boot.Instance, do func()) {
	t.Helper()
	_, err := i.Pool.Exec(t.Context(), "ALTER TABLE rm_ajo_cards RENAME TO away")
	require.NoError(t, err)
	do()
	_, err = i.Pool.Exec(t.Context(), "ALTER TABLE away RENAME TO rm_ajo_cards")
	require.NoError(t, err)
}

// Whom a thief named may answer before the rest of a give-back is done that was cut short.
func TestAGuardianWhomAThiefNamedConsentsToNothingOnceItIsAgreedToGiveTheAccountBack(t *testing.T) {
	t.Parallel()
	i := product(t)
	sade, uche := desk(t, i)
	young, friend, stolen := of17(t, i), fresh("friend"), time.Now()
	must[any](young, "POST", "/api/v1/account/guardian", object{"name": "Bola Friend", "email": friend, "relationship": "PARENT"})
	link := guardianInMail.FindStringSubmatch(young.page("/dev/inbox?to=" + url.QueryEscape(friend)))
	require.Len(t, link, 2)
	r := must[object](sade, "POST", remediesDesk, giving(young.id, fresh("tola-new"), stolen))
	longAgo(t, i, time.Now(), remedy.Agree{Desk: remedy.Desk{Staff: uche.id, User: young.id}, RemedyID: r["remedyId"].(string), Hold: remedy.Hold, At: time.Now()})
	nobody(t, i.Address).ask("POST", "/api/v1/account/guardian/consent", object{"token": link[1], "accept": true, "name": "Bola Friend"})
	require.NoError(t, i.App.Remedies.Settle(t.Context()))
	require.Error(t, i.Profile.MayContribute(t.Context(), young.id))
	kept, err := i.Vault.Read(t.Context(), young.id)
	require.NoError(t, err)
	require.Empty(t, kept.Guardian.Email)
}

// What follows from an agreement may be cut short before the thief's sessions end. What they do until then does not
// count either.
func TestWhatAThiefDoesUntilTheirSessionsEndDoesNotCount(t *testing.T) {
	t.Parallel()
	i := jobless(t)
	sade, uche := desk(t, i)
	r, c := listed(t, i), found(t, i)
	agrees := func(owner *person) (mine string) {
		mine = fresh("mine")
		proposed := must[object](sade, "POST", remediesDesk, giving(owner.id, mine, time.Now()))
		longAgo(t, i, time.Now(), remedy.Agree{Desk: remedy.Desk{Staff: uche.id, User: owner.id}, RemedyID: proposed["remedyId"].(string), Hold: remedy.Hold, At: time.Now()})
		return mine
	}
	bola := r.people[1]
	hers, mine := agrees(bola), agrees(c.member)
	must[object](bola, "POST", "/api/v1/ajo/"+r.id+"/consent", object{"dues": true, "sweep": true})
	payment := must[object](c.member, "POST", rail, object{"amount": 5000, "subAccountId": c.sub, "userId": c.member.id, "monthId": lagosMonth()})
	require.NoError(t, i.App.Remedies.Settle(t.Context()))
	require.Equal(t, event.TypeOf(&nairav1.AjoConsentEnded{}), r.lastOn(rules.BookStream(r.id, bola.id)).Type)
	c.member.resets(mine)
	require.Equal(t, 303, c.member.sends(payment, "5000").StatusCode)
	c.member.holds("5000.00")
	bola.resets(hers)
	must[object](bola, "POST", "/api/v1/ajo/"+r.id+"/consent", object{"dues": true, "sweep": false})
	require.NoError(t, i.App.Remedies.Settle(t.Context()))
	state, err := i.App.Ledger.Load(t.Context(), rules.BookStream(r.id, bola.id))
	require.NoError(t, err)
	require.True(t, state.(ajopot.Book).Dues, "what the owner lets an ajo take is theirs")
}

// said answers the texts of a person's notifications.
func (p *person) said() string {
	p.Helper()
	var all []string
	for _, n := range must[object](p, "GET", "/api/Notification/all", nil)["notifications"].([]any) {
		all = append(all, n.(object)["data"].(object)["body"].(string))
	}
	return strings.Join(all, "\n")
}

// What a thief joined in the member's name ends, and they read which settings of their group a thief changed.
func TestWhatAThiefJoinedEndsAndTheOwnerReadsWhatTheyChangedOnceTheAccountIsGivenBack(t *testing.T) {
	t.Parallel()
	i := product(t)
	sade, uche := desk(t, i)
	mine, another := settled(t, i), found(t, i)
	owner, address, stolen := mine.owner, fresh("ada-new"), time.Now().Truncate(time.Microsecond)
	longAgo(t, i, time.Now(), savings.JoinGroup{GroupID: another.group, User: owner.id}, savings.ApproveMember{GroupID: another.group, User: owner.id, By: another.owner.id})
	must[any](owner.stepsUp(), "POST", mine.at("/notice"), object{"hours": 72})
	require.Eventually(t, func() bool {
		in, err := groups.Ever(t.Context(), i.Pool, owner.id)
		return err == nil && len(in) == 2
	}, 30*time.Second, 20*time.Millisecond)
	must[object](sade, "POST", remediesDesk, giving(owner.id, address, stolen))
	agreed := uche.agreesTo(owner.id)
	require.Equal(t, 200, agreed.status, agreed.Message)
	state, err := i.App.Ledger.Load(t.Context(), savings.MemberStream(another.group, owner.id))
	require.NoError(t, err)
	require.Equal(t, savings.None, state.(savings.Member).Status)
	owner.resets(address)
	require.Eventually(t, func() bool {
		said := owner.said()
		return strings.Contains(said, "You are no longer a member, and you owe nothing there.") && strings.Contains(said, "changed these in Balogun Traders: how long payments wait. Look")
	}, 30*time.Second, 50*time.Millisecond)
}

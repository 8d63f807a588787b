package e2e

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/remedy"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

const (
	remediesDesk = "/api/v1/support/remedies"
	proven       = "She showed her passport in a video call and wrote to us from that address."
)

// desk is two people of staff who help a member, each with the password shown just now.
func desk(t *testing.T, i *boot.Instance) (sade, uche *person) {
	t.Helper()
	return staff(t, i, "Sade", people.RoleSupport).stepsUp(), staff(t, i, "Uche", people.RoleAdmin).stepsUp()
}

// movesTo has a person in a member's session move the account to another address, and stay in it.
func (p *person) movesTo(to string) {
	p.Helper()
	must[any](p, "POST", "/api/v1/account/email", object{"email": to})
	must[any](nobody(p, p.base), "POST", "/api/v1/account/confirm-email", object{"token": p.letterWith(to, "/confirm-email")})
	p.email = to
	p.logIn()
	p.stepsUp()
}

// giving is what Support proposes to give an account back.
func giving(user, to string, since time.Time) object {
	return object{"userId": user, "kind": "GIVE_BACK", "case": "C-17", "reason": proven, "newEmail": to, "since": since.Format(time.RFC3339Nano)}
}

// waitsFor is the remedy for a member that waits, as somebody of the desk sees it.
func (p *person) waitsFor(user string) (found object) {
	p.Helper()
	for _, r := range must[[]object](p, "GET", remediesDesk, nil) {
		if r["member"].(object)["userId"] == user {
			found = r
		}
	}
	require.NotNil(p, found, "nothing waits for this member")
	return found
}

// agreesTo agrees to the remedy for a member as it stands.
func (p *person) agreesTo(user string) reply {
	p.Helper()
	r := p.waitsFor(user)
	return p.ask("POST", remediesDesk+"/"+r["remedyId"].(string)+"/agree", object{"seen": r["version"]})
}

// gets waits for a letter to an address that says something.
func (p *person) gets(to, says string) {
	p.Helper()
	require.Eventually(p, func() bool {
		return strings.Contains(p.page("/dev/inbox?to="+url.QueryEscape(to)), says)
	}, 30*time.Second, 100*time.Millisecond, "%s got no letter that says %q", to, says)
}

func fresh(name string) string { return fmt.Sprintf("%s-%d@example.com", name, serial.Add(1)) }

func TestTwoOfStaffGiveAnAccountBackThatAThiefMoved(t *testing.T) {
	t.Parallel()
	i := product(t)
	sade, uche := desk(t, i)
	owner, at := withdrawer(t, i, "Ngozi", 50_000)
	theirs, loot, mine := owner.email, fresh("loot"), fresh("ngozi-new")
	stolen := time.Now()
	thief := thiefOf(owner)
	thief.movesTo(loot)
	musa := bankOf(t, i, "Musa", "Danladi")
	must[object](thief, "POST", updateInfo, object{"email": loot, "bankAccountNumber": musa.Account, "bankCode": musa.BankCode})
	undo := thief.letterWith(loot, "/undo") // The thief's own way back.

	found := must[[]object](sade, "POST", remediesDesk+"/members", object{"email": theirs, "case": "C-17"})
	require.Len(t, found, 1, "by the address that the thief took")
	require.Equal(t, []any{owner.id, "l•••@example.com"}, []any{found[0]["userId"], found[0]["email"]})
	proposal := giving(owner.id, mine, stolen)
	first := must[object](sade, "POST", remediesDesk, proposal, "Idempotency-Key", "give ngozi back")
	again := must[object](sade, "POST", remediesDesk, proposal, "Idempotency-Key", "give ngozi back")
	require.Equal(t, first["remedyId"], again["remedyId"], "a retry proposes nothing more")
	owner.gets(theirs, "Somebody asked us for your account")
	owner.gets(loot, "Somebody asked us for your account")

	r := uche.agreesTo(owner.id)
	require.Equal(t, 200, r.status, r.Message)
	thief.expired(thief.ask("GET", "/api/v1/account/sessions", nil), "the thief's session")
	r = nobody(t, owner.base).ask("POST", "/api/v1/account/undo", object{"token": undo})
	require.Equal(t, 400, r.status, "the thief's link undoes nothing: %s", r.Message)
	r = nobody(t, owner.base).ask("POST", "/api/Account/GetToken", object{"email": mine, "password": password}, "X-Session-Binding", "header")
	require.Equal(t, 400, r.status, "no password works until another is chosen: %s", r.Message)
	owner.resets(mine)
	got := must[object](owner, "GET", "/api/Account/GetUserInfoById/"+owner.id, nil)
	require.Equal(t, []any{mine, at.Account}, []any{got["email"], got["bankAccountNumber"]}, "and the bank account of before")
	must[any](owner, "POST", stepUp, object{"password": another})
	r = owner.withdraws(5_000)
	require.Equal(t, 409, r.status, r.Message)
	require.Contains(t, r.Message, "nothing leaves it for a bank until")
	require.Equal(t, "50000.00", owner.balance())
	for _, to := range []string{theirs, loot} {
		owner.gets(to, "Your account was given back")
	}
	require.Equal(t, 404, uche.ask("POST", remediesDesk+"/"+first["remedyId"].(string)+"/decline", nil).status, "nothing waits any more")
}

// Between the proposal and the agreement a thief would empty the account.
func TestNothingLeavesAnAccountWhileItIsProposedToGiveItBack(t *testing.T) {
	t.Parallel()
	i := product(t)
	sade, _ := desk(t, i)
	owner, _ := withdrawer(t, i, "Ngozi", 50_000)
	first := must[object](sade, "POST", remediesDesk, giving(owner.id, fresh("mine"), time.Now().Add(-time.Hour)))
	r := owner.withdraws(5_000)
	require.Equal(t, 409, r.status, r.Message)
	require.Contains(t, r.Message, "One of our staff proposes to give this account to a person who says that it is theirs")
	owner.gets(owner.email, "for up to 72 hours, nothing leaves the account for a bank")
	must[any](sade, "POST", remediesDesk+"/"+first["remedyId"].(string)+"/decline", nil)
	r = owner.withdraws(5_000)
	require.Equal(t, 200, r.status, r.Message)
}

// An agreement is recorded before anything is done. Cut short there, a job does the rest, once: the password that the
// owner has chosen by then stays.
func TestAnAgreementThatWasCutShortIsDoneOnce(t *testing.T) {
	t.Parallel()
	i := product(t)
	sade, uche := desk(t, i)
	owner := somebody(t, i, "Ngozi")
	mine, stolen := fresh("ngozi-new"), time.Now()
	thief := thiefOf(owner)
	thief.movesTo(fresh("loot"))
	first := must[object](sade, "POST", remediesDesk, giving(owner.id, mine, stolen))
	agree := remedy.Agree{Desk: remedy.Desk{Staff: uche.id, User: owner.id}, RemedyID: first["remedyId"].(string), Hold: remedy.Hold, At: time.Now()}
	_, err := i.App.Record(t.Context(), usecase.Who{User: uche.id}, store.NewCommandID(), owner.id, store.Fingerprint("agree"), agree)
	require.NoError(t, err) // And here the process died.
	require.NoError(t, i.App.Remedies.Settle(t.Context()))
	thief.expired(thief.ask("GET", "/api/v1/account/sessions", nil), "the thief's session")
	owner.resets(mine)
	_, err = i.Pool.Exec(t.Context(), "UPDATE remedies SET ended_at = NULL WHERE id = $1", first["remedyId"]) // Or before it was noted.
	require.NoError(t, err)
	require.NoError(t, i.App.Remedies.Settle(t.Context()))
	require.Equal(t, 200, owner.ask("GET", "/api/v1/account/sessions", nil).status, "the owner's session goes on")
}

func TestNobodyWithAPartInItGivesAnAccountBack(t *testing.T) {
	t.Parallel()
	i := own(t)
	sade, uche := desk(t, i)
	owner, other := somebody(t, i, "Ngozi"), somebody(t, i, "Musa")
	stolen := time.Now().Add(-time.Hour)
	r := sade.ask("POST", remediesDesk, giving(sade.id, fresh("mine"), stolen))
	require.Equal(t, 403, r.status, "her own account: %s", r.Message)
	r = sade.ask("POST", remediesDesk, giving(owner.id, other.email, stolen))
	require.Equal(t, 409, r.status, "another's address: %s", r.Message)
	r = sade.ask("POST", remediesDesk, object{"userId": owner.id, "kind": "GIVE_BACK", "case": "C-17", "reason": "short", "newEmail": "x", "since": stolen.Format(time.RFC3339)})
	require.Equal(t, 400, r.status, r.Message)
	require.Equal(t, 403, owner.ask("POST", remediesDesk, giving(owner.id, fresh("mine"), stolen)).status, "a member proposes nothing")

	must[object](uche, "POST", remediesDesk, giving(owner.id, fresh("mine"), stolen))
	r = uche.agreesTo(owner.id)
	require.Equal(t, 403, r.status, "an Admin does not agree to what they proposed: %s", r.Message)
	require.Equal(t, 403, sade.agreesTo(owner.id).status, "Support agrees to nothing")
	yemi := staff(t, i, "Yemi", people.RoleAdmin).stepsUp()
	seen := yemi.waitsFor(owner.id)
	agree := remediesDesk + "/" + seen["remedyId"].(string) + "/agree"
	thiefOf(owner).movesTo(fresh("loot"))
	r = yemi.ask("POST", agree, object{"seen": seen["version"]})
	require.Equal(t, 409, r.status, "the account moved since: %s", r.Message)
	require.Contains(t, r.Message, "changed since you looked")
	r = yemi.ask("POST", agree, object{"seen": ""})
	require.Equal(t, 400, r.status, r.Message)
	r = uche.ask("POST", remediesDesk+"/"+seen["remedyId"].(string)+"/decline", nil)
	require.Equal(t, 200, r.status, r.Message)
	require.Equal(t, 404, yemi.ask("POST", agree, object{"seen": seen["version"]}).status, "it is declined")

	c := found(t, i)
	c.admitsAll(sade)
	r = sade.ask("POST", remediesDesk, giving(c.member.id, fresh("mine"), stolen))
	require.Equal(t, 403, r.status, "she is in a group with the member: %s", r.Message)
	require.Contains(t, r.Message, "in a group or an ajo with this member")
}

func TestAFrozenAccountIsGivenBackFrozenAndAnUndoLinkIsNoWayAroundIt(t *testing.T) {
	t.Parallel()
	i := product(t)
	sade, uche := desk(t, i)
	owner := somebody(t, i, "Ngozi").funded(5_000)
	theirs, stolen := owner.email, time.Now()
	thief := thiefOf(owner)
	thief.movesTo(fresh("loot"))
	must[any](thief, "POST", "/api/v1/account/freeze", nil)
	undo := owner.letterWith(theirs, "/undo")
	must[object](sade, "POST", remediesDesk, giving(owner.id, theirs, stolen))
	before := uche.waitsFor(owner.id)
	require.Equal(t, 200, nobody(t, owner.base).ask("POST", "/api/v1/account/undo", object{"token": undo}).status, "the owner finds the letter meanwhile")
	r := uche.ask("POST", remediesDesk+"/"+before["remedyId"].(string)+"/agree", object{"seen": before["version"]})
	require.Equal(t, 409, r.status, "the account is at another address by now: %s", r.Message)
	r = uche.agreesTo(owner.id)
	require.Equal(t, 200, r.status, r.Message)
	owner.resets(theirs)
	require.Equal(t, true, must[object](owner, "GET", "/api/v1/account/freeze", nil)["frozen"])
	require.Equal(t, theirs, must[object](owner, "GET", "/api/Account/GetUserInfoById/"+owner.id, nil)["email"])
}

func TestAnotherBvnIsVerifiedOnceTwoOfStaffLetItIn(t *testing.T) {
	t.Parallel()
	i := product(t)
	sade, uche := desk(t, i)
	owner, at := withdrawer(t, i, "Ngozi", 50_000)
	_, taken := somebody(t, i, "Ngozi").banked(i, "Ngozi")
	lookUp := func(bvn string) reply {
		return owner.ask("POST", bvnLookUp, object{"account_number": at.Account, "bank_code": at.BankCode, "first_name": "Ngozi", "last_name": "Test", "bvn": bvn})
	}
	must[object](sade, "POST", remediesDesk, object{"userId": owner.id, "kind": "ANOTHER_BVN", "case": "C-18", "reason": proven})
	owner.gets(owner.email, "Somebody asked for another BVN")
	r := uche.agreesTo(owner.id)
	require.Equal(t, 200, r.status, r.Message)
	owner.gets(owner.email, "Another BVN is let in")
	mine := must[object](owner, "GET", "/api/Account/GetUserInfoById/"+owner.id, nil)
	require.Equal(t, []any{"NONE", false}, []any{mine["bvnStatus"], mine["bvnVerified"]})
	r = owner.ask("POST", updateInfo, object{"email": owner.email, "firstName": "Musa"})
	require.Equal(t, 409, r.status, "the name stays: %s", r.Message)
	r = lookUp(taken.BVN)
	require.Equal(t, 409, r.status, "another person's BVN: %s", r.Message)
	require.Contains(t, r.Message, "in use already")
	next := bankOf(t, i, "Ngozi", "Test")
	must[object](owner, "POST", updateInfo, object{"email": owner.email, "bankAccountNumber": next.Account, "bankCode": next.BankCode})
	at = next
	r = lookUp(next.BVN)
	require.Equal(t, "Your BVN has been verified successfully", r.Message)
	r = owner.withdraws(5_000)
	require.Equal(t, 409, r.status, r.Message)
	require.Contains(t, r.Message, "nothing leaves it for a bank until")
	r = sade.ask("POST", remediesDesk, object{"userId": owner.id, "kind": "ANOTHER_BVN", "case": "C-18", "reason": proven})
	require.Equal(t, 200, r.status, "it may be let in again: %s", r.Message)
}

// Another account may take the agreed address before the account goes there. The thief is out all the same, and the
// desk proposes another address.
func TestAnAccountWhoseAgreedAddressIsTakenLeavesTheThiefAndWaitsForAnother(t *testing.T) {
	t.Parallel()
	i := product(t)
	sade, uche := desk(t, i)
	owner := somebody(t, i, "Ngozi")
	mine, second, loot, stolen := fresh("ngozi-new"), fresh("ngozi-second"), fresh("loot"), time.Now()
	thief := thiefOf(owner)
	thief.movesTo(loot)
	first := must[object](sade, "POST", remediesDesk, giving(owner.id, mine, stolen))
	thiefOf(somebody(t, i, "Eve")).movesTo(mine)
	agree := remedy.Agree{Desk: remedy.Desk{Staff: uche.id, User: owner.id}, RemedyID: first["remedyId"].(string), Hold: remedy.Hold, At: time.Now()}
	_, err := i.App.Record(t.Context(), usecase.Who{User: uche.id}, store.NewCommandID(), owner.id, store.Fingerprint("agree"), agree)
	require.NoError(t, err) // And here the process died.
	r := sade.ask("POST", remediesDesk, giving(owner.id, second, stolen))
	require.Equal(t, 200, r.status, "another address is proposed: %s", r.Message)
	require.NoError(t, i.App.Remedies.Settle(t.Context()))
	thief.expired(thief.ask("GET", "/api/v1/account/sessions", nil), "the thief's session")
	r = nobody(t, owner.base).ask("POST", "/api/Account/GetToken", object{"email": loot, "password": password}, "X-Session-Binding", "header")
	require.Equal(t, 400, r.status, "the thief's password works no more: %s", r.Message)
	require.Equal(t, 200, nobody(t, owner.base).ask("POST", "/api/Account/SendPasswordResetLink", object{"email": loot}).status)
	require.Empty(t, lettersTo(t, i, loot, "Choose a new Adashi password"), "the thief's mailbox gets no link")
	require.True(t, sade.waitsFor(owner.id)["member"].(object)["needsAddress"].(bool), "the desk sees it")
	r = uche.agreesTo(owner.id)
	require.Equal(t, 200, r.status, r.Message)
	owner.resets(second)
	found := must[[]object](sade, "POST", remediesDesk+"/members", object{"email": second, "case": "C-17"})
	require.Equal(t, false, found[0]["needsAddress"])
}

func TestADeclineThatIsRepeatedUnderItsKeyIsAnsweredAgain(t *testing.T) {
	t.Parallel()
	i := product(t)
	sade, _ := desk(t, i)
	owner := somebody(t, i, "Ngozi")
	first := must[object](sade, "POST", remediesDesk, giving(owner.id, fresh("mine"), time.Now().Add(-time.Hour)))
	path, key := remediesDesk+"/"+first["remedyId"].(string)+"/decline", askable()
	for range 2 {
		r := sade.ask("POST", path, nil, "Idempotency-Key", key)
		require.Equal(t, 200, r.status, r.Message)
	}
	require.Equal(t, 404, sade.ask("POST", path, nil).status, "under another key nothing waits any more")
}

func TestStaffWhoWereInAGroupWithTheMemberDecideNothingOnceBothHaveLeft(t *testing.T) {
	t.Parallel()
	i := product(t)
	sade, _ := desk(t, i)
	owner, chief := somebody(t, i, "Ngozi"), somebody(t, i, "Chidi")
	group := uuid.NewString()
	past := []event.Command{savings.CreateGroup{GroupID: group, Owner: chief.id, Name: "Traders", Amount: 5_000_00, Capacity: 9, StartMonth: 11, Now: time.Now()}}
	for _, user := range []string{owner.id, sade.id} {
		past = append(past, savings.JoinGroup{GroupID: group, User: user}, savings.ApproveMember{GroupID: group, User: user, By: chief.id}, dues.LeaveGroup{GroupID: group, User: user, Now: time.Now()})
	}
	for _, c := range past {
		_, err := i.App.Record(t.Context(), usecase.Who{User: chief.id}, store.NewCommandID(), group, store.Fingerprint("past"), c)
		require.NoError(t, err)
	}
	require.Eventually(t, func() bool {
		in, err := groups.Ever(t.Context(), i.Pool, sade.id)
		return err == nil && len(in) == 1
	}, 30*time.Second, 20*time.Millisecond)
	r := sade.ask("POST", remediesDesk, giving(owner.id, fresh("mine"), time.Now().Add(-time.Hour)))
	require.Equal(t, 403, r.status, r.Message)
	require.Contains(t, r.Message, "You are, or were, in a group")
}

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajocard"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails/sandbox"
)

// refusesParty holds that somebody who works at the desk is refused each look at a case, and each act.
func refusesParty(t *testing.T, by *person, at string) {
	t.Helper()
	for path, body := range map[string]any{
		"POST /take": object{}, "GET ": nil, "GET /plan": nil, "GET /bank-answer": nil, "POST /ask": object{"words": "What was it?"},
		"POST /resolve": object{"upheld": false, "words": "All of it is right as it is."}, "POST /plan": object{"steps": []object{{"kind": "ADJUST", "amount": 1}}, "words": "For nothing at all."},
		"GET /replay?subject=MEMBER": nil, "GET /steps?subject=MEMBER": nil, "POST /labs": object{"subject": "MEMBER", "edits": []object{}}, "GET /labs": nil,
		"POST /names": object{"userIds": []string{by.id}, "reason": "To see who they are."}, "POST /plan/preview": object{"steps": []object{{"kind": "ADJUST", "amount": 1}}},
	} {
		method, rest, _ := strings.Cut(path, " ")
		assert.Equal(t, 403, by.ask(method, at+rest, body).status, path)
	}
}

// movementOf is the latest movement of a kind.
func (p *person) movementOf(kind string) (id string) {
	p.Helper()
	require.Eventually(p, func() bool {
		for _, m := range must[object](p, "GET", "/api/v1/activity?limit=50", nil)["transactions"].([]any) {
			if m.(object)["kind"] == kind {
				id = m.(object)["id"].(string)
			}
		}
		return id != ""
	}, time.Minute, 20*time.Millisecond)
	return id
}

// atDesk has somebody work for Support.
func (p *person) atDesk(i *boot.Instance, role string) *person {
	p.Helper()
	require.NoError(p, people.GrantRole(context.Background(), i.Pool, p.email, role))
	p.logIn()
	return p
}

// disputesMovement opens a dispute about a movement, and answers its case.
func (p *person) disputesMovement(kind string) (at string) {
	p.Helper()
	form := object{"kind": "NOT_CREDITED", "words": "I was not given all that I had paid in.", "movementId": p.movementOf(kind)}
	return casesPath + "/" + must[object](p, "POST", disputesPath, form)["id"].(string)
}

// The member's place was sold: they are in the ajo no more, and it stays what the case is about.
func TestACaseOfAMemberWhoLeftAnAjoIsNotForItsOwner(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := listed(t, jobless(t))
	r.draws()
	for n := range r.people {
		_ = r.pays(2, n, n, 1, r.due(n)) // Whose pot it is need not.
	}
	seller := 1
	if r.turn(1)[0] == seller {
		seller = 4
	}
	seat := r.seat(seller)
	_, _, err := r.at(2.2).OpenPlace(ctx, r.who(seller), r.id, seat)
	require.NoError(t, err)
	buyer := somebody(t, r.i, "Kola").funded(100_000)
	buyer.banked(r.i, "Kola")
	left, owner := r.people[seller], r.people[0]
	r.people = append(r.people, buyer)
	price := r.due(seller) // What the place has paid in.
	code := r.i.App.Ajo.InvitationCode(r.id)
	data := must[object](buyer, "GET", "/api/Ajo/GetAjoDataById/"+r.id+"?code="+code, nil)
	_, _, err = r.at(2.3).TakePlace(ctx, r.who(len(r.people)-1), r.id, contract.TakeAjoPlaceRequest{
		Code: &code, Email: buyer.email, FromUserId: left.id, Seat: seat, TermsHash: data["termsHash"].(string), Price: amountOf(price),
	})
	require.NoError(t, err)
	at := left.disputesMovement("AJO_CONTRIBUTION")
	refusesParty(t, owner.atDesk(r.i, people.RoleSupport), at)
	refusesParty(t, buyer.atDesk(r.i, people.RoleSupport), at)
	sade := staff(t, r.i, "Sade", people.RoleSupport)
	must[object](sade, "POST", at+"/take", nil)
	require.Equal(t, "Balogun weekly", must[object](sade, "GET", at, nil)["ajoName"])
}

func TestACaseAboutASavingsCardIsNotForItsCollector(t *testing.T) {
	t.Parallel()
	i := product(t)
	saver, alajo := somebody(t, i, "Saver"), somebody(t, i, "Alajo")
	saver.funded(5000).banked(i, "Saver")
	alajo.funded(5000).banked(i, "Alajo")
	made := must[object](saver, "POST", "/api/v1/ajo/cards", object{"name": "Rent", "amount": 200, "frequency": "DAILY", "boxes": 31})
	card := made["id"].(string)
	must[object](saver, "POST", "/api/v1/ajo/cards/"+card+"/collector", object{"email": alajo.email, "commission": true, "seen": made["collectorVersion"]})
	require.Eventually(t, func() bool { return alajo.tellings("ajo_card_collector") == 1 }, time.Minute, 20*time.Millisecond)
	must[object](saver, "POST", "/api/v1/ajo/cards/"+card+"/fill", object{"boxes": 2, "userId": saver.id})
	at := saver.disputesMovement("AJO_CARD_FILLED")
	longAgo(t, i, time.Now(), ledgertest.Raw{event.On(ajocard.Stream(card), &nairav1.AjoCardCollectorSet{CardId: card, UserId: saver.id})}) // Who collected once.
	refusesParty(t, alajo.atDesk(i, people.RoleSupport), at)
	must[object](staff(t, i, "Sade", people.RoleSupport), "POST", at+"/take", nil)
}

// Who joins the group while they have the case sees nothing more of it.
func TestAnOfficialOfTheGroupReadsNothingOfItsCase(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	must[object](w.sade, "POST", w.at+"/plan", w.steps())
	refusesParty(t, w.ada.atDesk(w.i, people.RoleAdmin), w.at)
	require.Equal(t, 403, w.ada.stepsUp().ask("POST", w.at+"/plan/approve", object{"planId": w.plan(w.sade)["id"]}).status)
	must[object](w.sade, "GET", w.at+"/steps?subject=MEMBER", nil)
	longAgo(t, w.i, time.Now(), savings.JoinGroup{GroupID: w.group, User: w.sade.id})
	refusesParty(t, w.sade, w.at)
}

func TestACaseIsNotForTheGuardianOfItsMember(t *testing.T) {
	t.Parallel()
	i := product(t)
	young, parent := of17(t, i), staff(t, i, "Bola", people.RoleSupport)
	must[any](young, "POST", "/api/v1/account/guardian", object{"name": "Bola Staff", "email": parent.email, "relationship": "PARENT"})
	at := casesPath + "/" + must[object](young, "POST", disputesPath, claims(300, nil))["id"].(string)
	require.Equal(t, 200, parent.ask("GET", at, nil).status, "whom they only named")
	link := guardianInMail.FindStringSubmatch(young.page("/dev/inbox?to=" + url.QueryEscape(parent.email)))
	require.Len(t, link, 2)
	must[any](nobody(t, i.Address), "POST", "/api/v1/account/guardian/consent", object{"token": link[1], "accept": true, "name": "Bola Staff"})
	refusesParty(t, parent, at)
}

// A guardian is a person, not an address. A guardian who moves their account to another address still decides about
// neither case nor account of their ward. A ward cannot name an earlier address of their own as the guardian's.
func TestAGuardianWhoMovedToAnotherAddressStaysTheGuardian(t *testing.T) {
	t.Parallel()
	i := product(t)
	young, parent := of17(t, i), staff(t, i, "Bola", people.RoleSupport)
	was := young.email
	young.stepsUp().movesTo(fresh("tola-new"))
	r := young.ask("POST", "/api/v1/account/guardian", object{"name": "Tola Test", "email": was, "relationship": "PARENT"})
	require.Equal(t, 400, r.status, "an address of their own: %s", r.Message)
	must[any](young, "POST", "/api/v1/account/guardian", object{"name": "Bola Staff", "email": parent.email, "relationship": "PARENT"})
	at := casesPath + "/" + must[object](young, "POST", disputesPath, claims(300, nil))["id"].(string)
	link := guardianInMail.FindStringSubmatch(young.page("/dev/inbox?to=" + url.QueryEscape(parent.email)))
	require.Len(t, link, 2)
	must[any](nobody(t, i.Address), "POST", "/api/v1/account/guardian/consent", object{"token": link[1], "accept": true, "name": "Bola Staff"})
	parent.stepsUp().movesTo(fresh("bola-new"))
	refusesParty(t, parent, at)
	r = parent.ask("POST", remediesDesk, giving(young.id, fresh("tola-other"), time.Now().Add(-time.Hour)))
	require.Equal(t, 403, r.status, r.Message)
	require.Contains(t, r.Message, "Another of the desk")
}

func TestACardsDisputeAboutADueNamesItsGroupAndIsNotForItsMembers(t *testing.T) {
	t.Parallel()
	i, ctx := own(t), context.Background()
	desk := staff(t, i, "Sade", people.RoleSupport)
	c := found(t, i)
	c.admitsAll(desk)
	payment := must[object](c.member, "POST", rail, object{"amount": 5000, "subAccountId": c.sub, "userId": c.member.id, "monthId": lagosMonth(), "channel": "CARD"})
	c.member.paysWith(payment, "0.00")
	_, err := i.Bank.Disputes(ctx, sandbox.CardDispute{Reference: payment["transactionRef"].(string), Category: "fraud"})
	require.NoError(t, err)
	c.member.told("card_disputed")
	at := casesPath + "/" + disputesOf(c.member)[0]["id"].(string)
	refusesParty(t, desk, at)
	require.Equal(t, c.group, must[object](staff(t, i, "Yemi", people.RoleSupport), "GET", at, nil)["groupId"])
}

// Ada paid Bisi's due, and Bisi paid Ada's: each is in the other's history.
func TestTheTimeMachineOfAMemberTellsNobodyElsesBalance(t *testing.T) {
	t.Parallel()
	w := newWronged(t)
	w.ada.funded(98_765)
	w.bisi.funded(6_000)
	now := time.Now()
	longAgo(t, w.i, now, dues.Cover{GroupID: w.group, SubAccountID: w.sub, User: w.bisi.id, By: w.ada.id, Amount: 5250 * money.Naira, At: now})
	longAgo(t, w.i, now, dues.Cover{GroupID: w.group, SubAccountID: w.sub, User: w.ada.id, By: w.bisi.id, Amount: 1234 * money.Naira, At: now})
	seen := 0
	for _, step := range must[object](w.sade, "GET", w.at+"/steps?subject=MEMBER&back=true&limit=100", nil)["steps"].([]any) {
		s := step.(object)
		if s["title"] != "Contribution covered" {
			continue
		}
		seen++
		var body object
		require.NoError(t, json.Unmarshal([]byte(s["body"].(string)), &body))
		_, told := body["memberTotalKobo"]
		require.Equal(t, body["userId"] == w.bisi.id, told, "what Ada has saved")
		for _, entry := range s["entries"].([]any) {
			_, told := entry.(object)["balance"]
			require.Equal(t, entry.(object)["account"] == "wallet:"+w.bisi.id, told, "%v", entry)
		}
	}
	require.Equal(t, 2, seen)
	replay := must[object](w.sade, "GET", w.at+"/replay?subject=MEMBER", nil)
	require.Contains(t, fmt.Sprint(replay["states"]), "dues:"+w.sub+":"+w.bisi.id)
	lab := must[object](w.sade, "POST", w.at+"/labs", object{"subject": "MEMBER", "edits": []object{{"kind": "ABSENT", "position": w.fineAt()}}})
	for _, told := range []any{replay["accounts"], replay["states"], lab["accounts"], lab["states"]} {
		for _, name := range []string{"wallet:" + w.ada.id, "dues:" + w.sub + ":" + w.ada.id, "account:" + w.ada.id} {
			require.NotContains(t, fmt.Sprint(told), name)
		}
	}
	require.Zero(t, eventsOf(t, w.i.Pool, w.ada.id, "StaffActed"), "and nobody has looked at Ada's money")
}

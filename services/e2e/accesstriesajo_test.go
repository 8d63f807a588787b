package e2e

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

// circle is an ajo of the crowd's owner and the members of their group, whose list is sealed: nobody can leave it, and
// nothing of it changes whoever asks.
func (c crowd) circle(t *testing.T) string {
	t.Helper()
	people := []*person{c.owner, c.kinds["approver"], c.kinds["validator"], c.member}
	for _, p := range people {
		if account := must[object](p, "GET", "/api/Account/GetUserInfoById/"+p.id, nil); account["bvnVerified"] != true {
			p.banked(c.i, account["firstName"].(string))
		}
	}
	next := time.Now().AddDate(0, 1, 0)
	made := must[object](c.owner, "POST", "/api/Ajo/CreateExistingGroupAjo", object{
		"name": "Crowd's ajo", "description": "", "type": "GROUP", "amount": 5000, "duration": len(people), "memberCapacity": len(people),
		"startMonthId": int(next.Month()), "year": next.Year(), "email": c.owner.email, "hands": "1", "nonce": strings.Repeat("01", 16),
	})
	id := made["id"].(string)
	code := c.i.App.Ajo.InvitationCode(id)
	for n, p := range people[1:] {
		must[object](p, "POST", "/api/Ajo/JoinAjoGroup", object{
			"ajoId": id, "code": code, "hands": "1", "termsHash": made["termsHash"], "nonce": strings.Repeat(fmt.Sprintf("%02x", n+2), 16), "email": p.email,
		})
	}
	must[object](c.owner, "POST", "/api/v1/ajo/"+id+"/close", object{})
	return id
}

// ofTheAjo asks about the crowd's ajo.
func ofTheAjo(what string, body any) func(crowd, *person, *person) call {
	return func(c crowd, _, _ *person) call { return call{path: "/api/v1/ajo/" + c.ajo + what, body: body} }
}

// terms are what an ajo may be founded on, and founds none.
var terms = object{"amount": 5000, "duration": 4, "startMonthId": 13, "year": 2027}

func init() {
	own := "/api/v1/ajo/:id"
	maps.Copy(tries, map[string]func(crowd, *person, *person) call{
		"GET /api/Ajo/GetAjoById/:id": func(c crowd, _, _ *person) call { return call{path: "/api/Ajo/GetAjoById/" + c.ajo} },
		"GET /api/Ajo/GetAjoDataById/:id": func(c crowd, _, _ *person) call {
			return call{path: "/api/Ajo/GetAjoDataById/" + c.ajo + "?code=" + c.i.App.Ajo.InvitationCode(c.ajo)}
		},
		"GET /api/Ajo/GetUserAjoGroups": func(_ crowd, _, w *person) call { return call{path: "/api/Ajo/GetUserAjoGroups?userId=" + w.id} },
		"POST /api/Ajo/SendAjoInvitationLink": func(c crowd, p, _ *person) call {
			return call{body: object{"ajoId": c.ajo, "emails": []string{"new@example.com"}, "userEmail": p.email}}
		},
		"GET /api/Ajo/member-contribution/:id": func(c crowd, _, _ *person) call { return call{path: "/api/Ajo/member-contribution/" + c.ajo} },
		"POST /api/Ajo/ajo-payment-history":    func(_ crowd, _, w *person) call { return call{body: object{"userId": w.id}} },
		"GET /api/Ajo/member": func(c crowd, _, _ *person) call {
			return call{path: "/api/Ajo/member?ajoId=" + c.ajo + "&ajoMemberId=" + c.member.id}
		},
		"POST /api/Payment/ajo-liquidation-request": func(c crowd, p, _ *person) call {
			return call{body: object{"ajoId": c.ajo, "cycle": 1, "amount": 1, "destination": "WALLET", "userId": p.id}}
		},
		"POST " + own + "/terms":        ofTheAjo("/terms", terms),
		"POST " + own + "/terms/accept": ofTheAjo("/terms/accept", object{"termsHash": strings.Repeat("00", 32)}),
		"POST " + own + "/leave":        ofTheAjo("/leave", nil),
		"POST " + own + "/cancel":       ofTheAjo("/cancel", object{"reason": "see www.example.com"}),
		"POST " + own + "/close":        ofTheAjo("/close", nil),
		"POST " + own + "/past":         ofTheAjo("/past", object{"existing": []object{}}),
		"POST " + own + "/past/answer":  ofTheAjo("/past/answer", object{"confirmed": true}),
		"POST " + own + "/beacon":       ofTheAjo("/beacon", object{"signature": strings.Repeat("ab", 48)}),
		"GET " + own + "/draw":          func(c crowd, _, _ *person) call { return call{path: "/api/v1/ajo/" + c.ajo + "/draw", absent: true} },
		"GET " + own + "/audit":         ofTheAjo("/audit", nil),
		"POST " + own + "/audit": func(c crowd, _, _ *person) call {
			return call{path: "/api/v1/ajo/" + c.ajo + "/audit", body: object{"marks": []object{{"id": uuid.NewString(), "mark": "VALIDATED"}}}, absent: true}
		},
		"GET " + own + "/audit.csv":             ofTheAjo("/audit.csv", nil),
		"POST " + own + "/reveal":               ofTheAjo("/reveal", object{"secret": strings.Repeat("00", 32)}),
		"POST " + own + "/order/accept":         ofTheAjo("/order/accept", nil),
		"POST " + own + "/swaps":                ofTheAjo("/swaps", object{"seat": 1, "withSeat": 2}),
		"POST " + own + "/swaps/:swap/agree":    ofNothing("/swaps/%s/agree", nil),
		"POST " + own + "/swaps/:swap/decline":  ofNothing("/swaps/%s/decline", nil),
		"POST " + own + "/votes":                ofTheAjo("/votes", object{"cycle": 1, "forSeat": 1}),
		"POST " + own + "/bids":                 ofTheAjo("/bids", object{"cycle": 1, "seat": 1, "commitment": strings.Repeat("00", 32)}),
		"POST " + own + "/bids/reveal":          ofTheAjo("/bids/reveal", object{"cycle": 1, "seat": 1, "discount": 100, "salt": "00"}),
		"POST " + own + "/motions":              ofTheAjo("/motions", object{"kind": "PAUSE", "reason": "Because of it"}),
		"POST " + own + "/motions/:motion/vote": ofNothing("/motions/%s/vote", object{"agrees": true}),
		"POST " + own + "/pay":                  paysAjo,
		"POST " + own + "/debts/:debt/forgive":  ofNothing("/debts/%s/forgive", nil),
		"POST " + own + "/consent":              ofTheAjo("/consent", object{"dues": true, "sweep": false}),
		"GET " + own + "/payouts/:cycle": func(c crowd, _, _ *person) call {
			return call{path: "/api/v1/ajo/" + c.ajo + "/payouts/1", absent: true}
		},
		"POST " + own + "/payouts/:cycle/approve": ofTheAjo("/payouts/1/approve", nil),
		"POST " + own + "/payouts/:cycle/refuse":  ofTheAjo("/payouts/1/refuse", object{"refusal": "DEBT", "reason": "They owe me"}),
		"POST " + own + "/places/open":            ofTheAjo("/places/open", object{"seat": 1}),
		"POST " + own + "/places/keep":            ofTheAjo("/places/keep", object{"seat": 1}),
		"GET " + own + "/book.csv":                ofTheAjo("/book.csv", nil),
		"GET /api/v1/ajo/cards/:id":               ofNoCard("", nil),
		"POST /api/v1/ajo/cards/:id/fill":         ofNoCard("/fill", object{"boxes": 1}),
		"POST /api/v1/ajo/cards/:id/collector":    ofNoCard("/collector", object{}),
		"POST /api/v1/ajo/cards/:id/break":        ofNoCard("/break", object{"amount": 1}),
	})
}

// ofNothing asks for a part of the crowd's ajo that is not there.
func ofNothing(what string, body any) func(crowd, *person, *person) call {
	return func(c crowd, _, _ *person) call {
		return call{path: "/api/v1/ajo/" + c.ajo + fmt.Sprintf(what, uuid.NewString()), body: body, absent: true}
	}
}

// ofNoCard asks for a card that is nobody's.
func ofNoCard(what string, body object) func(crowd, *person, *person) call {
	return func(_ crowd, p, _ *person) call {
		asked := body
		if asked != nil && what != "/collector" {
			asked = maps.Clone(body)
			asked["userId"] = p.id
		}
		return call{path: "/api/v1/ajo/cards/" + uuid.NewString() + what, body: asked, absent: true}
	}
}

// paysAjo pays the own seat's due, which is not open yet.
func paysAjo(c crowd, p, _ *person) call {
	seat := 1
	for n, member := range []*person{c.owner, c.kinds["approver"], c.kinds["validator"], c.member} {
		if member.id == p.id {
			seat = n + 1
		}
	}
	return call{path: "/api/v1/ajo/" + c.ajo + "/pay", body: object{"what": "DUE", "amount": 1, "cycle": 1, "seat": seat, "userId": p.id}}
}

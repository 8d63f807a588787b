package e2e

import (
	"net/url"
	"strings"

	"github.com/google/uuid"
)

// call is how a row of the table is tried.
type call struct {
	path   string // The row's own when empty.
	body   any    // {} when nil, which is read after the session and refused as 400.
	as     *person
	absent bool // What it asks for is not there, or not signed: 403 and 404 say nothing about who asks.
}

// tries are the calls that need more than their path and {}: p asks about whose things. Rows of no entry are asked as
// they are, and about nobody.
var tries = map[string]func(c crowd, p, whose *person) call{
	"GET /api/Account/GetUserInfoById/:id": func(_ crowd, _, w *person) call { return call{path: "/api/Account/GetUserInfoById/" + w.id} },
	"POST /api/v1/account/logout":          func(_ crowd, p, _ *person) call { return call{as: p.again()} },
	"POST /api/v1/account/step-up":         func(_ crowd, p, _ *person) call { return call{as: p.again(), body: object{"password": password}} },
	"DELETE /api/v1/account/sessions/:id":  endsSession,
	"POST /api/Account/ChangePassword":     changesPassword,
	"POST /api/Account/ChangeAvatar":       ofEmail(object{"image": ""}),
	"POST /api/Account/UpdateUserInfo":     ofEmail(nil),
	"POST /api/Account/UpdateUserSettings": ofEmail(object{"settings": object{"inApp": true, "email": true, "mutedInApp": []string{}, "mutedEmail": []string{}}}),
	"GET /api/v1/files/:id": func(crowd, *person, *person) call {
		return call{path: "/api/v1/files/" + uuid.NewString(), absent: true}
	},
	"POST /api/v1/webhooks/paystack":        func(crowd, *person, *person) call { return call{absent: true} },
	"POST /api/v1/webhooks/rails/:provider": func(crowd, *person, *person) call { return call{path: "/api/v1/webhooks/rails/nobody", absent: true} },
	"POST /api/v1/webhooks/rails/:provider/:secret": func(crowd, *person, *person) call {
		return call{path: "/api/v1/webhooks/rails/vfd/guess", absent: true}
	},
	"POST /api/v1/webhooks/vfd/:secret": func(crowd, *person, *person) call { return call{path: "/api/v1/webhooks/vfd/guess", absent: true} },
	"GET /api/Ledger/checkpoint":        func(crowd, *person, *person) call { return call{absent: true} },
	"GET /api/Ledger/epochs":            func(crowd, *person, *person) call { return call{} },
	"GET /api/Ledger/consistency": func(crowd, *person, *person) call {
		return call{path: "/api/Ledger/consistency?from=1&to=1", absent: true}
	},
	"GET /api/v1/witness/cosignatures": func(crowd, *person, *person) call {
		return call{path: "/api/v1/witness/cosignatures?position=1"}
	},
	"POST /api/Wallet/FundWalletVfd":            ofEmail(object{"amount": 300}),
	"GET /api/Wallet/GetWalletBalance/":         ofQuery("/api/Wallet/GetWalletBalance/"),
	"GET /api/Wallet/get-user-balance":          ofQuery("/api/Wallet/get-user-balance"),
	"GET /api/Wallet/GetUserWalletTransactions": ofQuery("/api/Wallet/GetUserWalletTransactions"),
	"POST /api/Payment/verifyFirstTransaction":  func(c crowd, _, w *person) call { return call{body: object{"transactionRef": c.stands[w.id]}} },
	"GET /api/v1/activity/:id":                  ofTheMember("/api/v1/activity/", "/api/v1/activity", "items"),
	"GET /api/v1/activity/:id/receipt-file": func(crowd, *person, *person) call {
		return call{path: "/api/v1/activity/" + uuid.NewString() + "/receipt-file?format=PDF", absent: true}
	},
	"GET /api/v1/commands/:key": func(crowd, *person, *person) call { return call{path: "/api/v1/commands/" + askable()} },
	"GET /api/v1/questions":     func(crowd, *person, *person) call { return call{path: "/api/v1/questions"} },
	"GET /api/v1/questions/:id": func(crowd, *person, *person) call {
		return call{path: "/api/v1/questions/" + uuid.NewString(), absent: true}
	},
	"GET /api/v1/questions/:id/papers/:paper": func(crowd, *person, *person) call {
		return call{path: "/api/v1/questions/" + uuid.NewString() + "/papers/" + uuid.NewString(), absent: true}
	},
	"POST /api/v1/questions/:id": func(crowd, *person, *person) call {
		return call{path: "/api/v1/questions/" + uuid.NewString(), body: object{"words": "It was for March."}, absent: true}
	},
	"GET /api/v1/activity/:id/receipt": func(crowd, *person, *person) call {
		return call{path: "/api/v1/activity/" + uuid.NewString() + "/receipt", absent: true}
	},
	"GET /api/v1/activity/statement.pdf": func(crowd, *person, *person) call {
		return call{path: "/api/v1/activity/statement.pdf?from=2026-01-01&to=2026-01-31"}
	},
	"GET /api/v1/statements/:code":                   func(crowd, *person, *person) call { return call{path: "/api/v1/statements/0000", absent: true} },
	"POST /api/v1/wallet/standing-orders/:id/pause":  ofNoOrder("/pause"),
	"POST /api/v1/wallet/standing-orders/:id/resume": ofNoOrder("/resume"),
	"DELETE /api/v1/wallet/standing-orders/:id":      ofNoOrder(""),
	"GET /api/v1/payment/quote":                      func(crowd, *person, *person) call { return call{path: "/api/v1/payment/quote?amount=5000"} },
	"GET /api/Payment/verify-transaction/:reference": func(c crowd, _, w *person) call {
		if c.stands[w.id] == "" {
			return call{path: "/api/Payment/verify-transaction/" + w.id, absent: true}
		}
		return call{path: "/api/Payment/verify-transaction/" + c.stands[w.id]}
	},
	"POST /api/Payment/make-payment": func(c crowd, _, w *person) call {
		return call{body: object{"transactionRef": c.stands[w.id], "amount": 300}}
	},
	"DELETE /api/v1/wallet/cards/:id": func(crowd, *person, *person) call {
		return call{path: "/api/v1/wallet/cards/" + uuid.NewString(), absent: true}
	},
	"GET /api/v1/finance/reconciliations/:id": func(crowd, *person, *person) call {
		return call{path: "/api/v1/finance/reconciliations/" + uuid.NewString(), absent: true}
	},
	"GET /api/v1/finance/ajo-access/:id":               ofNoAsk(""),
	"GET /api/v1/finance/ajo-access/:id/papers/:paper": ofNoAsk("/papers/offer-letter"),
	"POST /api/v1/finance/ajo-access/:id/grant":        ofNoAsk("/grant"),
	"POST /api/v1/finance/ajo-access/:id/refuse":       ofNoAsk("/refuse"),
	"GET /api/Notification/:id":                        ofTheMember("/api/Notification/", "/api/Notification/all", "notifications"),
	"PATCH /api/Notification/:id":                      ofTheMember("/api/Notification/", "/api/Notification/all", "notifications"),
	"POST /api/GroupSavings/CreateGroupSavings": func(_ crowd, _, w *person) call {
		return call{body: object{"name": "Traders", "amount": 5000, "memberCapacity": 5, "startMonthId": 1, "userEmail": w.email}}
	},
	"GET /api/GroupSavings/GetUserGroupSavings/:id": func(_ crowd, _, w *person) call {
		return call{path: "/api/GroupSavings/GetUserGroupSavings/" + w.id}
	},
	"GET /api/v1/savings/search": func(crowd, *person, *person) call { return call{path: "/api/v1/savings/search?q=Balogun"} },
	"GET /api/v1/savings/invitations/:id": func(c crowd, _, _ *person) call {
		return call{path: "/api/v1/savings/invitations/" + c.group + "?code=" + c.code}
	},
	"POST /api/GroupSavings/JoinGroupSavings": func(c crowd, _, w *person) call {
		return call{body: object{"groupId": c.other(), "code": c.owner.code(c.other()), "email": w.email}}
	},
	"GET /api/GroupSavings/GetGroupSavingsInfo/:id": func(c crowd, _, _ *person) call {
		return call{path: "/api/GroupSavings/GetGroupSavingsInfo/" + c.group}
	},
	"GET /api/GroupSavings/GetGroupSubAccounts/:id": func(c crowd, _, _ *person) call {
		return call{path: "/api/GroupSavings/GetGroupSubAccounts/" + c.group}
	},
	"POST /api/GroupSavings/SubAccountPaymentVfd": func(c crowd, p, _ *person) call {
		return call{body: object{"amount": 300, "subAccountId": c.flexible, "userId": p.id, "channel": "CARD"}}
	},
	"POST /api/Wallet/make-payment-with-wallet": func(c crowd, p, _ *person) call {
		return call{body: object{"amount": 100, "subAccountId": c.flexible, "userId": p.id}}
	},
	"POST /api/v1/wallet/make-payments-with-wallet": func(c crowd, p, _ *person) call {
		return call{body: object{"userId": p.id, "payments": []object{{"amount": 100, "subAccountId": c.flexible}}}}
	},
	"POST /api/GroupSavings/CreateSubAccount": func(c crowd, p, _ *person) call {
		return call{body: object{"groupSavingsId": c.group, "name": "Levy " + uuid.NewString()[:8], "paymentType": "FLEXIBLE", "paymentFrequency": "MONTHLY", "amountPayable": 500, "userId": p.id}}
	},
	"PATCH /api/GroupSavings/ApproveGroupMember": func(c crowd, _, _ *person) call {
		return call{body: object{"groupId": c.group, "memberId": c.member.id}}
	},
	"PATCH /api/GroupSavings/SetGroupValidator": func(c crowd, _, _ *person) call {
		return call{body: object{"groupId": c.group, "memberId": c.validator.id}}
	},
	"POST /api/GroupSavings/AddGroupMember": ofGroup("", object{"email": "nobody@example.com"}),
	"POST /api/GroupSavings/SendSavingsInvitationLink": func(c crowd, p, _ *person) call {
		return call{body: object{"groupId": c.group, "emails": []string{"nobody@example.com"}, "userEmail": p.email}}
	},
	"PATCH /api/GroupSavings/DeactivateGroupMember": func(c crowd, _, _ *person) call {
		return call{body: object{"groupId": c.group, "memberId": c.validator.id}}
	},
	"POST /api/v1/savings/members/reject": func(c crowd, _, _ *person) call {
		return call{body: object{"groupId": c.group, "memberId": c.member.id}}
	},
	"POST /api/v1/savings/members/bulk": func(c crowd, _, _ *person) call {
		return call{body: object{"groupId": c.group, "action": "APPROVE", "memberIds": []string{c.member.id}}}
	},
	"GET /api/GroupSavings/pending-group-savings/:id": ofGroup("/api/GroupSavings/pending-group-savings/", nil),
	"GET /api/GroupSavings/inactive/:id":              ofGroup("/api/GroupSavings/inactive/", nil),
	"GET /api/GroupSavings/get-group-documents/:id":   ofGroup("/api/GroupSavings/get-group-documents/", nil),
	"GET /api/GroupSavings/GetGroupDetails/:id":       ofGroup("/api/GroupSavings/GetGroupDetails/", nil),
	"DELETE /api/v1/savings/documents/:id": func(crowd, *person, *person) call {
		return call{path: "/api/v1/savings/documents/" + uuid.NewString(), absent: true}
	},
	"POST /api/GroupSavings/update-balance-display": ofGroup("", object{"showTotalBalance": true}),
	"POST /api/v1/savings/groups/:id/search-view":   inGroup("/search-view", object{"findable": true, "showTerms": true, "showTotals": false}),
	"POST /api/GroupSavings/sub-account/update-balance-display": func(c crowd, _, _ *person) call {
		return call{body: object{"subAccountId": c.flexible, "showTotalToMembers": true}}
	},
	"POST /api/v1/savings/invitations/:id/accept": func(crowd, *person, *person) call {
		return call{path: "/api/v1/savings/invitations/" + uuid.NewString() + "/accept", absent: true}
	},
	"POST /api/v1/savings/invitations/:id/decline": func(crowd, *person, *person) call {
		return call{path: "/api/v1/savings/invitations/" + uuid.NewString() + "/decline", absent: true}
	},
	"GET /api/v1/savings/groups/:id/leaving": inGroup("/leaving", nil),
	"POST /api/v1/savings/groups/:id/leave":  owing("/leave"),
	"DELETE /api/v1/savings/groups/:id/approvers/:member": func(c crowd, p, _ *person) call {
		return call{path: "/api/v1/savings/groups/" + c.group + "/approvers/" + p.id}
	},
	"POST /api/v1/savings/groups/:id/ownership/offer":  ofMember("/ownership/offer"),
	"POST /api/v1/savings/groups/:id/ownership/answer": inGroup("/ownership/answer", object{"accept": true, "seen": "an offer"}),
	"POST /api/v1/savings/groups/:id/succession":       ofMember("/succession"),
	"POST /api/v1/savings/groups/:id/succession/vote":  inGroup("/succession/vote", object{"candidateId": uuid.NewString(), "seen": "a vote", "agrees": true}),
	"POST /api/v1/savings/groups/:id/cancel":           inGroup("/cancel", object{"reason": "It was a try"}),
	"POST /api/v1/savings/groups/:id/close":            inGroup("/close", object{"reason": "x"}),
	"POST /api/Operator/groups/:id/suspend":            ofStaff("/suspend"),
	"POST /api/Operator/groups/:id/resume":             ofStaff("/resume"),
	"POST /api/Operator/groups/:id/reject":             ofStaff("/reject"),
	"POST /api/v1/savings/groups/:id/approvers": func(c crowd, _, _ *person) call {
		return call{path: "/api/v1/savings/groups/" + c.group + "/approvers", body: object{"memberId": c.validator.id}}
	},
	"POST /api/GroupSavings/group-savings-liquidation-vfd": func(c crowd, p, _ *person) call {
		return call{body: object{"groupId": c.group, "subAccountId": c.sub, "amount": 100, "net": 89.25, "kind": "MEMBER_WITHDRAWAL", "reason": "School fees", "userId": p.id}}
	},
	"POST /api/v1/savings/liquidations/quote": func(c crowd, _, _ *person) call {
		return call{body: object{"subAccountId": c.sub, "amount": 100, "kind": "MEMBER_WITHDRAWAL"}}
	},
	"GET /api/GroupSavings/validate-liquidation-request/:a/:b/:c":  ofNoRequest(decides, "/reject"),
	"POST /api/GroupSavings/validate-liquidation-request/:a/:b/:c": ofNoRequest(decides, "/reject"),
	"GET /api/GroupSavings/get-savings-liquidation-request-list/:id": func(c crowd, _, _ *person) call {
		return call{path: askedOf + c.group}
	},
	"GET /api/v1/savings/liquidations/:id":         ofNoRequest(liquidations+"/", ""),
	"POST /api/v1/savings/liquidations/:id/cancel": ofNoRequest(liquidations+"/", "/cancel"),
	"POST /api/v1/savings/liquidations/:id/retry":  ofNoRequest(liquidations+"/", "/retry"),
	"POST /api/v1/savings/liquidations/:id/release": func(crowd, *person, *person) call {
		return call{path: liquidations + "/" + uuid.NewString() + "/release", absent: true, body: object{"reason": "Enough"}}
	},
	"POST /api/v1/savings/liquidations/:id/object": func(crowd, *person, *person) call {
		return call{path: liquidations + "/" + uuid.NewString() + "/object", absent: true, body: object{"reason": "What is it for?"}}
	},
	"POST /api/v1/savings/liquidations/:id/answer": func(crowd, *person, *person) call {
		return call{path: liquidations + "/" + uuid.NewString() + "/answer", absent: true, body: object{"reason": "It was agreed"}}
	},
	"POST /api/v1/savings/groups/:id/notice": inGroup("/notice", object{"hours": 48}),
	"GET /api/v1/months/:id":                 func(c crowd, _, _ *person) call { return call{path: "/api/v1/months/" + c.group} },
	"POST /api/v1/months/:id": func(c crowd, _, _ *person) call {
		return call{path: "/api/v1/months/" + c.group, body: object{"month": "2999-01", "marginPercent": 5}}
	},
	"POST /api/v1/months/:id/attest": func(c crowd, _, _ *person) call {
		return call{path: "/api/v1/months/" + c.group + "/attest", body: unsigned("2999-01")}
	},
	"POST /api/v1/months/:id/beacon": func(c crowd, _, _ *person) call {
		return call{path: "/api/v1/months/" + c.group + "/beacon", body: object{"signature": strings.Repeat("ab", 48)}}
	},
	"GET /api/v1/months/:id/draw": func(c crowd, _, _ *person) call {
		return call{path: "/api/v1/months/" + c.group + "/draw?month=2026-01", absent: true}
	},
	"GET /api/v1/savings/groups/:id/audit":     ofTheGroup("/audit"),
	"GET /api/v1/savings/groups/:id/audit.csv": ofTheGroup("/audit.csv"),
	"POST /api/v1/savings/groups/:id/audit": func(c crowd, _, _ *person) call {
		return call{path: "/api/v1/savings/groups/" + c.group + "/audit", body: object{"marks": []object{{"id": uuid.NewString(), "mark": "VALIDATED"}}}, absent: true}
	},
	"GET /api/GroupSavings/member-savings/:id":                aroundGroup("/api/GroupSavings/member-savings/", ""),
	"GET /api/v1/savings/groups/:id/unsettled":                aroundGroup("/api/v1/savings/groups/", "/unsettled"),
	"GET /api/v1/savings/groups/:id/grid":                     aroundGroup("/api/v1/savings/groups/", "/grid"),
	"GET /api/v1/savings/groups/:id/charts":                   aroundGroup("/api/v1/savings/groups/", "/charts"),
	"GET /api/v1/savings/groups/:id/waivers":                  aroundGroup("/api/v1/savings/groups/", "/waivers"),
	"POST /api/v1/savings/groups/:id/remind":                  aroundGroup("/api/v1/savings/groups/", "/remind"),
	"GET /api/v1/savings/groups/:id/book.csv":                 aroundGroup("/api/v1/savings/groups/", "/book.csv"),
	"GET /api/v1/savings/groups/:id/book.pdf":                 aroundGroup("/api/v1/savings/groups/", "/book.pdf"),
	"GET /api/GroupSavings/savings-payment-history-admin/:id": aroundGroup("/api/GroupSavings/savings-payment-history-admin/", ""),
	"GET /api/GroupSavings/user-unsettled-payments/:a/:b": func(c crowd, _, w *person) call {
		return call{path: "/api/GroupSavings/user-unsettled-payments/" + c.group + "/" + w.id}
	},
	"GET /api/GroupSavings/sub-account/:a/:b": func(c crowd, _, w *person) call {
		return call{path: "/api/GroupSavings/sub-account/" + c.flexible + "/" + w.id}
	},
	"POST /api/GroupSavings/savings-payment-history": func(c crowd, _, _ *person) call { return call{body: object{"groupId": c.group}} },
	"POST /api/v1/savings/waivers": func(c crowd, _, _ *person) call {
		return call{body: object{"subAccountId": c.flexible, "memberId": c.member.id, "period": "2026-01-01", "kind": "WAIVED", "reason": "Was ill"}}
	},
	"POST /api/v1/savings/waivers/:id/decide": func(crowd, *person, *person) call {
		return call{path: "/api/v1/savings/waivers/" + uuid.NewString() + "/decide", body: object{"approve": true, "seen": "a waiver"}, absent: true}
	},
	"GET /api/v1/savings/cover": func(c crowd, _, _ *person) call {
		return call{path: "/api/v1/savings/cover?subAccountId=" + c.flexible + "&memberId=" + c.owner.id}
	},
	"POST /api/v1/savings/cover": func(c crowd, p, _ *person) call {
		return call{body: object{"subAccountId": c.flexible, "memberId": c.owner.id, "amount": 1, "userId": p.id}}
	},
	"GET /api/v1/wallet/withdrawals/:id": func(crowd, *person, *person) call {
		return call{path: "/api/v1/wallet/withdrawals/" + uuid.NewString(), absent: true}
	},
	"POST /api/v1/finance/payouts/:id/query": func(crowd, *person, *person) call {
		return call{path: "/api/v1/finance/payouts/" + uuid.NewString() + "/query", absent: true}
	},
	"POST /api/v1/finance/members/look-up": func(_ crowd, _, w *person) call {
		return call{body: object{"email": "nobody@example.com", "case": "C-1"}, absent: true}
	},
	"POST /api/v1/finance/members/tier": func(_ crowd, _, w *person) call {
		return call{body: object{"email": "nobody@example.com", "case": "C-1", "tier": 2, "seen": "a member"}, absent: true}
	},
	"POST /api/Operator/projections/:name/retry": func(crowd, *person, *person) call { return call{path: "/api/Operator/projections/groups/retry"} },
	"POST /api/Operator/projections/:name/rebuild": func(crowd, *person, *person) call {
		return call{path: "/api/Operator/projections/nonsense/rebuild", absent: true}
	},
}

// ofNoAsk is about the request for ajo access of somebody who made none.
func ofNoAsk(what string) func(crowd, *person, *person) call {
	return func(crowd, *person, *person) call {
		made := call{path: "/api/v1/finance/ajo-access/" + uuid.NewString() + what, absent: true}
		switch what {
		case "/grant":
			made.body = object{"askId": uuid.NewString()}
		case "/refuse":
			made.body = object{"askId": uuid.NewString(), "reason": "The letter is old"}
		}
		return made
	}
}

// ofGroup asks about the group: at the end of a path, or in the body.
func ofGroup(path string, rest object) func(crowd, *person, *person) call {
	return func(c crowd, _, _ *person) call {
		if path != "" {
			return call{path: path + c.group}
		}
		return call{body: merge(object{"groupId": c.group}, rest)}
	}
}

// inGroup asks for something of the group that changes nothing.
func inGroup(what string, body object) func(crowd, *person, *person) call {
	return func(c crowd, _, _ *person) call {
		made := call{path: "/api/v1/savings/groups/" + c.group + what}
		if body != nil {
			made.body = body
		}
		return made
	}
}

func ofMember(what string) func(crowd, *person, *person) call {
	return func(c crowd, _, _ *person) call {
		return call{path: "/api/v1/savings/groups/" + c.group + what, body: object{"memberId": c.member.id}}
	}
}

// owing asks to leave, and is kept by what is owed or by an office.
func owing(what string) func(crowd, *person, *person) call {
	return inGroup(what, object{"forfeit": false})
}

// ofStaff asks with a reason that is too short, so that the group stays as it is.
func ofStaff(what string) func(crowd, *person, *person) call {
	return func(c crowd, _, _ *person) call {
		return call{path: "/api/Operator/groups/" + c.group + what, body: object{"reason": "x"}}
	}
}

// ofNoRequest asks for a request for money that there is none of. Those that there are are asked for in
// liquidations_test.go.
func ofNoRequest(path, what string) func(crowd, *person, *person) call {
	return func(c crowd, _, _ *person) call {
		id := uuid.NewString()
		if path == decides {
			id = c.group + "/" + id
		}
		return call{path: path + id + what, absent: true}
	}
}

// ofTheGroup asks for something of the group.
func ofTheGroup(what string) func(crowd, *person, *person) call {
	return func(c crowd, _, _ *person) call { return call{path: "/api/v1/savings/groups/" + c.group + what} }
}

// ofNoOrder asks for a standing order that is nobody's. Those of others are asked for in standing_test.go.
func ofNoOrder(what string) func(crowd, *person, *person) call {
	return func(crowd, *person, *person) call {
		return call{path: standingOrders + "/" + uuid.NewString() + what, absent: true}
	}
}

// inGroup asks about the crowd's group.
func aroundGroup(before, behind string) func(crowd, *person, *person) call {
	return func(c crowd, _, _ *person) call { return call{path: before + c.group + behind} }
}

func ofEmail(rest object) func(crowd, *person, *person) call {
	return func(_ crowd, _, w *person) call { return call{body: merge(object{"email": w.email}, rest)} }
}

func ofQuery(path string) func(crowd, *person, *person) call {
	return func(_ crowd, _, w *person) call { return call{path: path + "?email=" + url.QueryEscape(w.email)} }
}

// other is a second group of the owner's, to ask to join.
func (c crowd) other() string {
	return must[[]object](c.owner, "GET", "/api/GroupSavings/GetUserGroupSavings/"+c.owner.id, nil)[0]["id"].(string)
}

func endsSession(_ crowd, p, w *person) call {
	if p.token == "" {
		return call{path: "/api/v1/account/sessions/" + uuid.NewString()}
	}
	if p == w {
		return call{path: "/api/v1/account/sessions/" + p.again().session()}
	}
	return call{path: "/api/v1/account/sessions/" + w.session()}
}

func changesPassword(_ crowd, _, w *person) call {
	return call{body: object{"email": w.email, "userId": w.id, "currentPassword": "not the one", "newPassword": "another password"}}
}

// ofTheMember asks for the newest of a list; who has none asks for the member's.
func ofTheMember(path, list, field string) func(crowd, *person, *person) call {
	return func(c crowd, _, w *person) call {
		for _, p := range []*person{w, c.member} {
			if p.token == "" {
				continue
			}
			if found, _ := must[object](p, "GET", list, nil)[field].([]any); len(found) > 0 {
				return call{path: path + found[0].(object)["id"].(string), absent: p.id != w.id}
			}
		}
		return call{path: path + uuid.NewString(), absent: true}
	}
}

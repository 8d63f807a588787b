package e2e

import (
	"maps"
	"strings"

	"github.com/google/uuid"
)

// ofNoDispute asks about a dispute, or a case, that nobody has.
func ofNoDispute(path string, body any) (string, func(crowd, *person, *person) call) {
	_, route, _ := strings.Cut(path, " ")
	asked := strings.ReplaceAll(strings.ReplaceAll(route, ":id", uuid.NewString()), ":paper", uuid.NewString())
	return path, func(crowd, *person, *person) call { return call{path: asked, body: body, absent: true} }
}

func init() {
	draft := object{"words": "It is not right.", "files": []any{}}
	words, steps := object{"words": "It is not right."}, object{"steps": []object{{"kind": "ASSIGN", "arrivalId": uuid.NewString()}}}
	for path, body := range map[string]any{
		"GET /api/v1/disputes/:id": nil, "POST /api/v1/disputes/:id/evidence": words, "POST /api/v1/disputes/:id/answer": words, "POST /api/v1/disputes/:id/withdraw": nil,
		"POST /api/v1/disputes/:id/reopen": words, "GET /api/v1/disputes/:id/papers/:paper": nil,
		"GET /api/v1/disputes/:id/bundle": nil, "PUT /api/v1/disputes/:id/draft": draft, "POST /api/v1/disputes/:id/submit": draft,
		"GET /api/v1/support/cases/:id": nil, "GET /api/v1/support/cases/:id/row": nil, "POST /api/v1/support/cases/:id/take": nil, "POST /api/v1/support/cases/:id/ask": words, "POST /api/v1/support/cases/:id/hold": nil, "GET /api/v1/support/cases/:id/labs": nil,
		"POST /api/v1/support/cases/:id/labs":         object{"subject": "MEMBER", "edits": []object{}},
		"POST /api/v1/support/cases/:id/resolve":      object{"upheld": true, "words": "It was put right."},
		"GET /api/v1/support/cases/:id/papers/:paper": nil,
		"POST /api/v1/support/cases/:id/names":        object{"reason": "To call them", "userIds": []string{uuid.NewString()}},
		"GET /api/v1/support/cases/:id/plan":          nil, "POST /api/v1/support/cases/:id/plan/preview": steps,
		"POST /api/v1/support/cases/:id/plan/from-lab":     object{"subject": "MEMBER", "edits": []object{}},
		"POST /api/v1/support/cases/:id/plan":              object{"steps": steps["steps"], "words": "It was put right."},
		"POST /api/v1/support/cases/:id/plan/approve":      object{"planId": uuid.NewString()},
		"GET /api/v1/support/remedies":                     nil,
		"POST /api/v1/support/remedies":                    object{"userId": uuid.NewString(), "kind": "ANOTHER_BVN", "case": "C-1", "reason": "She showed her passport."},
		"POST /api/v1/support/remedies/members":            object{"email": "nobody@example.com", "case": "C-1"},
		"POST /api/v1/support/remedies/:id/agree":          object{"seen": "it"},
		"POST /api/v1/support/remedies/:id/decline":        object{},
		"GET /api/v1/support/cases/:id/bank-answer":        nil,
		"POST /api/v1/support/cases/:id/bank-answer":       object{"accept": false, "words": "The payment is right."},
		"POST /api/v1/support/cases/:id/bank-answer/agree": object{"answerId": uuid.NewString()},
		"POST /api/v1/support/cases/:id/bank-answer/drop":  object{"answerId": uuid.NewString(), "words": "It is wrong."},
		"POST /api/v1/support/cases/:id/plan/decline":      object{"planId": uuid.NewString(), "words": "It is wrong."},
	} {
		route, try := ofNoDispute(path, body)
		tries[route] = try
	}
	maps.Copy(tries, map[string]func(crowd, *person, *person) call{
		"GET /api/v1/support/cases/:id/replay": func(crowd, *person, *person) call {
			return call{path: "/api/v1/support/cases/" + uuid.NewString() + "/replay?subject=MEMBER", absent: true}
		},
		"GET /api/v1/support/cases/:id/steps": func(crowd, *person, *person) call {
			return call{path: "/api/v1/support/cases/" + uuid.NewString() + "/steps?subject=MEMBER", absent: true}
		},
		"POST /api/v1/disputes/search": func(crowd, *person, *person) call { return call{body: object{"amount": 123, "day": "2026-01-01"}} },
	})
}

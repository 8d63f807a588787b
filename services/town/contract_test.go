package town

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// operation is one command of the HTTP contract.
type operation struct {
	Name   string // Its operationId.
	Method string
	Path   string
	Who    string // Whom the contract lets call it.
	Body   *openapi3.Schema
	Form   bool // The body is a form with a file.
}

// area is the part of the product that a path belongs to: what its {id} stands for follows from it.
func (o operation) about() string {
	for _, place := range []struct{ in, kind string }{
		{"/Ajo/", "ajo"},
		{"/ajo-liquidation", "ajo"},
		{"/v1/ajo/cards", "card"},
		{"/v1/ajo/", "ajo"},
		{"/support/cases", "dispute"},
		{"/support/remedies", "remedy"},
		{"/disputes", "dispute"},
		{"/savings/liquidations", "liquidation"},
		{"/savings/waivers", "waiver"},
		{"/savings/documents", "document"},
		{"/standing-orders", "order"},
		{"/finance/unmatched", "unmatched"},
		{"/finance/payouts", "payout"},
		{"/finance/ajo-access", "user"},
		{"/finance/debts", "user"},
		{"/finance/cards", "user"},
		{"/questions", "payment"},
		{"/groups/", "group"},
		{"/invitations/", "group"},
		{"/months/", "group"},
		{"/GroupSavings/", "group"},
		{"/savings/", "group"},
		{"/wallet/cards", "saved card"},
		{"/sessions", "session"},
		{"/Notification", "notification"},
		{"/liquidation", "liquidation"},
	} {
		if strings.Contains(o.Path, place.in) {
			return place.kind
		}
	}
	return ""
}

// free are fields of the contract in which people write what they like. What somebody saw is written by their screens,
// and a wish makes it up.
var free = []string{"seen", "reason", "words", "name", "description", "note", "title", "image", "document", "password", "code", "token", "relationship", "signature", "publicKey", "checkpoint", "file", "mark", "case", "gender", "currentPassword", "newPassword", "firstName", "lastName", "phone", "dateOfBirth", "first_name", "last_name", "bvn"}

// Strange are what the town cannot make up of the contract: what a path names, or a field that has to be there, of
// which it does not know what it is. A command that nobody can give is no part of the year, so a test holds that there
// is none.
func Strange(file string) (all []string, err error) {
	commands, err := readContract(file)
	for _, o := range commands {
		if strings.Contains(o.Path, "{id}") && o.about() == "" {
			all = append(all, o.Name+": what {id} is")
		}
		if o.Body == nil || hints[o.Name] != nil {
			continue
		}
		w := &wish{operation: o, town: &Town{memory: newMemory()}, rng: rand.New(rand.NewPCG(1, 1)), who: &person{}, ids: map[string]string{}}
		w.town.people, w.town.byID = []*person{w.who}, map[string]*person{}
		for _, field := range o.Body.Required {
			s := o.Body.Properties[field].Value
			if s.Type.Is("string") && len(s.Enum) == 0 && !slices.Contains(free, field) && slices.Contains(sentences, w.text(field)) {
				all = append(all, o.Name+": what "+field+" is")
			}
		}
	}
	return all, err
}

// readContract answers the commands of the HTTP contract by name, in the order of their names.
func readContract(file string) ([]operation, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("the HTTP contract cannot be read: %w", err)
	}
	loader := openapi3.NewLoader()
	spec, err := loader.LoadFromData(raw)
	if err != nil {
		return nil, fmt.Errorf("the HTTP contract cannot be read: %w", err)
	}
	loader.Context = context.Background()
	var all []operation
	for path, item := range spec.Paths.Map() {
		for method, op := range item.Operations() {
			if method == "GET" {
				continue
			}
			o := operation{Name: op.OperationID, Method: method, Path: path}
			if access, ok := op.Extensions["x-access"].(map[string]any); ok {
				o.Who, _ = access["who"].(string)
			}
			if op.RequestBody != nil {
				for kind, media := range op.RequestBody.Value.Content {
					o.Body, o.Form = media.Schema.Value, strings.HasPrefix(kind, "multipart/")
				}
			}
			all = append(all, o)
		}
	}
	slices.SortFunc(all, func(a, b operation) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

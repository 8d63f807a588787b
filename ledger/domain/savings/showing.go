package savings

import (
	"slices"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// MaxDocuments is how many a group keeps.
const MaxDocuments = 100

// ShowGroupTotal shows a group's total to plain members, or hides it.
type ShowGroupTotal struct {
	GroupID string
	By      string
	Show    bool
}

// Streams implements event.Command.
func (c ShowGroupTotal) Streams() []string { return decided(c.GroupID, c.By) }

// Accounts implements event.Command.
func (ShowGroupTotal) Accounts() []string { return nil }

// Decide implements event.Command.
func (c ShowGroupTotal) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	if err := owner(v, g, c.GroupID, c.By); err != nil {
		return nil, err
	}
	if err := changes(g.ShowTotal, c.Show); err != nil {
		return nil, err
	}
	return []event.Draft{event.On(GroupStream(c.GroupID), &nairav1.GroupVisibilitySet{GroupId: c.GroupID, ShowTotalBalance: c.Show, SetBy: c.By})}, nil
}

// changes refuses to show what is shown, and to hide what is hidden.
func changes(shown, show bool) error {
	switch {
	case shown != show:
		return nil
	case show:
		return fault.New(fault.Conflict, "Members see the total already.")
	default:
		return fault.New(fault.Conflict, "The total is hidden from members already.")
	}
}

// SearchView is what people outside a group see of it in search.
type SearchView struct {
	Findable bool
	Terms    bool // The contribution and the next payment.
	Totals   bool // What it holds, where plain members see that too, and how it grows.
}

// SetSearchView chooses what people outside a group see of it in search.
type SetSearchView struct {
	GroupID string
	By      string
	View    SearchView
}

// Streams implements event.Command.
func (c SetSearchView) Streams() []string { return decided(c.GroupID, c.By) }

// Accounts implements event.Command.
func (SetSearchView) Accounts() []string { return nil }

// Decide implements event.Command.
func (c SetSearchView) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	if err := owner(v, g, c.GroupID, c.By); err != nil {
		return nil, err
	}
	if g.Search == c.View {
		return nil, fault.New(fault.Conflict, "People outside the group see just this already.")
	}
	return []event.Draft{event.On(GroupStream(c.GroupID), &nairav1.GroupSearchViewSet{
		GroupId: c.GroupID, Findable: c.View.Findable, ShowTerms: c.View.Terms, ShowTotals: c.View.Totals, SetBy: c.By,
	})}, nil
}

// ShowSubAccountTotal shows a sub-account's total to plain members, or hides it.
type ShowSubAccountTotal struct {
	GroupID, SubAccountID string
	By                    string
	Show                  bool
}

// Streams implements event.Command.
func (c ShowSubAccountTotal) Streams() []string {
	return append(decided(c.GroupID, c.By), SubStream(c.SubAccountID))
}

// Accounts implements event.Command.
func (ShowSubAccountTotal) Accounts() []string { return nil }

// Decide implements event.Command.
func (c ShowSubAccountTotal) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	if err := owner(v, g, c.GroupID, c.By); err != nil {
		return nil, err
	}
	sub := event.StateOf[SubAccount](v, SubStream(c.SubAccountID))
	if sub.Group != c.GroupID {
		return nil, fault.New(fault.NotFound, "There is no such sub-account.")
	}
	if err := changes(sub.ShowTotal, c.Show); err != nil {
		return nil, err
	}
	return []event.Draft{event.On(SubStream(c.SubAccountID), &nairav1.SubAccountVisibilitySet{
		GroupId: c.GroupID, SubAccountId: c.SubAccountID, ShowTotalToMembers: c.Show, SetBy: c.By,
	})}, nil
}

// AddDocument notes that a document of the group was saved.
type AddDocument struct {
	GroupID, DocumentID string
	By                  string
	SHA256              string // Of what is kept, in hexadecimal.
}

// Streams implements event.Command.
func (c AddDocument) Streams() []string { return decided(c.GroupID, c.By) }

// Accounts implements event.Command.
func (AddDocument) Accounts() []string { return nil }

// Decide implements event.Command. Owner, approvers and validator save documents.
func (c AddDocument) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	switch {
	case g.Status == None || event.StateOf[Member](v, MemberStream(c.GroupID, c.By)).Status == None:
		return nil, ErrNoGroup()
	case !g.Official(c.By):
		return nil, fault.New(fault.Forbidden, "Only the owner, an approver or the validator of the group can do this.")
	case len(g.Documents) >= MaxDocuments:
		return nil, fault.New(fault.Conflict, "A group keeps at most %d documents. Remove one first.", MaxDocuments)
	}
	if err := g.GoesOn(); err != nil {
		return nil, err
	}
	if err := standing.May(v, c.By, standing.Decide); err != nil {
		return nil, err
	}
	return []event.Draft{event.On(GroupStream(c.GroupID), &nairav1.GroupDocumentAdded{GroupId: c.GroupID, DocumentId: c.DocumentID, AddedBy: c.By, Sha256: c.SHA256})}, nil
}

// RemoveDocument takes a document out of the group.
type RemoveDocument struct {
	GroupID, DocumentID string
	By                  string
}

// Streams implements event.Command.
func (c RemoveDocument) Streams() []string { return decided(c.GroupID, c.By) }

// Accounts implements event.Command.
func (RemoveDocument) Accounts() []string { return nil }

// Decide implements event.Command.
func (c RemoveDocument) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	if err := Approver(v, g, c.GroupID, c.By); err != nil {
		return nil, err
	}
	if !slices.Contains(g.Documents, c.DocumentID) {
		return nil, fault.New(fault.NotFound, "There is no such document.")
	}
	return []event.Draft{event.On(GroupStream(c.GroupID), &nairav1.GroupDocumentRemoved{GroupId: c.GroupID, DocumentId: c.DocumentID, RemovedBy: c.By})}, nil
}

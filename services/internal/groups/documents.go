package groups

import (
	"context"
	"encoding/hex"

	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/usecase"
)

// LeaveGroup ends a membership for good; the member leaves their savings to the group only with forfeit. saved is the
// amount that the member saw and gives up; it may be nil.
func (s *Service) LeaveGroup(ctx context.Context, who usecase.Who, groupID string, forfeit bool, saved *wire.Naira) (int64, error) {
	leave, _, err := s.leaving(ctx, who.User, groupID)
	if err != nil {
		return 0, err
	}
	leave.Forfeit = forfeit
	asked := []any{groupID, forfeit}
	if saved != nil {
		kobo, err := money.FromNaira(saved.Decimal)
		if err != nil || kobo < 0 {
			return 0, fault.Field("saved", "Enter what you were told you give up.")
		}
		leave.Saved, asked = &kobo, append(asked, kobo)
	}
	return s.onGroup(ctx, who, "leave group", groupID, store.Fingerprint(asked...), func(string) event.Command { return leave })
}

// SaveDocument saves a document for a group. It seals the document first and then records it; Sweep removes an
// unrecorded one.
func (s *Service) SaveDocument(ctx context.Context, who usecase.Who, groupID, name string, data []byte) (GroupDocument, int64, error) {
	out := GroupDocument{}
	group, err := usecase.ParseID(groupID, "group")
	if err != nil {
		return out, 0, err
	}
	if name, err = savings.Text("name", "The document's name", name, 3, 100); err != nil {
		return out, 0, err
	}
	command, _ := who.ID("save document")
	id := event.DeriveID(command, "document").String()
	add := savings.AddDocument{GroupID: group, DocumentID: id, By: who.User}
	err = s.UnlessRecorded(ctx, command, func() error { // It stores nothing for people who may not save.
		_, err := s.Ledger.DryRun(ctx, add)
		return err
	})
	if err != nil {
		return out, 0, err
	}
	sum, err := s.Files.PutGroup(ctx, who.User, id, name, data)
	if err != nil {
		return out, 0, err
	}
	add.SHA256 = hex.EncodeToString(sum[:])
	result, err := s.Record(ctx, who, command, group, store.Fingerprint(group, name, add.SHA256), add)
	if err != nil {
		return out, 0, err
	}
	if err := s.Vault.KeepFile(ctx, id); err != nil {
		return out, 0, err
	}
	g, err := s.GroupState(ctx, group)
	if err != nil {
		return out, 0, err
	}
	rows := []groups.Document{{ID: id, GroupID: group, User: who.User, AddedAt: result.Records[0].EffectiveAt}}
	views, err := s.documentViews(ctx, rows, map[string]bool{group: g.MayApprove(who.User)})
	if err != nil || len(views) == 0 {
		return out, 0, err
	}
	return views[0], result.Position(), nil
}

// Documents returns a group's documents, newest first.
func (s *Service) Documents(ctx context.Context, user, groupID string) ([]GroupDocument, error) {
	_, g, seat, err := s.Membership.GroupFor(ctx, user, groupID, user)
	if err != nil {
		return nil, err
	}
	if !seat.Active() {
		return nil, membership.NotYet(seat)
	}
	rows, err := groups.Documents(ctx, s.Pool, []string{g.ID})
	if err != nil {
		return nil, err
	}
	return s.documentViews(ctx, rows, map[string]bool{g.ID: mayRemove(seat)})
}

// mayRemove reports whether the member is an approver.
func mayRemove(s membership.Seat) bool {
	return s.Role == GroupRoleOWNER || s.Role == GroupRoleAPPROVER
}

// MyDocuments returns the documents of all groups in which the user is an active member, newest first.
func (s *Service) MyDocuments(ctx context.Context, user string) ([]GroupDocument, error) {
	gs, err := groups.OfUser(ctx, s.Pool, user)
	if err != nil {
		return nil, err
	}
	c, err := s.Membership.Snapshot(ctx, user, gs...)
	if err != nil {
		return nil, err
	}
	ids, removable := []string{}, map[string]bool{}
	for _, g := range gs {
		if seat, in := c.Seat(g, user); in && seat.Active() {
			ids, removable[g.ID] = append(ids, g.ID), mayRemove(seat)
		}
	}
	rows, err := groups.Documents(ctx, s.Pool, ids)
	if err != nil {
		return nil, err
	}
	return s.documentViews(ctx, rows, removable)
}

func (s *Service) documentViews(ctx context.Context, rows []groups.Document, removable map[string]bool) ([]GroupDocument, error) {
	out := []GroupDocument{}
	ids, users, groupIDs := make([]string, len(rows)), make([]string, len(rows)), make([]string, len(rows))
	for i, d := range rows {
		ids[i], users[i], groupIDs[i] = d.ID, d.User, d.GroupID
	}
	files, err := s.Vault.GroupFiles(ctx, ids)
	if err != nil {
		return out, err
	}
	cards, err := s.People.Cards(ctx, users)
	if err != nil {
		return out, err
	}
	n, err := s.Names(ctx, groupIDs, nil)
	for _, d := range rows {
		f, there := files[d.ID]
		if !there {
			continue // The member who saved it has closed their account, and the document went with it.
		}
		out = append(out, GroupDocument{
			Id: d.ID, GroupId: d.GroupID, GroupName: n.Groups[d.GroupID].Name, Name: f.Name, Type: f.ContentType, Size: f.Bytes,
			UploadedBy: usecase.FullName(cards, d.User), DateCreated: d.AddedAt.UTC(), Link: "/api/v1/files/" + d.ID, CanRemove: removable[d.GroupID],
		})
	}
	return out, err
}

// RemoveDocument removes a document from its group.
func (s *Service) RemoveDocument(ctx context.Context, who usecase.Who, documentID string) (int64, error) {
	id, err := usecase.ParseID(documentID, "document")
	if err != nil {
		return 0, err
	}
	group, err := groups.DocumentGroup(ctx, s.Pool, id)
	if err != nil {
		return 0, usecase.NotThere(err, groups.ErrNone, "document")
	}
	pos, err := s.onGroup(ctx, who, "remove document", group, store.Fingerprint(id), func(group string) event.Command {
		return savings.RemoveDocument{GroupID: group, DocumentID: id, By: who.User}
	})
	if fault.Is(err, fault.NotFound) {
		return 0, fault.New(fault.NotFound, "There is no such document.") // The error does not reveal its group.
	}
	return pos, err
}

// sweptAtOnce limits how many removed documents one run of the job reads.
const sweptAtOnce = 1000

// SweepDocuments destroys documents that their groups have removed. It is a job.
func (s *Service) SweepDocuments(ctx context.Context) error {
	ids, err := groups.RemovedDocuments(ctx, s.Pool, sweptAtOnce)
	if err != nil || len(ids) == 0 {
		return err
	}
	return s.Vault.RemoveGroupFiles(ctx, ids)
}

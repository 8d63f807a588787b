package bundle

import (
	"fmt"
	"slices"
	"strings"

	"adashi.ng/ledger/event"
)

// ofMember are the categories of streams that end in the id of the member who owns them.
var ofMember = []string{"account", "outflow", "debt", "cards", "underway", "disputes", "dues", "member", "requests", "ajopaid", "ajocommit", "ajoaccess"}

// byUser are the categories of streams in which every event that names a user names the owner.
var byUser = []string{"dispute", "payment", "withdrawal", "standing", "ajocard"}

// named is a message that names a user.
type named interface{ GetUserId() string }

// OwnStream reports whether a stream is a member's. If its name does not show that, one of its events does.
func OwnStream(member, stream string, m any) bool {
	category, id, _ := strings.Cut(stream, ":")
	if slices.Contains(ofMember, category) {
		return id == member || strings.HasSuffix(id, ":"+member)
	}
	user, names := m.(named)
	return slices.Contains(byUser, category) && names && user.GetUserId() == member
}

// owns reports whether an account is the member's.
func (c *checking) owns(account string) bool { return Owns(c.Member, account) }

// Owns reports whether an account is a member's: their wallet, a deposit, a debt, or held money.
func Owns(member, account string) bool {
	kind, id, _ := strings.Cut(strings.TrimPrefix(account, "held:"), ":")
	return (kind == "wallet" || kind == "owed") && id == member || kind == "deposit" && strings.HasSuffix(id, ":"+member)
}

// earlier checks that a bundle which omits events before its first one has a reason.
func (c *checking) earlier() error {
	if c.LeftOut() == "LOOKED" && c.Checked.Checkpoint.Size < LookedMost {
		return wrong("it leaves earlier events out, and has room for them")
	}
	return nil
}

// streams checks that each stream is the member's, and that every version of it is here.
func (c *checking) streams() error {
	next := map[string]int64{}
	for _, s := range c.Streams {
		if _, twice := next[s.Name]; twice || s.From < 1 || s.From > 1 && !c.Earlier {
			return wrong("the stream %s does not begin at version 1", s.Name)
		}
		next[s.Name] = s.From
	}
	for _, e := range c.all {
		version, told := next[e.stream]
		switch {
		case told && e.version != version:
			return wrong("version %d of the stream %s is missing before position %d", version, e.stream, e.pos)
		case told:
			next[e.stream]++
		case e.record == nil && !c.isBefore() && (e.stream != "" || e.version != 0):
			return wrong("the hidden event at position %d is of a stream that is not told", e.pos)
		case !c.isRelated(e) && !slices.ContainsFunc(e.lines, func(l event.Line) bool { return c.owns(l.Account) }):
			return wrong("position %d is of no stream and no account that is told whole", e.pos)
		}
	}
	for _, s := range c.Streams {
		if s.To < s.From || next[s.Name] != s.To+1 {
			return wrong("version %d of the stream %s is missing at its end", next[s.Name], s.Name)
		}
	}
	return c.ownStreams()
}

// ownStreams checks that each stream is the member's: by its name, or else by the user in its records.
func (c *checking) ownStreams() error {
	given, own, told := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, s := range c.Streams {
		told[s.Name] = true
	}
	for i := range c.Records {
		r := &c.Records[i]
		m, err := r.Message()
		if err != nil {
			return wrong("the record at position %d cannot be read: %w", r.Pos, err)
		}
		given[r.Stream] = true
		if OwnStream(c.Member, r.Stream, m) {
			own[r.Stream] = true
			if !c.isBefore() && !told[r.Stream] {
				return wrong("the stream %s is the member's, and is not told whole", r.Stream)
			}
		}
		category, _, _ := strings.Cut(r.Stream, ":")
		if user, names := m.(named); names && user.GetUserId() != c.Member && slices.Contains(byUser, category) {
			return wrong("the record at position %d is another member's", r.Pos)
		}
	}
	for _, s := range c.Streams {
		category, _, _ := strings.Cut(s.Name, ":")
		isUnseen := !given[s.Name] && (slices.Contains(byUser, category) || OwnStream(c.Member, s.Name, nil))
		if !own[s.Name] && !isUnseen {
			return wrong("the stream %s is not the member's", s.Name)
		}
	}
	return nil
}

// implied checks that the bundle contains the streams that others require: a membership, when it has dues in that
// group, and the list of disputes.
func (c *checking) implied() error {
	if c.Earlier || c.isBefore() {
		return nil
	}
	needed := map[string]bool{"disputes:" + c.Member: true}
	for i := range c.Records {
		m, err := c.Records[i].Message()
		if of, is := m.(interface{ GetGroupId() string }); err == nil && is && strings.HasPrefix(c.Records[i].Stream, "dues:") {
			needed[fmt.Sprintf("member:%s:%s", of.GetGroupId(), c.Member)] = true
		}
	}
	for _, s := range c.Streams {
		delete(needed, s.Name)
	}
	for stream := range needed {
		return wrong("the stream %s is missing, and events that are here need it", stream)
	}
	return nil
}

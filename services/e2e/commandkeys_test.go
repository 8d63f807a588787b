package e2e

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// askable is a key as the web app makes them: a UUID of version 8.
func askable() string {
	id := uuid.New()
	id[6] = id[6]&0x0f | 0x80
	return id.String()
}

// became answers what the server says of what somebody sent under a key.
func (p *person) became(key string) object {
	p.Helper()
	return must[object](p, "GET", "/api/v1/commands/"+key, nil)
}

func TestWhoeverSentACommandLearnsWhatBecameOfIt(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	b, paid, refused := s.member, askable(), askable()
	unknown := object{"state": "UNKNOWN"}
	require.Equal(t, unknown, b.became(paid), "nothing was sent under it yet")

	first := b.pays(s.flexible, 700, "Idempotency-Key", paid)
	require.Equal(t, 200, first.status, first.Message)
	done := b.became(paid)
	require.Equal(t, "DONE", done["state"])
	require.Equal(t, "700.00", naira(t, done["taken"]))
	require.Equal(t, first.header.Get("X-Position"), b.ask("GET", "/api/v1/commands/"+paid, nil).header.Get("X-Position"))
	require.Equal(t, 200, b.pays(s.flexible, 700, "Idempotency-Key", paid).status)
	require.Equal(t, done, b.became(paid), "a repetition changes nothing")

	over := b.pays(s.flexible, 4_900_000, "Idempotency-Key", refused)
	require.Equal(t, 422, over.status)
	said := b.became(refused)
	require.Equal(t, "REFUSED", said["state"])
	require.Equal(t, object{"status": 422.0, "message": over.Message, "returnedCode": over.ReturnedCode}, said["refusal"])
	b.holds("5300.00")

	for name, p := range map[string]*person{"an outsider": s.outsider, "the owner of the group": s.owner} {
		require.Equal(t, unknown, p.became(paid), name)
		require.Equal(t, unknown, p.became(refused), name)
	}
	require.Equal(t, unknown, b.became(askable()))
	require.Equal(t, 401, nobody(t, b.base).ask("GET", "/api/v1/commands/"+paid, nil).status)
}

// A command that names what it is about, such as a motion or a member, is found by its key too.
func TestTheKeyAloneFindsACommandOfAnyKind(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	joins, many, leaves := askable(), askable(), askable()
	late, never := somebody(t, s.i, "Late"), somebody(t, s.i, "Never")
	for _, p := range []*person{late, never} {
		body := object{"groupId": s.group, "code": s.owner.code(s.group), "email": p.email}
		require.Equal(t, 200, p.ask("POST", join, body, "Idempotency-Key", joins).status)
		require.Equal(t, "DONE", p.became(joins)["state"])
	}
	r := s.owner.ask("POST", bulk, object{"groupId": s.group, "action": "APPROVE", "memberIds": []string{late.id}}, "Idempotency-Key", many)
	require.Equal(t, 200, r.status, r.Message)
	require.Equal(t, object{"state": "PARTLY"}, s.owner.became(many), "how many there were the key does not say")
	r = never.ask("POST", "/api/v1/savings/groups/"+s.group+"/leave", object{"forfeit": false}, "Idempotency-Key", leaves)
	require.Equal(t, 200, r.status, r.Message)
	require.Equal(t, []any{"DONE", "0.00"}, []any{never.became(leaves)["state"], naira(t, never.became(leaves)["taken"])})
}

func TestAKeyThatFindsNothingIsRefusedAndNotCalledUnknown(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	key := uuid.NewString()
	require.Equal(t, 200, s.member.pays(s.flexible, 100, "Idempotency-Key", key).status)
	for _, key := range []string{key, "an older client's key of many characters", strings.Repeat("8", 36), askable()[:35]} {
		r := s.member.ask("GET", "/api/v1/commands/"+strings.ReplaceAll(key, " ", "%20"), nil)
		require.Equal(t, 400, r.status, "%s: %s", key, r.Message)
		require.Equal(t, "INVALID", r.ReturnedCode)
	}
}

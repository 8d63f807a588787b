package e2e

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func writes(p *person, id, words string) reply {
	return p.ask("POST", "/api/v1/questions/"+id, object{"words": words})
}

func TestAQueriedPaymentIsTalkedAboutUntilItIsResolved(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	stranger := somebody(t, c.i, "Stranger")
	var id string
	require.Eventually(t, func() bool {
		for _, p := range c.audits(c.validator, "?state=UNREVIEWED")["payments"].([]any) {
			if p.(object)["userId"] == c.eve.id {
				id = p.(object)["id"].(string)
			}
		}
		return id != ""
	}, time.Minute, 20*time.Millisecond)
	path := "/api/v1/questions/" + id
	require.Equal(t, http.StatusNotFound, writes(c.eve, id, "Nobody asked me.").status)
	require.Equal(t, http.StatusOK, c.marks(c.validator, "QUERIED", "For which month?", id).status)

	thread := must[object](c.eve, "GET", path, nil)
	require.Equal(t, "For which month?", thread["messages"].([]any)[0].(object)["words"])
	require.Equal(t, true, thread["mayWrite"])
	require.Equal(t, false, thread["mayDispute"], "a dispute is offered after 14 days")
	require.Equal(t, http.StatusBadRequest, writes(c.eve, id, "x").status)
	require.Equal(t, http.StatusOK, writes(c.eve, id, "For March.\nI was abroad.").status)
	c.validator.told("question_answered")
	answered := func(want int) {
		t.Helper()
		require.Eventually(t, func() bool { return len(c.audits(c.validator, "?state=ANSWERED")["payments"].([]any)) == want }, time.Minute, 20*time.Millisecond)
		c.validator.audits("?queue=ANSWERED", want)
	}
	answered(1)
	asked := must[[]object](c.eve, "GET", "/api/v1/questions", nil)
	require.Len(t, asked, 1)
	require.Equal(t, []any{id, true, "For which month?"}, []any{asked[0]["paymentId"], asked[0]["answered"], asked[0]["reason"]})
	require.Empty(t, must[[]object](c.member, "GET", "/api/v1/questions", nil), "nobody asks them")
	require.Equal(t, http.StatusOK, writes(c.validator, id, "Who sent it?").status)
	c.eve.told("question_asked")
	answered(0)
	require.Equal(t, false, must[[]object](c.eve, "GET", "/api/v1/questions", nil)[0]["answered"], "it waits for them again")

	pdf := []byte("%PDF-1.4\n1 0 obj\n(slip)\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n")
	slip := c.eve.upload("document", "slip.pdf", pdf).object(t)["id"].(string)
	file := func(p *person, fileID string) reply { return p.ask("POST", path, object{"fileId": fileID}) }
	require.Equal(t, http.StatusBadRequest, file(c.eve, "slip").status)
	require.Equal(t, http.StatusBadRequest, file(c.eve, c.member.upload("document", "slip.pdf", pdf).object(t)["id"].(string)).status, "it is another's")
	require.Equal(t, http.StatusBadRequest, file(c.validator, c.validator.upload("document", "slip.pdf", pdf).object(t)["id"].(string)).status, "who audits asks in words")
	require.Equal(t, http.StatusBadRequest, c.eve.ask("POST", path, object{"fileId": slip, "words": "Here it is."}).status)
	require.Equal(t, http.StatusOK, file(c.eve, slip).status)
	answered(1)
	said := must[object](c.validator, "GET", path, nil)["messages"].([]any)
	require.Equal(t, slip, said[len(said)-1].(object)["file"])
	_, got := c.validator.file(path + "/papers/" + slip)
	require.Equal(t, http.StatusOK, got.StatusCode)
	for _, p := range []*person{c.member, stranger} {
		_, got := p.file(path + "/papers/" + slip)
		require.Equal(t, http.StatusNotFound, got.StatusCode)
	}

	thread = must[object](c.validator, "GET", path, nil)
	messages := thread["messages"].([]any)
	require.Len(t, messages, 4)
	require.Equal(t, "For March.\nI was abroad.", messages[1].(object)["words"])
	require.Equal(t, "MEMBER", messages[1].(object)["by"])
	require.Equal(t, "Who sent it?", messages[2].(object)["words"])
	require.Equal(t, "AUDITOR", messages[2].(object)["by"])

	require.Equal(t, false, must[object](c.owner, "GET", path, nil)["mayWrite"], "the owner reads")
	require.Equal(t, http.StatusForbidden, writes(c.owner, id, "Let me help.").status)
	for _, outside := range []*person{c.member, stranger} {
		require.Equal(t, http.StatusNotFound, outside.ask("GET", path, nil).status)
		require.Equal(t, http.StatusNotFound, writes(outside, id, "I know something.").status)
	}
	require.Equal(t, http.StatusNotFound, writes(c.eve, uuid.NewString(), "For March.").status)

	require.Equal(t, http.StatusOK, c.marks(c.validator, "RESOLVED", "It was March.", id).status)
	require.Equal(t, http.StatusConflict, writes(c.eve, id, "One thing more.").status)
	require.Len(t, must[object](c.eve, "GET", path, nil)["messages"], 5)
	require.Eventually(t, func() bool { return len(must[[]object](c.eve, "GET", "/api/v1/questions", nil)) == 0 }, time.Minute, 20*time.Millisecond)
}

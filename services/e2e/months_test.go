package e2e

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/months"
	"adashi.ng/services/internal/phones"
	"adashi.ng/services/internal/usecase"
)

const (
	monthsPath = "/api/v1/months/"
	attestKeys = "/api/v1/attest/keys"
)

// closed are the closed months of a group as somebody sees them, the newest first.
func (c chest) closed(p *person) []any {
	c.owner.Helper()
	return must[object](p, "GET", monthsPath+c.group, nil)["months"].([]any)
}

func TestAMonthIsClosedByADrawThatNobodyChooses(t *testing.T) {
	t.Parallel()
	i, err := boot.Start(context.Background(), settings(t.TempDir()), boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	c, ctx := newChest(t, i), context.Background()
	require.Equal(t, 200, c.validator.funded(500).pays(c.sub, 500).status) // Which the owner marks.
	request := c.member.ask("POST", asksFor, c.savings(c.member, 1_000)).id(t)
	c.approved(request)
	c.becomes(request, "PAID")
	month := lagos.Month(time.Now())
	asks := func(p *person, what string, form object) reply { return p.ask("POST", monthsPath+c.group+what, form) }
	closes := object{"month": month, "marginPercent": 5}

	running := asks(c.validator, "", closes)
	require.Equal(t, http.StatusConflict, running.status)
	require.Contains(t, running.Message, "is not over. It can be closed from 1 ")
	for _, form := range []object{{"month": "x", "marginPercent": 5}, {"month": "2026-13", "marginPercent": 5}, {"month": "2020-01"}, {}} {
		require.Equal(t, http.StatusBadRequest, asks(c.validator, "", form).status, "%v", form)
	}
	require.Equal(t, http.StatusConflict, asks(c.validator, "", object{"month": "2020-01", "marginPercent": 5}).status, "it has no payments")
	require.Equal(t, http.StatusConflict, asks(c.validator, "/attest", unsigned(month)).status)
	require.Equal(t, http.StatusConflict, asks(c.validator, "/beacon", object{"signature": "ab"}).status)
	for _, p := range []*person{c.owner, c.approver, c.member} {
		require.Equal(t, http.StatusForbidden, asks(p, "", closes).status)
		require.Equal(t, http.StatusForbidden, asks(p, "/attest", unsigned(month)).status)
	}
	for _, what := range []string{"", "/attest", "/beacon"} {
		form := map[string]object{"": closes, "/attest": unsigned(month), "/beacon": {"signature": "ab"}}[what]
		require.Equal(t, http.StatusNotFound, asks(c.outsider, what, form).status)
	}
	require.Equal(t, http.StatusNotFound, c.outsider.ask("GET", monthsPath+c.group, nil).status)
	require.Equal(t, http.StatusNotFound, c.outsider.ask("GET", monthsPath+c.group+"/draw?month="+month, nil).status)
	require.Equal(t, http.StatusNotFound, c.validator.ask("GET", monthsPath+uuid.NewString(), nil).status)
	require.Equal(t, http.StatusNotFound, c.validator.ask("GET", monthsPath+c.group+"/draw?month="+month, nil).status, "nothing is drawn")

	// The month is over.
	y, m, _ := time.Now().In(lagos.Zone).Date()
	over := time.Date(y, m+1, 1, 0, 0, 0, 0, lagos.Zone)
	who := usecase.Who{User: c.validator.id, Email: c.validator.email, Key: "close"}
	form := contract.CloseMonthRequest{Month: month, MarginPercent: 5}
	_, first, err := i.App.At(over).Months.Close(ctx, who, c.group, form)
	require.NoError(t, err)
	_, again, err := i.App.At(over).Months.Close(ctx, who, c.group, form)
	require.NoError(t, err)
	require.Equal(t, first, again, "the same key closes once")
	named := c.closed(c.member)[0].(object)
	require.Equal(t, []any{"NAMED", 4.0, 1.0, true}, []any{named["status"], named["payments"], named["always"], named["test"]})
	round := i.TestBeacon.Sign(uint64(named["round"].(float64)))
	early := asks(c.member, "/beacon", object{"signature": hex.EncodeToString(round)})
	require.Equal(t, http.StatusConflict, early.status)
	require.Contains(t, early.Message, "The round that draws comes on")
	_, _, err = i.App.At(over.Add(10*time.Minute)).Months.Submit(ctx, usecase.Who{User: c.member.id, Email: c.member.email}, c.group, hex.EncodeToString(round))
	require.NoError(t, err)
	c.validator.told("sample_drawn")

	page := c.validator.audits("?queue=SAMPLE", 3)
	require.Equal(t, 3.0, counted(page)["SAMPLE"])
	require.Equal(t, lagosLabel(month), page["payments"].([]any)[0].(object)["sampleOf"])
	require.Len(t, c.audits(c.owner, "?sample=true&state=UNREVIEWED")["payments"], 4)
	var theirs []string
	for _, p := range page["payments"].([]any) {
		theirs = append(theirs, p.(object)["id"].(string))
	}
	seen := func(pos float64) reply {
		marks := []object{{"id": theirs[1], "mark": "VALIDATED"}}
		return c.validator.ask("POST", "/api/v1/savings/groups/"+c.group+"/audit", object{"marks": marks, "seenPosition": pos})
	}
	require.Equal(t, http.StatusBadRequest, seen(-1).status)
	require.Equal(t, http.StatusBadRequest, seen(1e9).status, "nobody has read so far")
	require.Equal(t, http.StatusConflict, seen(1).status, "the screen had not read the payment")
	require.Equal(t, 200, seen(page["position"].(float64)).status)
	require.Equal(t, 200, c.marks(c.validator, "VALIDATED", "", theirs[2:]...).status)
	require.Equal(t, 200, c.marks(c.validator, "QUERIED", "For which month?", theirs[0]).status)
	device := newSigner(c.validator)
	missing := device.attests(monthsPath+c.group, month)
	require.Equal(t, http.StatusConflict, missing.status)
	require.Equal(t, "One payment of the sample is not marked yet. Validate or query it first.", missing.Message)
	for _, p := range c.audits(c.owner, "?sample=true&state=UNREVIEWED")["payments"].([]any) {
		require.Equal(t, 200, c.marks(c.owner, "VALIDATED", "", p.(object)["id"].(string)).status)
	}
	nobodys := asks(c.validator, "/attest", unsigned(month))
	require.Equal(t, http.StatusConflict, nobodys.status, "no device signed it")
	require.Contains(t, nobodys.Message, "Something has changed since you looked")
	attested := device.attests(monthsPath+c.group, month)
	require.Equal(t, 200, attested.status, attested.Message)
	done := c.closed(c.eve)[0].(object)
	require.Equal(t, []any{"ATTESTED", "All 4 looked at, 1 queried.", 3.0, 1.0, 0.0}, []any{done["status"], done["sentence"], done["validated"], done["queried"], done["changedSince"]})
	require.Empty(t, c.validator.audits("?queue=SAMPLE", 0)["payments"])
	proof := must[object](c.eve, "GET", monthsPath+c.group+"/draw?month="+month, nil)
	require.Len(t, proof["positions"], 4)
	require.Equal(t, hex.EncodeToString(round), proof["signature"])

	monthsHold(t, i)
	taken := decidedAgain(t, i)
	require.NotContains(t, taken, "naira.v1.MonthSampleNamed")
	require.NotContains(t, taken, "naira.v1.PeriodAttestedV2")
	require.NotContains(t, taken, "naira.v1.AttestKeyRegistered")
}

// monthsHold holds that verify finds nothing wrong with the closed months of an instance.
func monthsHold(t testing.TB, i *boot.Instance) {
	t.Helper()
	report, err := audit.Verify(context.Background(), audit.Options{
		Pool: i.Pool, Keys: keysOf(t, i), Aggregates: ledger.Aggregates(), NoStream: "not here", Listed: 100, More: []audit.More{months.Check(i.Pool)},
	})
	require.NoError(t, err)
	check := report.Checks[len(report.Checks)-1]
	require.Positive(t, check.Looked)
	require.Empty(t, check.Listed)
}

// unsigned is what is sent where no device signs.
func unsigned(month string) object {
	return object{"month": month, "position": 1, "publicKey": strings.Repeat("0", 64), "signature": strings.Repeat("0", 128)}
}

// signing is somebody's phone that signs what they attest.
type signing struct {
	*person
	phones.Phone
}

// newSigner registers a phone as somebody's, once they showed that it is them.
func newSigner(p *person) signing {
	p.Helper()
	s := signing{p, phones.New()}
	keys := must[contract.AttestKeys](p.stepsUp(), "POST", attestKeys, s.Registers(p.id))
	require.Equal(p, s.Public(), keys.Keys[len(keys.Keys)-1].PublicKey)
	return s
}

// attests has the phone sign a month as its proof shows it.
func (s signing) attests(path, month string) reply {
	s.Helper()
	return s.ask("POST", path+"/attest", s.Attests(must[contract.MonthDraw](s.person, "GET", path+"/draw?month="+month, nil)))
}

func TestADeviceSignsForItsOwnerOnceTheyShowedThatItIsThem(t *testing.T) {
	t.Parallel()
	i := product(t)
	ada, bisi := somebody(t, i, "Ada"), somebody(t, i, "Bisi")
	phone := phones.New()
	require.Equal(t, "STEP_UP", ada.ask("POST", attestKeys, phone.Registers(ada.id)).ReturnedCode)
	require.Empty(t, must[contract.AttestKeys](ada, "GET", attestKeys, nil).Keys)
	ada.stepsUp()
	for name, change := range map[string]func(f *contract.AttestKeyRequest){
		"no key":          func(f *contract.AttestKeyRequest) { f.PublicKey = "" },
		"no hex":          func(f *contract.AttestKeyRequest) { f.PublicKey = strings.Repeat("g", 64) },
		"another device":  func(f *contract.AttestKeyRequest) { f.Device = contract.TABLET },
		"no device":       func(f *contract.AttestKeyRequest) { f.Device = "FRIDGE" },
		"no signature":    func(f *contract.AttestKeyRequest) { f.Signature = "" },
		"of another user": func(f *contract.AttestKeyRequest) { *f = phone.Registers(bisi.id) },
	} {
		form := phone.Registers(ada.id)
		change(&form)
		require.Equal(t, http.StatusBadRequest, ada.ask("POST", attestKeys, form).status, name)
	}
	first := ada.ask("POST", attestKeys, phone.Registers(ada.id), "Idempotency-Key", "a-retry-of-one")
	require.Equal(t, http.StatusOK, first.status, first.Message)
	require.Equal(t, http.StatusOK, ada.ask("POST", attestKeys, phone.Registers(ada.id), "Idempotency-Key", "a-retry-of-one").status)
	require.Equal(t, http.StatusConflict, ada.ask("POST", attestKeys, phone.Registers(ada.id)).status)
	ada.told("security_alert")
	require.Eventually(t, func() bool {
		letters, err := mail.Newest(context.Background(), i.Pool, ada.email)
		return err == nil && len(letters) > 0 && strings.Contains(letters[0].Text, "It signs in your name what you attest of closed months.")
	}, time.Minute, 20*time.Millisecond)

	bisi.stepsUp()
	require.Equal(t, http.StatusNotFound, bisi.ask("POST", attestKeys+"/revoke", object{"publicKey": phone.Public()}).status, "nobody turns another's off")
	keys := must[contract.AttestKeys](ada, "POST", attestKeys+"/revoke", object{"publicKey": phone.Public()})
	require.Equal(t, []any{phone.Public(), contract.PHONE, true}, []any{keys.Keys[0].PublicKey, keys.Keys[0].Device, keys.Keys[0].Revoked})
	require.Equal(t, http.StatusConflict, ada.ask("POST", attestKeys+"/revoke", object{"publicKey": phone.Public()}).status)
	require.Equal(t, http.StatusConflict, ada.ask("POST", attestKeys, phone.Registers(ada.id)).status, "it never comes back")

	require.Equal(t, [][3]any{{"SIGNS", phone.Public(), "PHONE"}}, exportedKeys(ada, true))
}

// exportedKeys are the keys of somebody's devices in the export of their data: the purpose, the key and the device.
func exportedKeys(p *person, revoked bool) (keys [][3]any) {
	p.Helper()
	raw, _ := p.stepsUp().file("/api/v1/account/export")
	var export struct{ DeviceKeys []object }
	require.NoError(p, json.Unmarshal(raw, &export))
	for _, k := range export.DeviceKeys {
		keys = append(keys, [3]any{k["purpose"], k["publicKey"], k["device"]})
		since, err := time.Parse(time.RFC3339, k["registeredAt"].(string))
		require.NoError(p, err)
		until, is := k["revokedAt"].(string)
		require.Equal(p, revoked, is)
		if is {
			at, err := time.Parse(time.RFC3339, until)
			require.NoError(p, err)
			require.True(p, at.After(since))
		}
	}
	return keys
}

func lagosLabel(month string) string {
	at, err := time.Parse("2006-01", month)
	if err != nil {
		return ""
	}
	return at.Format("January 2006")
}

// closesMonths has the validator of an ajo close its first month, whose payments are all marked.
func (r *round) closesMonths() {
	r.Helper()
	ctx, validator := context.Background(), 0
	for n := range r.people {
		if r.sees(n)["me"].(object)["isValidator"] == true {
			validator = n
		}
	}
	path := monthsPath + r.id
	require.Equal(r, http.StatusNotFound, somebody(r, r.i, "Outside").ask("GET", path, nil).status)
	open := must[object](r.people[validator], "GET", path, nil)["toClose"].([]any)
	require.NotEmpty(r, open)
	first := open[len(open)-1].(object)
	month := first["month"].(string)
	form := object{"month": month, "marginPercent": 2}
	require.Equal(r, http.StatusForbidden, r.people[(validator+1)%len(r.people)].ask("POST", path, form).status)
	_, _, err := r.i.App.At(time.Now().Add(-10*time.Minute)).Months.Close(ctx, r.who(validator), r.id, contract.CloseMonthRequest{Month: month, MarginPercent: 2})
	require.NoError(r, err)
	require.NoError(r, r.i.App.Months.DrawDue(ctx))
	require.Eventually(r, func() bool {
		return must[object](r.people[0], "GET", path, nil)["months"].([]any)[0].(object)["status"] == "DRAWN"
	}, time.Minute, 20*time.Millisecond)
	require.Equal(r, 1, r.told(validator, "sample_drawn"))
	attested := newSigner(r.people[validator]).attests(path, month)
	require.Equal(r, http.StatusOK, attested.status, attested.Message)
	done := must[object](r.people[1], "GET", path, nil)["months"].([]any)[0].(object)
	require.Equal(r, []any{"ATTESTED", first["payments"], first["payments"], 0.0, 0.0}, []any{done["status"], done["payments"], done["sample"], done["unreviewed"], done["changedSince"]})
	proof := must[object](r.people[1], "GET", path+"/draw?month="+month, nil)
	payouts := map[float64]bool{}
	for _, one := range must[object](r.people[1], "GET", "/api/v1/ajo/"+r.id+"/audit?limit=100", nil)["payments"].([]any) {
		if p := one.(object); p["kind"] == "PAYOUT" || len(p["oddities"].([]any)) > 0 {
			payouts[p["position"].(float64)] = true
		}
	}
	for _, pos := range proof["always"].([]any) {
		require.True(r, payouts[pos.(float64)])
		delete(payouts, pos.(float64))
	}
	for _, pos := range proof["positions"].([]any) {
		require.False(r, payouts[pos.(float64)], "every payout and all that is unusual is looked at")
	}
	monthsHold(r, r.i)
}

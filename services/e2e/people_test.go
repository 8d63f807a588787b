package e2e

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/vault"
)

func TestSomebodyOf17ContributesOnlyWithAConsent(t *testing.T) {
	t.Parallel()
	i := product(t)
	c, young := found(t, i), of17(t, i)
	must[any](young, "POST", "/api/GroupSavings/JoinGroupSavings", object{"groupId": c.group, "code": c.owner.code(c.group), "email": young.email})
	must[any](c.owner, "PATCH", "/api/GroupSavings/ApproveGroupMember", object{"groupId": c.group, "memberId": young.id})
	young.funded(6000)
	for name, r := range map[string]reply{
		"from the wallet": young.pays(c.sub, 5000),
		"several":         young.ask("POST", "/api/v1/wallet/make-payments-with-wallet", object{"userId": young.id, "payments": []object{{"subAccountId": c.sub, "amount": 5000}}}),
		"by transfer":     young.ask("POST", rail, object{"amount": 5000, "subAccountId": c.sub, "userId": young.id}),
	} {
		require.Equal(t, 403, r.status, "%s: %s", name, r.Message)
		require.Contains(t, r.Message, "a parent or guardian must consent", name)
	}
	require.Equal(t, "6000.00", young.balance())
	must[any](young, "POST", "/api/v1/account/guardian", object{"name": "Bola Test", "email": "bola-" + young.email, "relationship": "PARENT"})
	link := guardianInMail.FindStringSubmatch(young.page("/dev/inbox?to=" + url.QueryEscape("bola-"+young.email)))
	require.NotNil(t, link)
	must[any](nobody(t, i.Address), "POST", "/api/v1/account/guardian/consent", object{"token": link[1], "accept": true, "name": "Bola Test"})
	require.Equal(t, 200, young.pays(c.sub, 5000).status)
	require.Eventually(t, func() bool { return young.tellings("guardian_consented") == 1 }, time.Minute, 20*time.Millisecond)
}

// of17 is somebody whose guardian has not consented.
func of17(t *testing.T, i *boot.Instance) *person {
	t.Helper()
	young := &person{TB: t, base: i.Address, email: fmt.Sprintf("tola-%d@example.com", serial.Add(1))}
	_, err := i.People.CreateVerified(context.Background(), people.Registration{
		Email: young.email, Password: password, FirstName: "Tola", LastName: "Test", Phone: "08031234567",
		DateOfBirth: time.Now().AddDate(-17, 0, 0).Format(time.DateOnly),
	})
	require.NoError(t, err)
	young.logIn()
	return young
}

// Where the vault does not keep what was said, nobody is written to about it; said again it is kept, and told once.
func TestWhatTheVaultDidNotKeepIsNotWrittenAbout(t *testing.T) {
	t.Parallel()
	i := product(t)
	ctx, young := context.Background(), of17(t, i)
	schema, err := vault.Schema(ctx, i.Pool)
	require.NoError(t, err)
	_, err = i.Pool.Exec(ctx, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''not this commit''; END'`)
	require.NoError(t, err)
	records := pgx.Identifier{schema, "records"}.Sanitize()
	letters := func(to, about string) (n int) {
		t.Helper()
		require.NoError(t, i.Pool.QueryRow(ctx, "SELECT count(*) FROM mail_outbox WHERE recipient = $1 AND position($2 IN said) > 0", to, about).Scan(&n))
		return n
	}
	keptOnlyThen := func(to, about string, say func() reply) {
		t.Helper()
		before := letters(to, about)
		_, err := i.Pool.Exec(ctx, "CREATE CONSTRAINT TRIGGER refuse AFTER INSERT OR UPDATE ON "+records+` DEFERRABLE INITIALLY DEFERRED
			FOR EACH ROW WHEN (NEW.person = '`+young.id+`') EXECUTE FUNCTION refuse()`)
		require.NoError(t, err)
		require.Equal(t, 500, say().status)
		require.Equal(t, before, letters(to, about))
		_, err = i.Pool.Exec(ctx, "DROP TRIGGER refuse ON "+records)
		require.NoError(t, err)
		require.Equal(t, 200, say().status)
		require.Equal(t, before+1, letters(to, about))
	}
	guardian := "bola-" + young.email
	keptOnlyThen(guardian, "guardian-consent", func() reply {
		return young.ask("POST", "/api/v1/account/guardian", object{"name": "Bola Test", "email": guardian, "relationship": "PARENT"})
	})
	link := guardianInMail.FindStringSubmatch(young.page("/dev/inbox?to=" + url.QueryEscape(guardian)))
	require.NotNil(t, link)
	consent := func() reply {
		return nobody(t, i.Address).ask("POST", "/api/v1/account/guardian/consent", object{"token": link[1], "accept": true, "name": "Bola Test"})
	}
	keptOnlyThen(young.email, "Bola Test", consent)
	require.Equal(t, 200, consent().status)
	require.Equal(t, 1, letters(young.email, "Bola Test"), "said again it is no news")

	banks := func(code string) reply {
		at, err := i.Bank.AddPerson(ctx, sandbox.Person{FirstName: "Tola", LastName: "Test", BankCode: code})
		require.NoError(t, err)
		return young.ask("POST", updateInfo, object{"email": young.email, "bankAccountNumber": at.Account, "bankCode": at.BankCode})
	}
	require.Equal(t, 200, banks("082").status)
	young.stepsUp()
	keptOnlyThen(young.email, "Your bank account was changed", func() reply { return banks("058") })
	young.told("security_alert")
}

func TestWhatIsMutedIsNeitherShownNorMailedAndTheRestIs(t *testing.T) {
	t.Parallel()
	i := product(t)
	loud, muted := somebody(t, i, "Ada"), somebody(t, i, "Bisi")
	must[any](muted, "POST", "/api/Account/UpdateUserSettings", object{"email": muted.email, "settings": object{
		"inApp": true, "email": true, "mutedInApp": []string{"wallet_funded"}, "mutedEmail": []string{"wallet_funded"},
	}})
	for _, p := range []*person{muted, loud} { // The loud one last: what is mailed is mailed in order.
		p.funded(1000)
		require.NoError(t, i.Profile.Alert(context.Background(), p.id, "new_device"))
	}
	loud.told("wallet_funded")
	muted.told("security_alert")
	page := must[object](muted, "GET", "/api/Notification/all", nil)
	require.Len(t, page["notifications"], 1)
	require.InDelta(t, 1, page["unread"], 0)
	inbox := func(p *person) string { return p.page("/dev/inbox?to=" + url.QueryEscape(p.email)) }
	require.Eventually(t, func() bool { return strings.Contains(inbox(loud), "You received ₦1,000.00") }, time.Minute, 50*time.Millisecond)
	require.NotContains(t, inbox(muted), "You received")
}

var guardianInMail = regexp.MustCompile(`/guardian-consent\?token=([A-Za-z0-9_-]+)`)

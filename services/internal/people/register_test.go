package people_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/people/fields"
)

func TestSignUpVerifyLogIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.Register(b.ctx, ada()))
	_, err := b.enter("ada@example.com", "correct horse")
	requireFault(t, err, fault.Forbidden, "Kindly click on the email verification link sent to your email.")
	token := b.lastToken(t, "ada@example.com")

	require.NoError(t, b.VerifyEmail(b.ctx, token, "correct horse"))
	requireFault(t, b.VerifyEmail(b.ctx, token, "correct horse"), fault.Credentials, "already been used")
	login, err := b.enter(" ADA@example.com ", "correct horse")
	require.NoError(t, err)
	require.Equal(t, "+2348031234567", login.Profile.Phone)
	require.Equal(t, []string{"User"}, login.Profile.Roles)

	caller, err := b.Authenticate(b.ctx, login.Token, login.Secret)
	require.NoError(t, err)
	require.Equal(t, "ada@example.com", caller.Email)
	profile, err := b.Profile(b.ctx, caller.UserID)
	require.NoError(t, err)
	require.True(t, profile.EmailVerified)
	require.Equal(t, "Ada", profile.FirstName)
}

func TestRegisterRules(t *testing.T) {
	t.Parallel()
	b := setup(t)
	change := func(f func(*people.Registration)) people.Registration {
		r := ada()
		f(&r)
		return r
	}
	for name, c := range map[string]struct {
		r     people.Registration
		field string
		says  string
	}{
		"turns 15 tomorrow":      {change(func(r *people.Registration) { r.DateOfBirth = "2011-03-11" }), "dateOfBirth", "You must be 15 years or older to use Adashi."},
		"not born yet":           {change(func(r *people.Registration) { r.DateOfBirth = "2027-01-01" }), "dateOfBirth", "still to come"},
		"no such day":            {change(func(r *people.Registration) { r.DateOfBirth = "1990-02-30" }), "dateOfBirth", "year-month-day"},
		"day first":              {change(func(r *people.Registration) { r.DateOfBirth = "17/05/1990" }), "dateOfBirth", "year-month-day"},
		"no at":                  {change(func(r *people.Registration) { r.Email = "ada.example.com" }), "email", "valid email"},
		"no domain":              {change(func(r *people.Registration) { r.Email = "ada@localhost" }), "email", "valid email"},
		"two dots":               {change(func(r *people.Registration) { r.Email = "a..da@example.com" }), "email", "valid email"},
		"look-alike letter":      {change(func(r *people.Registration) { r.Email = "аda@example.com" }), "email", "valid email"},
		"a second header":        {change(func(r *people.Registration) { r.Email = "ada@example.com\r\nBcc: x@y.zz" }), "email", "valid email"},
		"long email":             {change(func(r *people.Registration) { r.Email = strings.Repeat("a", 320) + "@example.com" }), "email", "320"},
		"short password":         {change(func(r *people.Registration) { r.Password = "seven77" }), "password", "at least 8"},
		"long password":          {change(func(r *people.Registration) { r.Password = strings.Repeat("é", 129) }), "password", "at most 128"},
		"common password":        {change(func(r *people.Registration) { r.Password = "Password123" }), "password", "guess"},
		"no first name":          {change(func(r *people.Registration) { r.FirstName = "  " }), "firstName", "first name"},
		"a link for a name":      {change(func(r *people.Registration) { r.FirstName = "evil.com" }), "firstName", "web address"},
		"an unseen letter":       {change(func(r *people.Registration) { r.LastName = "Obi\u3164" }), "lastName", "web address"},
		"marks in a tower":       {change(func(r *people.Registration) { r.FirstName = "Ada\u0301\u0302\u0303\u0304\u0306" }), "firstName", "too many marks"},
		"digits in a name":       {change(func(r *people.Registration) { r.LastName = "Ob1" }), "lastName", "letters"},
		"markup in a name":       {change(func(r *people.Registration) { r.LastName = "<b>Obi</b>" }), "lastName", "letters"},
		"a name without letters": {change(func(r *people.Registration) { r.LastName = "-'." }), "lastName", "in letters"},
		"long name":              {change(func(r *people.Registration) { r.LastName = strings.Repeat("o", 61) }), "lastName", "60"},
		"foreign phone":          {change(func(r *people.Registration) { r.Phone = "+447911123456" }), "phone", "Nigerian"},
		"short phone":            {change(func(r *people.Registration) { r.Phone = "0803123456" }), "phone", "Nigerian"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := b.Register(b.ctx, c.r)
			requireFault(t, err, fault.Invalid, c.says)
			require.Equal(t, c.field, fault.As(err).Field)
		})
	}
	t.Run("fifteen today in Lagos passes", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, b.Register(b.ctx, change(func(r *people.Registration) { r.Email, r.DateOfBirth = "young@example.com", "2011-03-10" })))
	})
}

func TestAPhoneNumberIsTakenAsPeopleWriteIt(t *testing.T) {
	t.Parallel()
	for _, written := range []string{
		"08031234567", "0803 123 4567", "+234 803 123 4567", "2348031234567", "+234 (0) 803 123 4567", "002348031234567", "00234 (0)803-123-4567",
		"8031234567", "803\u2011123\u20114567", "\u202a+234\u00a0803\u200b1234567\u202c", "０８０３１２３４５６７",
	} {
		e164, err := fields.Phone(written)
		require.NoError(t, err, "%q", written)
		require.Equal(t, "+2348031234567", e164, "%q", written)
	}
	for _, wrong := range []string{"", "0803123456", "080312345678", "+447911123456", "2342348031234567", "0008031234567", "+0803123456a"} {
		_, err := fields.Phone(wrong)
		requireField(t, err, fault.Invalid, "phone")
	}
}

func TestLagosDayDecidesTheBirthday(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.clock.pass(45 * time.Minute) // 23:15 UTC is already the next day in Lagos.
	r := ada()
	r.DateOfBirth = "2011-03-11"
	require.NoError(t, b.Register(b.ctx, r))
}

func TestTakenEmailAnswersTheSameAndTellsItsOwner(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	other := ada()
	other.Password, other.FirstName = "another password", "Eve"
	require.NoError(t, b.Register(b.ctx, other))
	letters := b.mails(t, "ada@example.com")
	require.Len(t, letters, 1)
	require.Equal(t, "You already have an Adashi account", letters[0][0])
	_, err := b.enter("ada@example.com", "another password")
	requireFault(t, err, fault.Credentials, "The email or password is not right.")
	b.login(t)
}

// TestEachSignUpOfAnAddressIsAsGoodAsTheOthers until one is verified: by its own letter or another, with its own
// password.
func TestEachSignUpOfAnAddressIsAsGoodAsTheOthers(t *testing.T) {
	t.Parallel()
	intruder := ada()
	intruder.Password, intruder.FirstName = "the intruder's own", "Eve"
	for name, order := range map[string][]people.Registration{"first": {intruder, ada()}, "last": {ada(), intruder}} {
		t.Run("the intruder "+name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			var tokens []string
			for _, r := range order {
				require.NoError(t, b.Register(b.ctx, r))
				tokens = append(tokens, b.lastToken(t, email))
			}
			requireField(t, b.VerifyEmail(b.ctx, tokens[0], "a third one"), fault.Credentials, "password")
			require.NoError(t, b.VerifyEmail(b.ctx, tokens[0], "correct horse"), "either letter opens, with her password")
			login, err := b.enter(email, "correct horse")
			require.NoError(t, err)
			require.Equal(t, "Ada", login.Profile.FirstName)
			requireFault(t, b.VerifyEmail(b.ctx, tokens[1], intruder.Password), fault.Credentials, "expired")
			_, err = b.enter(email, intruder.Password)
			requireFault(t, err, fault.Credentials, "The email or password is not right.")
			var left int
			require.NoError(t, b.pool.QueryRow(b.ctx, `SELECT count(*) FROM email_links`).Scan(&left))
			require.Zero(t, left, "nothing is kept of who gave way")
		})
	}
}

// TestSignUpsOfAnAddressByManyDoNotDenyItToItsOwner: however many letters others caused, hers is among them or the next
// one opens her sign-up.
func TestSignUpsOfAnAddressByManyDoNotDenyItToItsOwner(t *testing.T) {
	t.Parallel()
	b := setup(t)
	intruder := ada()
	intruder.Password = "the intruder's own"
	var wait sync.WaitGroup
	for n := range 40 {
		wait.Go(func() {
			require.NoError(t, b.Service.Register(b.ctx, intruder, people.Origin{Address: fmt.Sprint("102.0.0.", n)}))
		})
	}
	wait.Wait()
	b.clock.pass(time.Second)
	mailed := len(b.mails(t, email))
	require.Equal(t, 30, mailed, "her mailbox is not flooded")
	require.NoError(t, b.Service.Register(b.ctx, ada(), people.Origin{Address: "105.1.1.1"}))
	require.NoError(t, b.VerifyEmail(b.ctx, b.lastToken(t, email), "correct horse"))
	b.login(t)
	var waiting int
	require.NoError(t, b.pool.QueryRow(b.ctx, `SELECT count(*) FROM email_links`).Scan(&waiting))
	require.Zero(t, waiting)
}

func TestMailsToOneAddressAreBounded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.verified(t)
	for range 8 {
		require.NoError(t, b.Register(b.ctx, ada()))
	}
	require.Len(t, b.mails(t, "ada@example.com"), 4)
}

func TestTheLastLinkVerifiesThePasswordThatItCameWith(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 4 {
		require.NoError(t, b.Register(b.ctx, ada()))
	}
	intruder := ada()
	intruder.Password = "the intruder's own"
	require.NoError(t, b.Register(b.ctx, intruder)) // No mail goes out for this one.
	require.NoError(t, b.VerifyEmail(b.ctx, b.lastToken(t, "ada@example.com"), "correct horse"))
	_, err := b.enter("ada@example.com", intruder.Password)
	requireFault(t, err, fault.Credentials, "The email or password is not right.")
	b.login(t)
}

func TestVerificationLinkExpires(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.Register(b.ctx, ada()))
	b.clock.pass(24*time.Hour + time.Second)
	requireFault(t, b.VerifyEmail(b.ctx, b.lastToken(t, "ada@example.com"), "correct horse"), fault.Credentials, "expired")
	for _, junk := range []string{"", "x", strings.Repeat("\x00", 43), strings.Repeat("a", 43)} {
		requireFault(t, b.VerifyEmail(b.ctx, junk, "correct horse"), fault.Credentials, "expired")
	}
}

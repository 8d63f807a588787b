package mail

import (
	"context"
	"fmt"
)

// Notice is a notification as a letter.
func Notice(to, firstName, title, body, link string) Message {
	return write(to, letter{
		Subject: title, Greeting: "Hello " + firstName + ",", Paragraphs: []string{body}, Action: "Open Adashi", Link: link,
		Footer: "You choose in your settings what comes by mail. What concerns the safety of your account always does.",
	})
}

// GuardianRequest asks a parent or guardian to let a member of 15 to 17 contribute.
func GuardianRequest(to, guardian, minor, link string) Message {
	return write(to, letter{
		Subject:  minor + " asks for your consent on Adashi",
		Greeting: "Hello " + guardian + ",",
		Paragraphs: []string{
			minor + " is under 18 and would like to save with a group on Adashi. They named you as their parent or guardian, and need your consent before they can contribute money.",
			"The link shows what you are asked. It works for 14 days.",
		},
		Action: "See what is asked",
		Link:   link,
		Footer: "If you do not know " + minor + ", ignore this mail: without your consent they cannot contribute.",
	})
}

// Forget removes every letter to these addresses, and every one to others that speaks of the person by their name or
// address, sent or not.
func Forget(ctx context.Context, db DB, name string, addresses ...string) error {
	for _, text := range append([]string{name}, addresses...) {
		if text == "" {
			continue
		}
		if _, err := db.Exec(ctx, `DELETE FROM mail_outbox WHERE recipient = $1 OR position($1 IN body_text) > 0`, text); err != nil {
			return fmt.Errorf("mail: forget: %w", err)
		}
	}
	return nil
}

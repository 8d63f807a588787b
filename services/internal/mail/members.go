package mail

// Invitation asks somebody to join a group; inviter and group are names, link opens the invitation. verified says whether
// the bank knows the inviter by that name.
func Invitation(to, inviter string, verified bool, group, link string) Message {
	who, known := inviter, "The bank has confirmed that "+inviter+" is the sender's name."
	if !verified {
		who, known = "Somebody who calls themselves "+inviter, "Nobody has verified that name yet: ask "+inviter+" whether it was them."
	}
	return of(KindInvitation, write(to, letter{
		Subject:    who + " invites you to " + group,
		Greeting:   "Hello,",
		Paragraphs: []string{who + " would like you to save together in " + group + " on Adashi. See what it is about, and join if you like.", known},
		Action:     "See the group",
		Link:       link,
		Footer:     "If you do not know " + inviter + ", ignore this mail. Adashi never asks for money to join.",
	}))
}

// Receipt is money that came in. Amounts are as people read them: ₦5,000.00.
type Receipt struct {
	Amount    string
	With      string // Where it came from.
	When      string
	Reference string
	Balance   string // Of the wallet afterwards; may be empty.
	Link      string // To the movement.
}

func (r Receipt) figures() []figure {
	figures := []figure{{"Amount", r.Amount}, {"From", r.With}, {"When", r.When}, {"Reference", r.Reference}}
	if r.Balance != "" {
		figures = append(figures, figure{"Wallet balance", r.Balance})
	}
	return figures
}

// MoneyReceived is the receipt of money that came in.
func MoneyReceived(to, firstName string, r Receipt) Message {
	return write(to, letter{
		Subject:    "You received " + r.Amount,
		Greeting:   hello(firstName),
		Paragraphs: []string{r.Amount + " is in your wallet."},
		Figures:    r.figures(),
		Action:     "See the receipt",
		Link:       r.Link,
		Footer:     "Something not right? Answer this mail and name the reference.",
	})
}

// GuardianRequest asks a parent or guardian for consent; minor is the young member's full name. The link works for 14
// days.
func GuardianRequest(to, guardian, minor, link string) Message {
	return of(KindGuardian, write(to, letter{
		Subject:  minor + " asks for your consent on Adashi",
		Greeting: "Hello " + guardian + ",",
		Paragraphs: []string{
			minor + " is not yet 18 and would like to save with others on Adashi. That needs the consent of a parent or guardian, and named you.",
			"Open the link to read what it means, and to consent or refuse. It works for 14 days.",
		},
		Action: "Read and answer",
		Link:   link,
		Footer: "If you do not know " + minor + ", refuse or ignore this mail: then nothing happens.",
	}))
}

// GuardianAnswered tells the young member what their guardian said.
func GuardianAnswered(to, firstName, guardian string, consented bool, link string) Message {
	l := letter{
		Subject:    guardian + " consented",
		Greeting:   hello(firstName),
		Paragraphs: []string{guardian + " consented to your saving on Adashi. You can contribute now."},
		Action:     "Open Adashi",
		Link:       link,
		Footer:     "Do not share your password with anybody, not even with your guardian.",
	}
	if !consented {
		l.Subject = guardian + " did not consent"
		l.Paragraphs = []string{guardian + " did not consent to your saving on Adashi. You can ask again, or ask another parent or guardian."}
	}
	return write(to, l)
}

// BVNResult tells how the check of a BVN ended. reason is a sentence for the person, when it failed. The BVN itself is
// never in a mail.
func BVNResult(to, firstName string, verified bool, reason, profileLink string) Message {
	l := letter{
		Subject:    "Your BVN has been verified",
		Greeting:   hello(firstName),
		Paragraphs: []string{"Your BVN has been verified successfully."},
		Action:     "Open my profile",
		Link:       profileLink,
		Footer:     "Adashi never asks for your BVN by mail or phone.",
	}
	if !verified {
		l.Subject = "Your BVN could not be verified"
		l.Paragraphs = []string{"BVN could not be verified. " + reason, "Please check the details in your profile and try again."}
	}
	return write(to, l)
}

// Notice is a notification by mail: title, what it says, and where it leads.
func Notice(to, firstName, title, body, link string) Message {
	return write(to, letter{
		Subject:    title,
		Greeting:   hello(firstName),
		Paragraphs: []string{body},
		Action:     "Open Adashi",
		Link:       link,
		Footer:     "You choose in your settings what comes by mail. What concerns the safety of your account always does.",
	})
}

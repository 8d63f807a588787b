package mail

type invitation struct {
	Inviter     string
	Verified    bool
	Group, Link string
}

func (f invitation) letter() letter {
	who, known := f.Inviter, "The bank has confirmed that "+f.Inviter+" is the sender's name."
	if !f.Verified {
		who, known = "Somebody who calls themselves "+f.Inviter, "Nobody has verified that name yet: ask "+f.Inviter+" whether it was them."
	}
	return letter{
		Subject:    who + " invites you to " + f.Group,
		Greeting:   "Hello,",
		Paragraphs: []string{who + " would like you to save together in " + f.Group + " on Adashi. See what it is about, and join if you like.", known},
		Action:     "See the group",
		Link:       f.Link,
		Footer:     "If you do not know " + f.Inviter + ", ignore this mail. Adashi never asks for money to join.",
	}
}

// Invitation asks somebody to join a group; inviter and group are names, link opens the invitation. verified says
// whether the bank knows the inviter by that name.
func Invitation(to, inviter string, verified bool, group, link string) Message {
	return of(KindInvitation, about(to, invitation{inviter, verified, group, link}))
}

type invitationWithdrawn struct {
	Inviter       string
	Verified      bool
	Group, Reason string
}

func (f invitationWithdrawn) letter() letter {
	who, body := f.Inviter, ""
	if !f.Verified {
		who = "Somebody who calls themselves " + f.Inviter
	}
	if f.Reason != "" {
		body = " They say: “" + f.Reason + "”"
	}
	return letter{
		Subject:    "The invitation to " + f.Group + " was withdrawn",
		Greeting:   "Hello,",
		Paragraphs: []string{who + " withdrew the invitation to save together in " + f.Group + " on Adashi. You need not do anything." + body},
		Footer:     "If you do not know " + f.Inviter + ", ignore this mail.",
	}
}

// InvitationWithdrawn tells somebody without an account that an invitation was taken back; group is a name.
func InvitationWithdrawn(to string, by Inviter, group, reason string) Message {
	letter := of(KindWithdrawn, about(to, invitationWithdrawn{by.Name, by.Verified, group, reason}))
	letter.Cause, letter.About = by.User, []string{by.User}
	return letter
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

type moneyReceived struct {
	Name string
	Receipt
}

func (f moneyReceived) letter() letter {
	return letter{
		Subject:    "You received " + f.Amount,
		Greeting:   hello(f.Name),
		Paragraphs: []string{f.Amount + " is in your wallet."},
		Figures:    f.figures(),
		Action:     "See the receipt",
		Link:       f.Link,
		Footer:     "Something not right? Answer this mail and name the reference.",
	}
}

// MoneyReceived is the receipt of money that came in.
func MoneyReceived(to, firstName string, r Receipt) Message {
	return about(to, moneyReceived{firstName, r})
}

type guardianRequest struct{ Guardian, Minor, Link string }

func (f guardianRequest) letter() letter {
	return letter{
		Subject:  f.Minor + " asks for your consent on Adashi",
		Greeting: "Hello " + f.Guardian + ",",
		Paragraphs: []string{
			f.Minor + " is not yet 18 and would like to save with others on Adashi. That needs the consent of a parent or guardian, and named you.",
			"Open the link to read what it means, and to consent or refuse. It works for 14 days.",
		},
		Action: "Read and answer",
		Link:   f.Link,
		Footer: "If you do not know " + f.Minor + ", refuse or ignore this mail: then nothing happens.",
	}
}

// GuardianRequest asks a parent or guardian for consent; minor is the young member's full name. The link works for 14
// days.
func GuardianRequest(to, guardian, minor, link string) Message {
	return of(KindGuardian, about(to, guardianRequest{guardian, minor, link}))
}

type guardianAnswered struct {
	Name, Guardian string
	Consented      bool
	Link           string
}

func (f guardianAnswered) letter() letter {
	l := letter{
		Subject:    f.Guardian + " consented",
		Greeting:   hello(f.Name),
		Paragraphs: []string{f.Guardian + " consented to your saving on Adashi. You can contribute now."},
		Action:     "Open Adashi",
		Link:       f.Link,
		Footer:     "Do not share your password with anybody, not even with your guardian.",
	}
	if !f.Consented {
		l.Subject = f.Guardian + " did not consent"
		l.Paragraphs = []string{f.Guardian + " did not consent to your saving on Adashi. You can ask again, or ask another parent or guardian."}
	}
	return l
}

// GuardianAnswered tells the young member what their guardian said.
func GuardianAnswered(to, firstName, guardian string, consented bool, link string) Message {
	return about(to, guardianAnswered{firstName, guardian, consented, link})
}

type bvnResult struct {
	Name         string
	Verified     bool
	Reason, Link string
}

func (f bvnResult) letter() letter {
	l := letter{
		Subject:    "Your BVN has been verified",
		Greeting:   hello(f.Name),
		Paragraphs: []string{"Your BVN has been verified successfully."},
		Action:     "Open my profile",
		Link:       f.Link,
		Footer:     "Adashi never asks for your BVN by mail or phone.",
	}
	if !f.Verified {
		l.Subject = "Your BVN could not be verified"
		l.Paragraphs = []string{"BVN could not be verified. " + f.Reason, "Please check the details in your profile and try again."}
	}
	return l
}

// BVNResult tells how the check of a BVN ended. reason is a sentence for the person, when it failed. The BVN itself is
// never in a mail.
func BVNResult(to, firstName string, verified bool, reason, profileLink string) Message {
	return about(to, bvnResult{firstName, verified, reason, profileLink})
}

type notice struct{ Name, Title, Body, Link string }

func (f notice) letter() letter {
	return letter{
		Subject:    f.Title,
		Greeting:   hello(f.Name),
		Paragraphs: []string{f.Body},
		Action:     "Open Adashi",
		Link:       f.Link,
		Footer:     "You choose in your settings what comes by mail. What concerns the safety of your account always does.",
	}
}

// Notice is a notification by mail: title, what it says, and where it leads.
func Notice(to, firstName, title, body, link string) Message {
	return about(to, notice{firstName, title, body, link})
}

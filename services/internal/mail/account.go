package mail

type verification struct{ Name, Link string }

func (f verification) letter() letter {
	return letter{
		Subject:    "Confirm your email for Adashi",
		Greeting:   hello(f.Name),
		Paragraphs: []string{"Welcome to Adashi. Kindly confirm that this is your email: open the link and enter the password that you chose.", "The link works once, and for 24 hours."},
		Action:     "Confirm my email",
		Link:       f.Link,
		Footer:     "If you did not sign up for Adashi, ignore this mail: without the link nobody can use your address.",
	}
}

// Verification asks the owner of a new account to open the link, which works once and for 24 hours.
func Verification(to, firstName, link string) Message {
	return of(KindVerification, about(to, verification{firstName, link}))
}

type alreadyRegistered struct{ Link string }

func (f alreadyRegistered) letter() letter {
	return letter{
		Subject:    "You already have an Adashi account",
		Greeting:   "Hello,",
		Paragraphs: []string{"Somebody, perhaps you, tried to use this email for an Adashi account. You already have one, so nothing was changed.", "Log in with the password that you chose."},
		Action:     "Log in",
		Link:       f.Link,
		Footer:     "If it was not you, there is nothing that you need to do.",
	}
}

// AlreadyRegistered tells an account's owner that somebody wanted to use their address.
func AlreadyRegistered(to, loginLink string) Message {
	return of(KindRegistered, about(to, alreadyRegistered{loginLink}))
}

type passwordReset struct{ Name, Link string }

func (f passwordReset) letter() letter {
	return letter{
		Subject:    "Choose a new Adashi password",
		Greeting:   hello(f.Name),
		Paragraphs: []string{"Somebody, hopefully you, asked for a new password for your Adashi account.", "The link works once, and for 20 minutes."},
		Action:     "Choose a new password",
		Link:       f.Link,
		Footer:     "If it was not you, ignore this mail: your password stays as it is.",
	}
}

// PasswordReset carries the link to choose a new password, which works once and for 20 minutes.
func PasswordReset(to, firstName, link string) Message {
	return of(KindReset, about(to, passwordReset{firstName, link}))
}

type passwordChanged struct{ Name, When, Link string }

func (f passwordChanged) letter() letter {
	return letter{
		Subject:    "Your Adashi password was changed",
		Greeting:   hello(f.Name),
		Paragraphs: []string{"Your password was changed on " + f.When + ". You are logged out everywhere; log in with the new one."},
		Action:     "It was not me",
		Link:       f.Link,
		Footer:     "If it was you, there is nothing that you need to do. If not, open the link at once.",
	}
}

// PasswordChanged tells that it happened; when is a time as people read it. The link undoes it.
func PasswordChanged(to, firstName, when, undoLink string) Message {
	return about(to, passwordChanged{firstName, when, undoLink})
}

type confirmNewEmail struct{ Name, Link string }

func (f confirmNewEmail) letter() letter {
	return letter{
		Subject:    "Confirm your new email for Adashi",
		Greeting:   hello(f.Name),
		Paragraphs: []string{"You asked to use this email for your Adashi account from now on. Kindly confirm it, then log in with it.", "The link works once, and for 24 hours."},
		Action:     "Use this email",
		Link:       f.Link,
		Footer:     "If you did not ask for it, ignore this mail: nothing changes.",
	}
}

// ConfirmNewEmail goes to a new address, whose owner opens the link within 24 hours.
func ConfirmNewEmail(to, firstName, link string) Message {
	return of(KindNewEmail, about(to, confirmNewEmail{firstName, link}))
}

// EmailChangeAsked goes to the old address, which still counts.
func EmailChangeAsked(to, firstName, when, undoLink string) Message {
	return SecurityAlert(to, firstName, "Somebody asked to change your email", "Your account moves to another email once that one is confirmed. The other one got a link.", when, undoLink)
}

type emailChanged struct{ Name, When, Link string }

func (f emailChanged) letter() letter {
	return letter{
		Subject:    "Your Adashi account has a new email",
		Greeting:   hello(f.Name),
		Paragraphs: []string{"Your account moved to another email on " + f.When + ". This address no longer opens it, and you are logged out everywhere."},
		Action:     "It was not me",
		Link:       f.Link,
		Footer:     "If it was you, there is nothing that you need to do. If not, open the link within 72 hours: your account comes back to this address.",
	}
}

// EmailChanged goes to the old address when it is the old one. The link gives the account back to it.
func EmailChanged(to, firstName, when, undoLink string) Message {
	return about(to, emailChanged{firstName, when, undoLink})
}

type newDevice struct{ Name, Device, When, Link string }

func (f newDevice) letter() letter {
	return letter{
		Subject:    "A new device logged in to Adashi",
		Greeting:   hello(f.Name),
		Paragraphs: []string{"Somebody, hopefully you, logged in to your account from a device that we had not seen before."},
		Figures:    []figure{{"Device", f.Device}, {"When", f.When}},
		Action:     "See where I am logged in",
		Link:       f.Link,
		Footer:     "If it was not you, end that session and change your password at once.",
	}
}

// NewDevice tells of a first login from a device of that description.
func NewDevice(to, firstName, device, when, sessionsLink string) Message {
	return about(to, newDevice{firstName, device, when, sessionsLink})
}

type securityAlert struct{ Name, What, Means, When, Link string }

func (f securityAlert) letter() letter {
	return letter{
		Subject:    f.What,
		Greeting:   hello(f.Name),
		Paragraphs: []string{f.What + " on " + f.When + ".", f.Means},
		Action:     "It was not me",
		Link:       f.Link,
		Footer:     "If it was you, there is nothing that you need to do. If not, open the link at once.",
	}
}

// SecurityAlert tells of any other change that the owner should know of. what is the subject, means a sentence or two,
// and the link where to go if it was not them.
func SecurityAlert(to, firstName, what, means, when, link string) Message {
	return about(to, securityAlert{firstName, what, means, when, link})
}

type triesAtPassword struct{ Name, When, Link string }

func (f triesAtPassword) letter() letter {
	return letter{
		Subject:  "Many wrong passwords were tried on your Adashi account",
		Greeting: hello(f.Name),
		Paragraphs: []string{
			"By " + f.When + " many wrong passwords had been tried on your account, on devices that we do not know. None of them opened it.",
			"On devices that you have logged in on before, everything works as always. On a new device you may have to wait; if so, choose a new password there by a link that we mail you, and you are let in at once.",
		},
		Action: "Choose a new password",
		Link:   f.Link,
		Footer: "If your password is one that others could guess, or that you use elsewhere too, choose another. We write about this at most once a day.",
	}
}

// TriesAtPassword tells that many wrong passwords were tried, and how to get in while that goes on.
func TriesAtPassword(to, firstName, when, resetLink string) Message {
	return about(to, triesAtPassword{firstName, when, resetLink})
}

type accountClosed struct{ Name, When string }

func (f accountClosed) letter() letter {
	return letter{
		Subject:  "Your Adashi account is closed",
		Greeting: hello(f.Name),
		Paragraphs: []string{
			"Your account was closed on " + f.When + ". Your name, email, phone and documents are erased; what the law makes us keep of your payments is kept without them.",
			"Thank you for saving with us.",
		},
		Footer: "If it was not you, answer this mail at once.",
	}
}

// AccountClosed tells that an account is closed for ever. It has no button: there is nothing left to open. It is a
// Farewell.
func AccountClosed(to, firstName, when string) Message {
	message := about(to, accountClosed{firstName, when})
	message.Farewell = true
	return message
}
